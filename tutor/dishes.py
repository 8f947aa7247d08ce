"""The rows of a menu that a question wants for what dishes have or lack, all of them. Pure.

Who reads some of the dishes takes the others for what they are not.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from tutor.drafting import DraftWriter, Part
from tutor.scoring import Choice
from tutor.wording import word_count


def dish_parts(
    choices: Sequence[Choice], best: Choice, writer: DraftWriter, *, words: int, rows: int, margin: float
) -> list[Part]:
    """The tables with the rows asked for, that of the best choice first, then those whose best row scores at most
    `margin` less; up to so many words in all, and rows a table. What is left out is shown to go on.
    """
    tables: dict[tuple[int, int], list[Choice]] = {}
    seen: set[str] = set()
    for one in sorted(choices, key=lambda one: (one.passage != best.passage, one.passage, one.index)):
        # Where all that speaks of it is refused, the others stand beside it: it is not what was wanted.
        is_alike = one.signals["holds_avoided"] <= best.signals["holds_avoided"]
        if one.signals["of_diet"] and is_alike and one.unit.text not in seen:  # passages may overlap
            seen.add(one.unit.text)
            tables.setdefault((one.passage, one.unit.block), []).append(one)
    near = [table for table in tables.values() if max(row.score for row in table) >= best.score - margin]
    parts = _fitting(sorted(near, key=lambda table: best not in table), writer, words, rows)
    if len(near) < len(tables):
        parts[-1] = replace(parts[-1], goes_on=True)
    return parts


def within_sources(parts: Sequence[Part], documents: Sequence[int], *, sources: int) -> list[Part]:
    """The parts but for those that a document has too many of to be cited; that it goes on is shown. `documents` are
    those of the passages.
    """
    kept: dict[int, list[Part]] = {}
    for part in parts:
        of_document = kept.setdefault(documents[part.passage], [])
        if len(of_document) < sources:
            of_document.append(part)
        else:
            of_document[-1] = replace(of_document[-1], goes_on=True)
    return [part for of_document in kept.values() for part in of_document]


def _fitting(tables: Sequence[Sequence[Choice]], writer: DraftWriter, room: int, rows: int) -> list[Part]:
    """Tables as far as they fit, their rows brief where they do not fit otherwise."""
    is_brief = sum(1 + word_count(writer.row(one.unit)) for table in tables for one in table) > room
    parts: list[Part] = []
    for table in tables:
        lengths = [1 + word_count(writer.row(one.unit, is_brief=is_brief)) for one in table]
        fitting = sum(length <= room for length in accumulate(lengths))
        room -= sum(lengths)
        if shown := table[: min(fitting or not parts, rows)]:
            top = max(shown, key=lambda one: one.score)
            goes_on = len(shown) < len(table)
            units = tuple(one.unit for one in shown)
            parts.append(Part(top.passage, units, top.unit, goes_on=goes_on, is_brief=is_brief))
        elif not parts[-1].goes_on:
            parts[-1] = replace(parts[-1], goes_on=True)
    return parts
