"""Chosen sentences, rows and steps written as an answer with its markers and quotes. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from retrieval.types import Passage
from tutor.allergens import allergens_in, is_said_in, speaks_of_allergens
from tutor.asking import Wanted, wanted_by
from tutor.grounding import QUOTE_WORDS, Source, clip_quote
from tutor.leaning import leans_back
from tutor.price_lists import is_priced
from tutor.ruling_headings import ruling_headings
from tutor.sections import heading_path_at, is_merged
from tutor.units import Unit, UnitKind
from tutor.wording import compact, stems, word_count

UNIT_WORDS = 75
ROW_WORDS = 45
NAMED_ROWS = 3  # of a table; in a longer run the names of its columns would only be repeated
HEADING_WORDS = 12  # of one that says what a sentence is about
WIDE_QUOTE_WORDS = 76  # what a quote of a short paragraph may grow to

_NUMBER = re.compile(r"^(?:[A-Z]?\d+(?:\.\d+)*\s*[.)\-–:]*\s+)(?=\S)")

# What marks questions and answers in a list of them: «P: ¿Se puede fumar?», «R: No».
_LETTER = re.compile(r"^[PQRA](?: ?\d+)?: +")
_LABELLED = re.compile(r"[^:.]{3,40}: .{1,60}")  # of a short section, like its neighbours': «Temperatura: 3-5 °C»
_NAME = re.compile(r"(?=.*[^\W\d_])\D+", re.DOTALL)  # words without a number: «3 años» names nothing


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer with markers, and the sources its markers number. Empty when there was nothing to choose
    from.
    """

    text: str
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Units of one paragraph, list or table that are shown together under one source, in order.

    `passage` is an index; `focus` the unit that answers best.
    """

    passage: int
    units: tuple[Unit, ...]
    focus: Unit
    lead: Unit | None = None
    outer_leads: tuple[Unit, ...] = ()  # what introduces the lead, where that is an item itself; the outermost first
    in_steps: bool = False
    begins_before: bool = False  # the document's list or table has more before what is shown
    goes_on: bool = False  # and behind it
    is_brief: bool = False  # of rows about allergens only what is asked about
    beside: tuple[Unit, ...] = ()  # what its passage says of a table's rows, shown below them and cited with them

    @property
    def all_units(self) -> tuple[Unit, ...]:
        return self.units if self.lead is None else (self.lead, *self.units)


class DraftWriter:
    """Writes parts of `passages`, whose relevances are given, for one question."""

    def __init__(self, question: str, passages: Sequence[Passage], relevances: Sequence[float]) -> None:
        self._question = question
        self._asks_price = wanted_by(question) is Wanted.MONEY
        self._passages = passages
        self._relevances = relevances

    def write(self, parts: Sequence[Part]) -> Draft:
        """The parts in the order given, each under a source of its own, numbered from 1."""
        sources, texts = [], []
        for number, part in enumerate(parts, start=1):
            passage = self._passages[part.passage]
            quote, focus = _quote(passage.text, part)
            sources.append(Source(number, passage, self._relevances[part.passage], quote, focus))
            texts.append((part, "\n".join(self._lines(part, f"[Fuente {number}]"))))
        return Draft(_joined(texts), tuple(sources))

    def _lines(self, part: Part, marker: str) -> Iterator[str]:
        kind = part.focus.kind
        lead = self._lead_text(part) if kind is UnitKind.ITEM else ""
        if lead:
            yield f"{_one_line(lead)} {marker}"
            yield ""
        elif kind is not UnitKind.SENTENCE and (about := self._subject(part).strip()):
            yield about
            yield ""
        if part.begins_before:
            yield "…"
            yield ""
        if kind is UnitKind.ROW:
            for unit in part.units:
                yield f"- {self.shown(unit, len(part.units), is_brief=part.is_brief)} {marker}"
        elif kind is UnitKind.ITEM:
            items = [list(units) for _, units in groupby(part.units, key=lambda unit: unit.paragraph)]
            for position, units in enumerate(items, start=1):
                mark = f" {marker}" if not lead and (position == len(items) or not part.in_steps) else ""
                yield f"{_bullet(units[0])} {self._item(part, units)}{mark}"
        elif len(part.units) > 1 and all(is_priced(unit.text) for unit in part.units):
            for unit in part.units:
                yield f"- {_described(unit.text)} {marker}"
        else:
            about = self._subject(part)
            is_reply = part.lead is not None and part.lead.kind is UnitKind.QUESTION
            texts = [_LETTER.sub("", unit.text) if is_reply else unit.text for unit in part.units]
            yield " ".join(f"{about if not at else ''}{_described(text)} {marker}" for at, text in enumerate(texts))
        if part.goes_on:
            yield ""
            yield "…"
        if part.beside:
            yield ""
            yield " ".join(f"{_described(unit.text)} {marker}" for unit in part.beside)

    def _item(self, part: Part, units: Sequence[Unit]) -> str:
        """The sentences of one item, with «…» for those between that are left out."""
        text = self._passages[part.passage].text
        written = _described(units[0].words)
        for before, unit in pairwise(units):
            gap = " … " if text[before.end : unit.start].strip() else " "
            written += gap + _described(unit.text)
        return written

    def _subject(self, part: Part) -> str:
        """The heading, written before a sentence that leaves out what it is about; empty where that is said. Before one
        that answers a question of the document, that question, unless it is the one that was asked.
        """
        first = part.units[0]
        if part.lead is not None and part.lead.kind is UnitKind.QUESTION:
            is_asked = stems(_LETTER.sub("", part.lead.text)) == stems(self._question)
            return "" if is_asked else f"{_one_line(_LETTER.sub('', part.lead.text))} "
        if ruled := self.ruled_by(part.passage, first):
            return ruled
        if first.kind is UnitKind.ROW:
            return ""
        is_labelled = is_merged(self._passages[part.passage]) and _LABELLED.fullmatch(first.text) is not None
        if not leans_back(first.text) and not (is_labelled and first.kind is UnitKind.SENTENCE):
            return ""
        heading = _NUMBER.sub("", self._heading(part)).strip(" .:")
        if not heading or word_count(heading) > HEADING_WORDS or stems(heading) <= stems(first.text):
            return ""
        return _before(heading)

    def ruled_by(self, passage: int, unit: Unit, leads: Sequence[Unit] = ()) -> str:
        """The headings to be written before a unit, or before what introduces it, that reads as the contrary of what
        they say without them.
        """
        if any(lead.kind is UnitKind.QUESTION for lead in leads):
            return ""
        said = " ".join(lead.text for lead in leads)
        path = heading_path_at(self._passages[passage], unit.start)
        if len(path) > 1 and compact(path[0]) == compact(self._passages[passage].document_title):
            path = path[1:]  # «Control de producto no conforme» is the name of the manual
        return "".join(
            _before(heading)
            for one in ruling_headings(
                path,
                unit.kind,
                unit.text if unit.kind is UnitKind.SENTENCE else said,
                asks_price=self._asks_price,
            )
            if (heading := _NUMBER.sub("", one).strip(" .:"))
        )

    def _lead_text(self, part: Part) -> str:
        """What introduces a list: what stands before it, with what introduces that, or a heading that ends with
        a colon («Se excluyen:»). No number of an item stands within it.
        """
        if part.lead is not None:
            first, *others = (*part.outer_leads, part.lead)
            ruled = self.ruled_by(part.passage, part.units[0], (first, *others))
            return ruled + shortened(" ".join((first.text, *(unit.words for unit in others))))
        heading = self._heading(part)
        return self.ruled_by(part.passage, part.units[0]) or heading if heading.endswith(":") else ""

    def _heading(self, part: Part) -> str:
        """The heading of the section that a part is from; empty without any."""
        return "".join(heading_path_at(self._passages[part.passage], part.units[0].start)[-1:])

    def shown(self, unit: Unit, count: int, *, is_brief: bool = False) -> str:
        """A row as it is shown among so many. A «No» always says of what, where somebody's allergy hangs on it."""
        if count <= NAMED_ROWS or any(map(speaks_of_allergens, unit.header)):
            return self.row(unit, is_brief=is_brief)
        return "; ".join(filter(None, unit.cells))

    def row(self, unit: Unit, *, is_brief: bool = False) -> str:
        """A row as «Cosa — Columna: valor; …»; of a wide one the first cell and those the question asks about
        are kept. What its first column is called goes unsaid where words stand in it: they name what the row is about.
        All that it says of allergens asked about is kept, be it that it says nothing; a brief one says no more.
        """
        header = unit.header or ("",) * len(unit.cells)
        wanted = stems(self._question)
        is_named = bool(unit.cells[1:]) and _NAME.fullmatch(unit.cells[0]) is not None
        cells = unit.cells + ("",) * (len(header) - len(unit.cells))
        decides = {
            at
            for at, (name, cell) in enumerate(zip(header, cells, strict=False))
            if at and (self._decides(name, header) or self._decides(cell, header))
        }
        fields = [
            (position, f"{name}: {cell or '–'}" if name and name != cell and (position or not is_named) else cell)
            for position, (name, cell) in enumerate(zip(header, cells, strict=False))
            if (cell or position in decides) and (position == 0 or not is_brief or position in decides)
        ]
        by_need = sorted(
            fields,
            key=lambda field: (
                field[0] > 0 and field[0] not in decides,
                field[0] > 0 and wanted.isdisjoint(stems(field[1])),
                field[0],
            ),
        )
        kept, room = [], ROW_WORDS
        for position, text in by_need:
            text = _clipped(text, max(room, ROW_WORDS) if position in decides else room)
            if text:
                kept.append((position, text))
                room -= word_count(text)
        first, *others = [text for _, text in sorted(kept)] or [""]
        if len(kept) < len(fields) and any(map(speaks_of_allergens, header)):
            others.append("…")  # who reads of three allergens must not think that there are no more
        if not others:
            return first
        return f"{first}{' — ' if is_named else '; '}{'; '.join(others)}"

    def _decides(self, column: str, header: Sequence[str]) -> bool:
        """Whether a column says something of the allergens that the question names, or of all where it names none."""
        if not speaks_of_allergens(self._question) or not speaks_of_allergens(column):
            return False
        named = allergens_in(column)
        asked = [one for one in allergens_in(self._question) if any(is_said_in(one, allergens_in(it)) for it in header)]
        return not named or not asked or any(is_said_in(one, named) for one in asked)


