"""The rows of a menu that a question wants for what dishes have or lack, all of them. Pure.

Who reads some of the dishes takes the others for what they are not.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from tutor.allergen_phrases import warns
from tutor.allergens import allergens_in, is_said_in
from tutor.choices import (
    LIST_WORDS,
    MAX_ROWS,
    MAX_SENTENCES,
    MAX_WORDS,
    OTHER_PASSAGE_MARGIN,
    SAME_PASSAGE_MARGIN,
    SOURCES_A_DOCUMENT,
    Choices,
    group_of,
    is_among,
)
from tutor.drafting import DraftWriter, Part
from tutor.menu_tables import name_of
from tutor.scoring import Choice
from tutor.selecting import said_with
from tutor.units import UnitKind
from tutor.wording import compact, stems, word_count

WARNING_WORDS = 70  # of what warns of the rows shown; the rest is for the rows
BEFORE_NAME = 1  # words before the name of a dish that a sentence is about: «La lasaña»
_OF_ALL = re.compile(r"\b(?:tod[oa]s?|demas|resto|ningun[oa]?|cualquier\w*|nada|frit[oa]s|frituras|platos|productos)\b")


def dish_parts(choices: Choices, best: Choice) -> list[Part]:
    """The tables with the rows asked for, that of the best row first, then those whose best one scores nearly as much;
    last what warns of them, and what else is said, be it of traces. What is left out is shown to go on.
    """
    tables = _tables(choices.scored, best)
    parts = _shown(choices, tables, best, room=LIST_WORDS)
    warnings, is_cut = _warnings(choices, parts)
    if warnings:
        parts = _shown(choices, tables, best, room=LIST_WORDS - sum(map(choices.word_count, warnings)))
    beside = choices.parts(_said_beside(choices, best, parts, warnings), best)
    if is_cut:
        beside[-1] = replace(beside[-1], goes_on=True)
    return _cited_with_tables(parts, beside, choices.documents)


def _shown(choices: Choices, tables: Sequence[Sequence[Choice]], best: Choice, *, room: int) -> list[Part]:
    """The tables that are shown in so many words."""
    near = [table for table in tables if max(row.score for row in table) >= best.score - OTHER_PASSAGE_MARGIN]
    parts = _fitting(sorted(near, key=lambda table: best not in table), choices.writer, room)
    if len(near) < len(tables):
        parts[-1] = replace(parts[-1], goes_on=True)
    return _within_sources(parts, choices.documents)


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


def _fitting(tables: Sequence[Sequence[Choice]], writer: DraftWriter, room: int) -> list[Part]:
    """Tables as far as they fit, their rows brief where they do not fit otherwise."""
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


def _cited_with_tables(tables: Sequence[Part], beside: Sequence[Part], documents: Sequence[int]) -> list[Part]:
    """The tables and what is said beside them. Where those are more than a document's sources, what stands on the
    passage of a table is shown below that and cited with it: nothing is left out that warns of a row.
    """
    shown = list(tables)
    alone = []
    for part in beside:
        document = documents[part.passage]
        sources = sum(documents[one.passage] == document for one in (*shown, *beside))
        at = next((at for at in reversed(range(len(tables))) if tables[at].passage == part.passage), None)
        if at is None or sources <= SOURCES_A_DOCUMENT:
            alone.append(part)
        else:
            goes_on = shown[at].goes_on or part.goes_on
            shown[at] = replace(shown[at], beside=(*shown[at].beside, *part.all_units), goes_on=goes_on)
    return [*shown, *alone]


def _warnings(choices: Choices, parts: Sequence[Part]) -> tuple[list[Choice], bool]:
    """What the document says against eating what a shown row seems to allow, with what it leans on: a sentence on the
    table's passage, or elsewhere in its document one that names what is shown. As far as there is room, first what
    holds for all, then what names a row; and whether any is left out.
    """
    of_tables = {part.passage for part in parts}
    documents = {choices.documents[passage] for passage in of_tables}
    shown = [stems(name_of(unit)) for part in parts for unit in part.units]
    found: list[tuple[tuple[bool, bool, bool], list[Choice]]] = []
    for one in choices.scored:
        is_beside = one.passage in of_tables
        is_off_subject = bool(one.signals["off_subject"])
        is_said = one.unit.kind is not UnitKind.ROW and choices.document_of(one) in documents
        # Beside its table, «todo se fríe en la misma freidora» speaks of a dish that it does not name.
        if not is_said or (is_off_subject and not is_beside) or not warns(one.unit.text):
            continue
        if is_off_subject and _is_of_other_allergen(choices.question, one.unit.text):
            continue
        told = [one, *said_with(choices, one)]
        words = stems(" ".join(it.unit.text for it in told))
        names_shown = any(name and name <= words for name in shown)
        if names_shown or (is_beside and not _is_of_other_dish(choices, told)):
            is_of_all = is_beside and _OF_ALL.search(compact(one.unit.text)) is not None
            found.append(((not is_of_all, not names_shown, is_off_subject), told))
    warnings: list[Choice] = []
    room, is_cut = WARNING_WORDS, False
    for _, told in sorted(found, key=lambda one: one[0]):
        texts = {compact(it.unit.text) for it in warnings}  # passages may overlap
        new = [it for it in told if not is_among(it, warnings) and compact(it.unit.text) not in texts]
        length = sum(map(choices.word_count, new))
        if length <= room or not warnings:
            warnings.extend(new)
            room -= length
        else:
            is_cut = True
    return warnings, is_cut


def _is_of_other_allergen(question: str, text: str) -> bool:
    """Whether a text names allergens, and none that the question does."""
    asked, named = allergens_in(question), allergens_in(text)
    return bool(asked and named) and not any(is_said_in(one, named) for one in asked)


def _is_of_other_dish(choices: Choices, told: Sequence[Choice]) -> bool:
    """Whether sentences begin with a dish of their passage's tables and speak of it alone: «La lasaña no es apta»."""
    if any(_OF_ALL.search(compact(one.unit.text)) for one in told):
        return False
    rows = (it for it in choices.units[told[0].passage] if it.kind is UnitKind.ROW)
    names = [(name, len(name_of(row).split())) for row in rows if (name := stems(name_of(row)))]
    return any(
        name <= stems(" ".join(one.unit.text.split()[: length + BEFORE_NAME])) for one in told for name, length in names
    )


