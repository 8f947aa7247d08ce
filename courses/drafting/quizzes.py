"""Quiz items made from tables, numbered steps, figures, terms and articles of a lesson's own text. Pure functions.

Each has exactly one right answer, read off the passage it names; wrong answers come from the same document. What could
be read two ways makes no item.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from courses.drafting.definitions import definitions_in
from courses.drafting.figure_items import figure_items
from courses.drafting.items import OPTIONS, DraftedItem, says_too, shuffled
from courses.drafting.misreadings import casing_of
from courses.drafting.step_items import step_items
from courses.drafting.table_items import table_items
from courses.drafting.titles import Casing
from documents.parsing.types import Block, BlockKind

MAX_ITEMS = 3
TOPIC_WORDS = 3  # «Disposiciones generales» names nothing that could be asked about

_LABELLED = re.compile(r"^(art[ií]culo\s+\d+[°º]?(?:\s(?:bis|ter))?)[.:]\s*[-–—]?\s*\(?(.+?)\)?\.?$", re.IGNORECASE)


def draft_items(
    blocks: Sequence[Block],
    document: Sequence[Block],
    *,
    casing: Casing | None = None,
    limit: int = MAX_ITEMS,
) -> list[DraftedItem]:
    """Up to `limit` items on a lesson's blocks, of different kinds first. `document` gives the wrong answers.

    What an article is about is asked only where there is nothing better: it tells if a person knows their way about.
    `casing` is the document's, where it is at hand. Nothing is asked about what may have been read wrong.
    """
    casing = casing or casing_of(document)
    every = blocks
    blocks = [block for block in blocks if not casing.spelling.is_doubtful(block.text)]
    sources = [
        step_items(every, casing),  # and no step of theirs is left out
        table_items(blocks, casing),
        figure_items(blocks, document, casing),
        _definition_items(blocks, document),
    ]
    items: list[DraftedItem] = []
    asked: set[str] = set()
    while sources and len(items) < limit:
        for source in list(sources):  # one of each kind in turn
            item = next(source, None)
            if item is None:
                sources.remove(source)
            elif item.question not in asked and len(items) < limit:
                asked.add(item.question)
                items.append(item)
    return items or list(islice(_article_items(blocks, document), min(limit, 1)))


# --- what something is said to be


def _definition_items(blocks: Sequence[Block], document: Sequence[Block]) -> Iterator[DraftedItem]:
    known: list[str] | None = None  # read off the whole document only where something is defined
    for one in definitions_in(blocks):
        known = [other.term for other in definitions_in(document)] if known is None else known
        if one.term not in known:
            continue
        wrong = _nearest(known, known.index(one.term), OPTIONS - 1)
        if len(wrong) < 2:
            continue
        options, right = shuffled(one.term, wrong)
        block = one.block
        yield DraftedItem(
            "single_choice",
            f"¿Qué se describe así? «{one.said}»",
            options,
            (right,),
            block.heading_path,
            block.page,
            one.sentence,
        )


def _nearest(names: Sequence[str], at: int, count: int) -> list[str]:
    """The names that stand nearest to one of them, in reading order."""
    others = sorted((other for other in range(len(names)) if other != at), key=lambda other: (abs(other - at), other))
    return [names[other] for other in sorted(others[:count])]


# --- articles and what they are about


def _article_items(blocks: Sequence[Block], document: Sequence[Block]) -> Iterator[DraftedItem]:
    topics = {match[1]: match[2] for block in document if (match := _article(block)) is not None}
    for block in blocks:
        match = _article(block)
        is_vague = match is not None and len(match[2].split()) < TOPIC_WORDS
        if match is None or is_vague or list(topics.values()).count(match[2]) > 1:
            continue
        near = sorted(
            (name for name in topics if name != match[1]), key=lambda name: abs(_number(name) - _number(match[1]))
        )
        wrong = [topics[name] for name in near if not says_too(topics[name], match[2])][: OPTIONS - 1]
        if len(wrong) < OPTIONS - 1:
            continue
        options, right = shuffled(match[2], wrong)
        question = f"¿De qué trata el {match[1][:1].lower()}{match[1][1:]}?"
        yield DraftedItem("single_choice", question, options, (right,), block.heading_path, block.page, block.text)


def _article(block: Block) -> re.Match[str] | None:
    return _LABELLED.match(block.text) if block.kind is BlockKind.HEADING else None


def _number(name: str) -> int:
    return int(re.findall(r"\d+", name)[0])