def _before(heading: str) -> str:
    """A heading as it is written before what stands below it."""
    return f"{_one_line(heading)} " if heading[-1] in "?!" else f"{_one_line(heading)}: "


def _bullet(unit: Unit) -> str:
    if not unit.marker:
        return "-"
    return f"{unit.marker}." if unit.marker.isdigit() else f"- {unit.marker})"


def _described(text: str) -> str:
    """A sentence or item on one line, what describes a thing behind a colon."""
    name, _, description = shortened(text).partition("\n")
    if description and is_priced(name):
        return f"{name.strip()}: {_one_line(description)}"
    return _one_line(f"{name}\n{description}")


def _joined(texts: Sequence[tuple[Part, str]]) -> str:
    """Sentences of one passage run on; lists and other passages begin anew."""
    answer = ""
    for position, (part, text) in enumerate(texts):
        if position:
            before = texts[position - 1][0]
            runs_on = part.focus.kind is before.focus.kind is UnitKind.SENTENCE and before.passage == part.passage
            answer += " " if runs_on else "\n\n"
        answer += text
    return answer


def _quote(text: str, part: Part) -> tuple[str, str]:
    """What the source quotes, and its telling part: the paragraph, row or list item that answers, with the one behind
    or before it where a quote holds both.
    """
    units = part.all_units
    focus = clip_quote(part.focus.text)
    together = _run_of(units, part.focus, text)
    start, end = min(unit.paragraph[0] for unit in together), max(unit.paragraph[1] for unit in together)
    if part.focus.kind is UnitKind.ROW and word_count(text[start:end]) <= QUOTE_WORDS:
        return text[start:end], focus
    start, end = _line_around(text, part.focus)
    if word_count(text[start:end]) <= QUOTE_WORDS:
        return _widened(text, start, end), focus
    at = units.index(part.focus)
    for first in range(at + 1):
        for last in range(len(units) - 1, at - 1, -1):
            candidate = text[units[first].start : units[last].end]
            if word_count(candidate) <= QUOTE_WORDS and "\n" not in candidate:
                return candidate, focus
    return focus, focus


