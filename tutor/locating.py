"""Where in a document a quote stands: its page, its section and its place on the page. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tutor.wording import word_key


@dataclass(frozen=True, slots=True)
class Place:
    """`locator` is that of the quoted blocks: for PDF {"rects": [[x0, y0, x1, y1], …]} on `page`."""

    page: int | None
    heading_path: tuple[str, ...]
    locator: dict[str, Any]


def find_place(
    quote: str,
    focus: str,
    blocks: Sequence[Mapping[str, Any]],
    *,
    pages: tuple[int | None, int | None],
    heading_path: Sequence[str],
) -> Place | None:
    """The place of `quote` among a version's blocks, as stored; its page is that of the block that holds
    `focus`.

    Only blocks on the pages from `pages[0]` to `pages[1]` count. Of several that hold the words, the first
    one under `heading_path` is taken. None when no block holds them.
    """
    near = [block for block in blocks if _is_within(block.get("page"), pages) and block["kind"] != "heading"]
    keys = [word_key(block["text"]) for block in near]
    quote_key, focus_key = word_key(quote), word_key(focus)
    found = [index for index, key in enumerate(keys) if _holds(key, focus_key)]
    if not found:
        found = [index for index, key in enumerate(keys) if _overlaps(key, focus_key)]
    if not found:
        return None
    path = list(heading_path)
    index = min(found, key=lambda at: (list(near[at].get("heading_path") or ())[: len(path)] != path, at))
    main = near[index]
    quoted = [near[at] for at in _run(keys, index, quote_key) if near[at].get("page") == main.get("page")]
    return Place(main.get("page"), tuple(main.get("heading_path") or ()), _locator(main, quoted))


def standing_quote(quote: str, focus: str, blocks: Sequence[Mapping[str, Any]]) -> str:
    """The quote where its words follow each other in the document, else its telling part.

    A passage that goes on with a long list or table repeats what introduces it; together they stand nowhere.
    """
    document = " ".join(key for block in blocks if (key := word_key(block["text"])))
    return quote if not document or _holds(document, word_key(quote)) else focus


def place_of_chunk(page: int | None, locator: Mapping[str, Any], heading_path: Sequence[str]) -> Place:
    """The place of a whole chunk, for a quote whose block is not known. `locator` is the chunk's, rectangles
    by page.
    """
    rects = locator.get("rects")
    if isinstance(rects, Mapping):
        return Place(page, tuple(heading_path), {"rects": list(rects.get(str(page), []))})
    return Place(page, tuple(heading_path), dict(locator))


def _is_within(page: int | None, pages: tuple[int | None, int | None]) -> bool:
    first, last = pages
    return page is None or first is None or first <= page <= (last or first)


def _holds(key: str, wanted: str) -> bool:
    return bool(wanted) and f" {wanted} " in f" {key} "


def _overlaps(key: str, wanted: str) -> bool:
    """Whether a block is a telling part of words that run over several blocks."""
    return len(key) >= 20 and _holds(wanted, key)


def _run(keys: Sequence[str], index: int, quote_key: str) -> Iterator[int]:
    """The indexes of the blocks around `index` that the quote runs over."""
    first = last = index
    while first > 0 and _holds(quote_key, keys[first - 1]):
        first -= 1
    while last + 1 < len(keys) and _holds(quote_key, keys[last + 1]):
        last += 1
    return iter(range(first, last + 1))


def _locator(main: Mapping[str, Any], quoted: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    locator = dict(main.get("locator") or {})
    if "rects" in locator:
        locator["rects"] = [rect for block in quoted for rect in (block.get("locator") or {}).get("rects", [])]
    return locator