def _said_beside(choices: Choices, best: Choice, parts: Sequence[Part], warnings: Sequence[Choice]) -> list[Choice]:
    """The warnings, and what other sentences and items say of what was asked, as far as there is room beside the
    tables.
    """
    cited = {(part.passage, part.focus.block, -1) for part in parts} | set(map(group_of, warnings))
    room = MAX_WORDS - sum(map(choices.word_count, warnings))
    room -= sum(1 + word_count(choices.writer.row(unit, is_brief=one.is_brief)) for one in parts for unit in one.units)
    said = list(warnings)
    count = 0
    for choice in choices.ranked():
        of_document = {group for group in cited if choices.documents[group[0]] == choices.document_of(choice)}
        if (
            count < MAX_SENTENCES - 1
            and choice.unit.kind is not UnitKind.ROW
            and not choice.signals["off_subject"]
            # What another document says of allergens is easily read as said of these dishes.
            and of_document
            and len(of_document | {group_of(choice)}) <= max(SOURCES_A_DOCUMENT, len(of_document))
            and choices.adds(choice, said, least=best.score - SAME_PASSAGE_MARGIN, room=room)
        ):
            told = [one for one in (choice, *said_with(choices, choice)) if not is_among(one, said)]
            said.extend(told)
            cited.add(group_of(choice))
            count += 1
            room -= sum(map(choices.word_count, told))
    return said