def _run_of(units: Sequence[Unit], focus: Unit, text: str) -> Sequence[Unit]:
    """The units around one of them with nothing else of the text between: a quote of the rows without nuts holds no row
    that has them.
    """
    at = units.index(focus)
    first = last = at
    while first > 0 and not text[units[first - 1].end : units[first].start].strip():
        first -= 1
    while last + 1 < len(units) and not text[units[last].end : units[last + 1].start].strip():
        last += 1
    return units[first : last + 1]


def _line_around(text: str, focus: Unit) -> tuple[int, int]:
    """Where the paragraph or item of a unit begins and ends: the lines that it stands on."""
    start = text.rfind("\n", 0, focus.start) + 1
    end = text.find("\n", focus.end)
    return start, len(text) if end < 0 else end


def _widened(text: str, start: int, end: int) -> str:
    """A short paragraph with the one behind it, else the one before it, where a quote holds both whole: a rule and its
    exception often stand in two. The next question of the document is neither.
    """
    behind = re.compile(r"\n+(?!\W*¿)[^\n|]+(?=\n|$)").match(text, end)  # bars part a table's cells
    if behind is not None and word_count(text[start : behind.end()]) <= WIDE_QUOTE_WORDS:
        return text[start : behind.end()].strip()
    before = re.search(r"(?:^|(?<=\n))[^\n|]+\n+$", text[:start])
    if before is not None and word_count(text[before.start() : end]) <= WIDE_QUOTE_WORDS:
        return text[before.start() : end].strip()
    return text[start:end].strip()


def shortened(text: str) -> str:
    """A sentence or item as an answer shows it: one of more than 75 words is cut."""
    return _clipped(text, UNIT_WORDS)


def _clipped(text: str, words: int) -> str:
    if words <= 0:
        return ""
    clipped = clip_quote(text, words)
    return clipped if clipped == text.strip() else clipped.rstrip(" ,;:") + "…"


def _one_line(text: str) -> str:
    return " ".join(text.split())
