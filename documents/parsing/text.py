"""Plain text: paragraphs, lists and headings that are underlined, numbered or in capitals."""

import re
from pathlib import Path

from documents.cleaning import clean_characters, is_page_counter
from documents.parsing import media_types, notices
from documents.parsing.assembly import BlockWriter
from documents.parsing.decoding import decode
from documents.parsing.types import BlockKind, ParsedDocument, ParseWarning
from documents.parsing.wording import ends_sentence, is_contents_entry, is_uppercase, legal_rank, list_marker, numbering

_UNDERLINE = re.compile(r"^\s*(={3,}|-{3,}|~{3,}|\*{3,}|_{3,})\s*$")
_UNDERLINE_LEVEL = {"=": 1, "-": 2, "~": 3, "*": 1, "_": 2}
_WRAPPED = 45  # characters: paragraphs whose lines are longer than this were wrapped by an editor
_LONGEST_HEADING = 100


def parse_text(path: Path) -> ParsedDocument:
    """Blocks of a plain text file in any common encoding."""
    decoded = decode(path.read_bytes())
    writer = BlockWriter()
    for group in _groups(clean_characters(decoded.text)):
        _write_group(group, writer)
    warnings: tuple[ParseWarning, ...] = ()
    if decoded.is_guess and decoded.encoding != "cp1252":
        warnings = (notices.warning("encoding_guessed", encoding=decoded.encoding),)
    first = next((block.text for block in writer.blocks if block.kind is BlockKind.HEADING), "")
    return ParsedDocument(media_types.PLAIN, tuple(writer.blocks), title=first, warnings=warnings)


def _groups(text: str) -> list[list[str]]:
    """Lines between empty lines, indentation kept."""
    groups: list[list[str]] = [[]]
    for line in text.split("\n"):
        if not line.strip():
            groups.append([])
        elif not is_page_counter(line):
            groups[-1].append(line.rstrip())
    return [group for group in groups if group]


def _write_group(lines: list[str], writer: BlockWriter) -> None:
    if len(lines) >= 2 and _UNDERLINE.match(lines[1]) and not _UNDERLINE.match(lines[0]):
        writer.heading(lines[0], _UNDERLINE_LEVEL[lines[1].strip()[0]], locator=_place(writer))
        lines = lines[2:]
    elif not lines[0].startswith(("  ", "\t")):
        level = _heading_level(lines[0].strip(), stands_alone=len(lines) == 1)
        if level:
            writer.heading(lines[0], level, locator=_place(writer))
            lines = lines[1:]
    for kind, text in _pieces([line for line in lines if not _UNDERLINE.match(line)]):
        writer.add(kind, text, level=1 if kind is BlockKind.LIST_ITEM else None, locator=_place(writer))


def _heading_level(line: str, *, stands_alone: bool) -> int:
    """Level of a line that is a heading by its wording, else 0."""
    if len(line) > _LONGEST_HEADING or line.endswith((".", ",", ";", "…")) or is_contents_entry(line):
        return 0
    rank = legal_rank(line)
    if rank and (stands_alone or is_uppercase(line)):
        return rank
    number = numbering(line)
    if number and stands_alone and not ends_sentence(line):
        return number.depth
    if is_uppercase(line) and len(line) <= 80 and not list_marker(line):
        return 1
    return 0


def _pieces(lines: list[str]) -> list[tuple[BlockKind, str]]:
    """List items and paragraphs; wrapped lines are joined, short lines of a poem or an address keep their breaks."""
    pieces: list[tuple[BlockKind, list[str]]] = []
    for line in lines:
        if list_marker(line.strip()):
            pieces.append((BlockKind.LIST_ITEM, [line.strip()]))
        elif pieces and (pieces[-1][0] is BlockKind.PARAGRAPH or line.startswith((" ", "\t"))):
            pieces[-1][1].append(line.strip())
        else:
            pieces.append((BlockKind.PARAGRAPH, [line.strip()]))
    return [(kind, _joined(kind, parts)) for kind, parts in pieces]


def _joined(kind: BlockKind, lines: list[str]) -> str:
    wrapped = kind is BlockKind.LIST_ITEM or (
        len(lines) > 1 and sum(map(len, lines[:-1])) / (len(lines) - 1) >= _WRAPPED
    )
    return (" " if wrapped else "\n").join(lines)


def _place(writer: BlockWriter) -> dict[str, str]:
    path = writer.heading_path
    return {"section": path[-1]} if path else {}
