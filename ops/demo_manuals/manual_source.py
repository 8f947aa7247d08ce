"""Manual sources: Markdown with a small header, and a list of changes that makes a later edition."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Self

BRAND = "Valdemirlo"
BRAND_LINE = "Valdemirlo, ultramarinos y café"


@dataclass(frozen=True, slots=True)
class ManualSource:
    """One manual: what its cover says, and its body in Markdown (chapters are `##`)."""

    title: str
    edition: str
    valid_from: str
    owner: str
    audience: str
    body: str

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Raises: ValueError, when the header between the two `---` lines is missing or incomplete."""
        try:
            _, header, body = text.split("---\n", 2)
            fields = dict(line.split(": ", 1) for line in header.strip().splitlines())
            return cls(body=body.strip() + "\n", **fields)
        except (ValueError, TypeError) as error:
            raise ValueError(f"Manual without a complete header: {error}") from error


def read_source(path: Path, changes: Path | None = None) -> ManualSource:
    """The manual at `path`, with the changes of a later edition applied when a file of them is given."""
    text = path.read_text(encoding="utf-8")
    if changes is not None:
        text = _apply(text, changes)
    return ManualSource.from_text(text)


def _apply(text: str, changes: Path) -> str:
    for change in tomllib.loads(changes.read_text(encoding="utf-8"))["change"]:
        found = text.count(change["old"])
        if found != 1:
            raise ValueError(f"{changes.name}: {change['old'][:60]!r} stands {found} times, not once")
        text = text.replace(change["old"], change["new"])
    return text
