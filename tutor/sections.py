"""Which section of its document a place in a passage is from: small sections share a passage. Pure."""

from collections.abc import Sequence

from retrieval.types import Passage


def heading_path_at(passage: Passage, position: int) -> tuple[str, ...]:
    """The headings above a place in a passage's text, from the top."""
    starts = [one for one in passage.locator.get("sections", ()) if one["start"] <= position]
    return tuple(starts[-1]["heading_path"]) if starts else passage.heading_path


def headings_of(passage: Passage) -> Sequence[str]:
    """All headings that a passage stands below, whole or in part; lines of its text repeat some of them. A line with a
    full stop that was taken for one says something itself.
    """
    merged = (heading for one in passage.locator.get("sections", ()) for heading in one["heading_path"])
    return tuple(dict.fromkeys((*passage.heading_path, *(one for one in merged if not one.rstrip().endswith(".")))))


def is_merged(passage: Passage) -> bool:
    """Whether a passage is made of several sections."""
    return bool(passage.locator.get("sections"))
