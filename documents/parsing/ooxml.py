"""Office Open XML packages, read with care: parts, relationships and XML trees of .docx, .pptx and .xlsx files.

One reader for the three formats: every part is inflated under a budget that counts real bytes, XML is parsed without
entities or network, Strict documents come out in the namespaces of Transitional ones, and a damaged part costs only
itself. External targets (linked pictures, templates) are never opened.
"""

import posixpath
import re
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import unquote

from lxml import etree

from documents.parsing.errors import DamagedFile, EncryptedFile, LimitExceeded, TooLarge
from documents.parsing.limits import ParseLimits

Element = etree._Element

_STRICT = {
    b"http://purl.oclc.org/ooxml/wordprocessingml/main": b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    b"http://purl.oclc.org/ooxml/spreadsheetml/main": b"http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    b"http://purl.oclc.org/ooxml/presentationml/main": b"http://schemas.openxmlformats.org/presentationml/2006/main",
    b"http://purl.oclc.org/ooxml/drawingml/": b"http://schemas.openxmlformats.org/drawingml/2006/",
    b"http://purl.oclc.org/ooxml/officeDocument/relationships": (
        b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    ),
    b"http://purl.oclc.org/ooxml/officeDocument/": b"http://schemas.openxmlformats.org/officeDocument/2006/",
}
_RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_FIRST_ELEMENT = re.compile(rb"<[A-Za-z_]")
_BLOCK_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class Relationship:
    """A link from one part to another. `kind` is the last word of its type; external targets have no `part`."""

    id: str
    kind: str
    part: str


class Package:
    """An open Office file. Use as a context manager.

    Raises: DamagedFile, TooLarge (too many entries), EncryptedFile.
    """

    def __init__(self, path: Path, limits: ParseLimits) -> None:
        self._limits = limits
        self._budget = limits.inflated_bytes
        self._rels: dict[str, dict[str, Relationship]] = {}
        self.damaged_parts: list[str] = []
        try:
            self._zip = zipfile.ZipFile(path)
            names = self._zip.namelist()
        except (zipfile.BadZipFile, OSError, ValueError) as error:
            raise DamagedFile(f"zip container: {error}") from error
        if len(names) > limits.zip_entries:
            raise TooLarge(f"{len(names)} entries in the container")
        self._names = {name.lstrip("/").lower(): name for name in names}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    def __contains__(self, part: str) -> bool:
        return part.lstrip("/").lower() in self._names

    def read(self, part: str) -> bytes:
        """The bytes of a part.

        Raises: KeyError, when there is no such part; DamagedFile; LimitExceeded, by real inflated size.
        """
        name = self._names[part.lstrip("/").lower()]
        pieces: list[bytes] = []
        size = 0
        try:
            with self._zip.open(name) as stream:
                while piece := stream.read(_BLOCK_BYTES):
                    size += len(piece)
                    self._budget -= len(piece)
                    if size > self._limits.part_bytes or self._budget < 0:
                        raise LimitExceeded(f"{part} inflates beyond the limit")
                    pieces.append(piece)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError) as error:
            raise DamagedFile(f"{part}: {error}") from error
        except RuntimeError as error:  # zipfile's word for a password
            raise EncryptedFile(f"{part}: {error}") from error
        return b"".join(pieces)

    def xml_bytes(self, part: str) -> bytes:
        """A part's XML, safe to parse: no DTD, Strict namespaces as Transitional ones. Raises: as `read`."""
        data = self.read(part)
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            data = data.decode("utf-16", errors="replace").replace("UTF-16", "UTF-8", 1).encode()
        root = _FIRST_ELEMENT.search(data)
        if b"<!DOCTYPE" in data[: root.start() if root else None]:
            raise DamagedFile(f"{part}: document type declarations are not part of Office files")
        if b"purl.oclc.org" in data:
            for strict, transitional in _STRICT.items():
                data = data.replace(strict, transitional)
        return data

    def xml(self, part: str) -> Element:
        """The root of a part's XML tree. Raises: KeyError, DamagedFile, LimitExceeded."""
        data = self.xml_bytes(part)
        parser = etree.XMLParser(
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
        )
        try:
            return etree.fromstring(data, parser)
        except etree.XMLSyntaxError as error:
            raise DamagedFile(f"{part}: {error}") from error

    def optional_xml(self, part: str) -> Element | None:
        """As `xml`, or None when the part is missing or damaged; a damaged one is noted in `damaged_parts`."""
        if not part or part not in self:
            return None
        try:
            return self.xml(part)
        except DamagedFile:
            self.damaged_parts.append(part)
            return None

    def relationships(self, part: str = "") -> dict[str, Relationship]:
        """Relationships of a part by id; of the package itself for ""."""
        if part not in self._rels:
            self._rels[part] = self._read_relationships(part)
        return self._rels[part]

    def related(self, part: str, kind: str) -> list[Relationship]:
        """Relationships of `part` of one kind whose target is in the package."""
        return [link for link in self.relationships(part).values() if link.kind == kind and link.part in self]

    def main_part(self, *fallbacks: str) -> str:
        """Name of the package's main part, found by relationship. Raises: DamagedFile, when there is none."""
        found = self.related("", "officeDocument")
        if found:
            return found[0].part
        for name in fallbacks:
            if name in self:
                return name
        raise DamagedFile("no main part")

    def _read_relationships(self, part: str) -> dict[str, Relationship]:
        folder, name = posixpath.split(part)
        root = self.optional_xml(posixpath.join(folder, "_rels", f"{name}.rels"))
        links: dict[str, Relationship] = {}
        for element in root.iter(_RELATIONSHIP) if root is not None else ():
            target = element.get("Target") or ""
            kind = (element.get("Type") or "").rsplit("/", 1)[-1]
            inside = "" if element.get("TargetMode") == "External" else _resolve(folder, target)
            links[element.get("Id") or ""] = Relationship(element.get("Id") or "", kind, inside)
        return links


def _resolve(folder: str, target: str) -> str:
    target = unquote(target.split("#")[0])
    joined = target if target.startswith("/") else posixpath.join("/", folder, target)
    return posixpath.normpath(joined).lstrip("/")


def local_name(element: Element) -> str:
    """An element's name without its namespace; "" for comments and the like."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
