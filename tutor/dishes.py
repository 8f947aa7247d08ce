"""The rows of a menu that a question wants for what dishes have or lack, all of them. Pure.

Who reads some of the dishes takes the others for what they are not.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from tutor.choices import (
    LIST_WORDS,
    MAX_ROWS,
    MAX_SENTENCES,
    MAX_WORDS,
    OTHER_PASSAGE_MARGIN,
    SAME_PASSAGE_MARGIN,
    SOURCES_A_DOCUMENT,
    Choices,
    is_among,
)
from tutor.drafting import DraftWriter, Part
from tutor.leaning import follows_from
from tutor.scoring import Choice
from tutor.units import UnitKind
from tutor.wording import word_count


def dish_parts(choices: Choices, best: Choice) -> list[Part]:
    """The tables with the rows asked for, that of the best row first, then those whose best one scores nearly as much;
    last what else is said of it, be it of traces. What is left out is shown to go on.
    """
    tables = _tables(choices.scored, best)
    near = [table for table in tables if max(row.score for row in table) >= best.score - OTHER_PASSAGE_MARGIN]
    parts = _fitting(sorted(near, key=lambda table: best not in table), choices.writer)
    if len(near) < len(tables):
        parts[-1] = replace(parts[-1], goes_on=True)
    parts = _within_sources(parts, choices.documents)
    return [*parts, *choices.parts(_said_beside(choices, best, parts), best)]


def _tables(choices: Sequence[Choice], best: Choice) -> list[list[Choice]]:
    """The rows asked for, by their table; of those that stand in several the first, and the best one where it is."""
    tables: dict[tuple[int, int], list[Choice]] = {}
    seen = {best.unit.text}
    for one in sorted(choices, key=lambda one: (one.passage != best.passage, one.passage, one.index)):
        # Where all that speaks of it is refused, the others stand beside it: it is not what was wanted.
        is_alike = one.signals["holds_avoided"] <= best.signals["holds_avoided"]
        is_new = one is best or one.unit.text not in seen  # passages may overlap
        if one.signals["of_diet"] and is_alike and is_new:
            seen.add(one.unit.text)
            tables.setdefault((one.passage, one.unit.block), []).append(one)
    return list(tables.values())


def _fitting(tables: Sequence[Sequence[Choice]], writer: DraftWriter) -> list[Part]:
    """Tables as far as they fit, their rows brief where they do not fit otherwise."""
    room = LIST_WORDS
    is_brief = sum(1 + word_count(writer.row(one.unit)) for table in tables for one in table) > room
    parts: list[Part] = []
    for table in tables:
        lengths = [1 + word_count(writer.row(one.unit, is_brief=is_brief)) for one in table]
        fitting = sum(length <= room for length in accumulate(lengths))
        room -= sum(lengths)
        if shown := table[: min(fitting or not parts, MAX_ROWS)]:
            top = max(shown, key=lambda one: one.score)
            goes_on = len(shown) < len(table)
            units = tuple(one.unit for one in shown)
            parts.append(Part(top.passage, units, top.unit, goes_on=goes_on, is_brief=is_brief))
        else:
            parts[-1] = replace(parts[-1], goes_on=True)
    return parts


def _within_sources(parts: Sequence[Part], documents: Sequence[int]) -> list[Part]:
    """The parts but for those that a document has too many of to be cited; that it goes on is shown. `documents` are
    those of the passages.
    """
    kept: dict[int, list[Part]] = {}
    for part in parts:
        of_document = kept.setdefault(documents[part.passage], [])
        if len(of_document) < SOURCES_A_DOCUMENT:
            of_document.append(part)
        else:
            of_document[-1] = replace(of_document[-1], goes_on=True)
    return [part for of_document in kept.values() for part in of_document]


def _said_beside(choices: Choices, best: Choice, parts: Sequence[Part]) -> list[Choice]:
    """What sentences and items say of what was asked, as far as there is room beside the tables."""
    cited = [choices.documents[part.passage] for part in parts]
    room = MAX_WORDS - sum(
        1 + word_count(choices.writer.row(unit, is_brief=part.is_brief)) for part in parts for unit in part.units
    )
    said: list[Choice] = []
    for choice in choices.ranked():
        if (
            len(said) < MAX_SENTENCES - 1
            and choice.unit.kind is not UnitKind.ROW
            and not choice.signals["off_subject"]
            # What another document says of allergens is easily read as said of these dishes.
            and choices.document_of(choice) in cited
            and cited.count(choices.document_of(choice)) < SOURCES_A_DOCUMENT
            and choices.adds(choice, said, least=best.score - SAME_PASSAGE_MARGIN, room=room)
        ):
            said.append(choice)
            said.extend(one for one in _following(choices, choice) if not is_among(one, said))
            cited.append(choices.document_of(choice))
            room -= choices.word_count(choice)
    return said


def _following(choices: Choices, choice: Choice) -> list[Choice]:
    """The next sentence, where it says what follows from one: «Por eso no es apta para celíacos.»"""
    return [
        one
        for one in choices.scored
        if (one.passage, one.index) == (choice.passage, choice.index + 1)
        and one.unit.paragraph == choice.unit.paragraph
        and follows_from(one.unit.text)
    ]
