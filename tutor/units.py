"""A passage cut into what an answer can be made of: sentences, list items with their lead-in, table rows with
their header; each with the question before it that it answers, in documents that ask themselves. Pure.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from documents.sentences import sentence_spans
from tutor.price_lists import is_description, is_name, is_price, is_priced, price_before
from tutor.wording import word_count

LONGEST_ITEM = 60  # words: a longer list item or question-and-answer pair is taken sentence by sentence

_BULLET = r"[-*•·▪◦‣○–—\u2212]"
_NUMBER = r"\(?(?P<number>\d{1,3}|[a-zñ]|[ivx]{1,4})(?:[.)]|\.-|\.?[ºª])"
# Whoever made the list may have put a mark of their own before that of the text: «- a) …», «- – …».
_ITEM_MARK = re.compile(rf"\s*(?:(?:{_BULLET}\s+)?{_NUMBER}|{_BULLET}(?:\s+{_BULLET})?)\s+", re.IGNORECASE)
# «- No se permite: - Fumar.»: an item repeated before one of those that it introduces.
_REPEATED_ABOVE = re.compile(rf"(?<=:)\s+(?={_BULLET}\s+[^\W\d_])")
FOLLOWS_QUESTION = 2  # paragraphs, lists or tables behind the one of a question that may still answer it
# «¿Se puede aparcar?», «P: ¿Se puede aparcar?», «And what about my dog?», but not «Di: «¿Qué desea?»».
_QUESTION = re.compile(r"(?:[\W\d_]*\b\w{1,9}\s*\d*\s*[.:)–-]\s*)?(?:[^¿?.:;«\"“]*¿)?[^¿?.:;«\"“]{3,}\?[\s)*_]*")
_BAR = re.compile(r"\s\|(?=\s|$)")  # two in a row have an empty cell between them
_TABLE_RULE = re.compile(r"[\s|:\-–]+")


LONGEST_SUPPORT = 10  # words of an item that is weighed with those that it introduces
LONGEST_LINE = 12  # words of a line, announced by the sentence before it, that is no sentence
# «con el siguiente comando.», «se escribe lo siguiente»
_ANNOUNCES = re.compile(
    r"\b(?:(?:el|la|lo|los|las|un|una)\s+siguientes?(?:\s+[\w«»\"']+){0,4}|a\s+continuaci[oó]n)\s*[.:]?$", re.IGNORECASE
)
_COMMAND = re.compile(r"(?=[a-z$#./~])(?:sudo\s|\S+\s+(?:\S+\s+)*-{1,2}\w|[$#]\s|\.{0,2}/\w)")
_CAPTION = re.compile(r"(?:figura|tabla|cuadro|gr[aá]fico)?\s*\d+(?:\.\d+)*\.?\s", re.IGNORECASE)


class UnitKind(StrEnum):
    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    HEADING = "heading"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of a passage: `text` stands word for word at `start` to `end` of the passage's text.

    `block` numbers the paragraph, list or table it belongs to. An item's `lead` is the index, among the
    passage's units, of the sentence that introduces its list, or of the item that introduces it («No se permite:»);
    that of a sentence, or of a list that nothing else introduces, is the question that it answers. A row's `header`
    names its cells. `support` is where that header stands, or what is weighed with the unit as its lead. `marker` is a
    step's number as written.
    """

    kind: UnitKind
    text: str
    start: int
    end: int
    block: int
    paragraph: tuple[int, int]  # span of the whole paragraph, item or row
    lead: int | None = None
    marker: str = ""
    header: tuple[str, ...] = ()
    support: tuple[int, int] | None = None

    @property
    def may_answer(self) -> bool:
        return self.kind not in (UnitKind.HEADING, UnitKind.QUESTION)

    @property
    def words(self) -> str:
        """The text without the number of a step."""
        mark = _ITEM_MARK.match(self.text) if self.marker else None
        return self.text[mark.end() :] if mark else self.text

    @property
    def cells(self) -> tuple[str, ...]:
        return split_cells(self.text) if self.kind is UnitKind.ROW else ()


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str


def cut_units(text: str, *, headings: Sequence[str] = ()) -> tuple[Unit, ...]:
    """The units of a passage in order. Lines that repeat one of `headings` become headings, which answer nothing;
    unless they name a price.
    """
    units: list[Unit] = []
    known = {heading.strip() for heading in headings if not is_priced(heading)}
    for block, lines in enumerate(_blocks(text)):
        while lines and lines[0].text.lstrip("# ").strip() in known:
            units.append(_unit(UnitKind.HEADING, text, lines[0].start, lines[0].end, block))
            lines = lines[1:]
        if not lines:
            continue
        if _is_table(lines):
            units.extend(_rows(lines, block))
        elif _ITEM_MARK.match(lines[0].text):
            _add_items(units, _items(text, lines, block))
        else:
            for sentence in _sentences(text, lines[0].start, lines[-1].end, block):
                if units and (priced := _with_own_price(text, units[-1], sentence)):
                    units[-1] = priced
                elif units and (whole := _with_description(text, units[-1], sentence)):
                    units[-1] = whole
                else:
                    units.append(sentence)
    return tuple(_with_questions(_with_announced(text, units)))


def _with_announced(text: str, units: Sequence[Unit]) -> list[Unit]:
    """The units, those on lines of their own below a sentence that announces them as items of a list; below a step only
    commands.
    """
    found: list[Unit] = []
    lead: int | None = None
    first: Unit | None = None
    for index, unit in enumerate(units):
        is_line = unit.kind is UnitKind.SENTENCE and _is_line(text, unit)
        if is_line and lead is not None and (_announces(units[lead].text) or _COMMAND.match(unit.text)):
            first = first or unit
            support = _support_below(units, lead)
            found.append(replace(unit, kind=UnitKind.ITEM, block=first.block, lead=lead, support=support))
            continue
        lead, first = (index if unit.kind is UnitKind.ITEM or _announces(unit.text) else None), None
        found.append(unit)
    return found


def _announces(text: str) -> bool:
    """Whether a sentence says that what it speaks of stands below it."""
    return text.endswith(":") or _ANNOUNCES.search(text) is not None


def _is_line(text: str, unit: Unit) -> bool:
    """Whether a unit stands on a line of its own and is no sentence: short, and without a stop at its end."""
    behind = text[unit.end :].lstrip(" ")
    return (
        text[: unit.start].rstrip(" ").endswith("\n")
        and (not behind or behind.startswith("\n"))
        and "\n" not in unit.text
        and word_count(unit.text) <= LONGEST_LINE
        and not unit.text.endswith((":", "?", "!", ";"))
        and not (unit.text.endswith(".") and not unit.text.endswith(".."))
        and not is_priced(unit.text)
        and _CAPTION.match(unit.text) is None
    )


def _with_questions(units: Sequence[Unit]) -> Iterator[Unit]:
    """The units, those that only ask as such, and each one behind them with what it answers: by itself it may say
    little («Sí, los viernes»), and the question as little as a heading.
    """
    asked: list[tuple[int, Unit]] = []  # the last questions in a row
    for index, unit in enumerate(units):
        if _asks(unit, units[index + 1 : index + 2]):
            if asked and asked[-1][0] != index - 1:
                asked = []
            asked.append((index, unit))
            yield replace(unit, kind=UnitKind.QUESTION)
            continue
        if unit.kind is UnitKind.HEADING or (asked and unit.block > asked[-1][1].block + FOLLOWS_QUESTION):
            asked = []
        if asked and unit.lead is None and unit.kind is not UnitKind.ROW:
            yield replace(unit, lead=asked[-1][0], support=(asked[0][1].start, asked[-1][1].end))
        else:
            yield unit


def _asks(unit: Unit, behind: Sequence[Unit]) -> bool:
    """Whether a unit is a question that the document puts itself; a list of questions is one to be asked."""
    is_of_item = unit.kind is UnitKind.ITEM and any(unit.paragraph == one.paragraph for one in behind)
    return (unit.kind is UnitKind.SENTENCE or is_of_item) and _QUESTION.fullmatch(unit.words) is not None


def _with_own_price(text: str, named: Unit, price: Unit) -> Unit | None:
    """A name and the price in the paragraph below as one: by itself neither says anything."""
    if named.kind is not UnitKind.SENTENCE or not is_price(price.text) or not is_name(named.text):
        return None
    end = max(named.paragraph[1], price.end)
    return replace(named, text=text[named.start : price.end], end=price.end, paragraph=(named.paragraph[0], end))


def _with_description(text: str, named: Unit, sentence: Unit) -> Unit | None:
    """A name with its price and the sentence below as one, when that describes what is named; a blank line may stand
    between the two, but not between what describes it.
    """
    is_name_of = named.kind in (UnitKind.SENTENCE, UnitKind.ITEM) and is_priced(named.words)
    if not is_name_of or not is_description(sentence.text):
        return None
    if "\n" in named.text and "\n\n" in text[named.end : sentence.start]:
        return None
    whole = text[named.start : sentence.end]
    return replace(
        named, text=whole, end=sentence.end, paragraph=(named.paragraph[0], max(named.paragraph[1], sentence.end))
    )


def split_cells(line: str) -> tuple[str, ...]:
    """The cells of a table row written with bars."""
    inner = line.strip()
    if inner.startswith("| ") and inner.endswith(" |"):  # a bar at one end only has an empty cell beyond it
        inner = inner[2:-2]
    return tuple(cell.strip() for cell in _BAR.split(inner))


def _blocks(text: str) -> Iterator[list[_Line]]:
    """Runs of lines of one sort: parted by blank lines, and where tables and lists begin and end."""
    run: list[_Line] = []
    sort = ""
    position = 0
    for raw in _lines(text):
        stripped = raw.strip()
        start = position + (len(raw) - len(raw.lstrip()))
        line = _Line(start, start + len(stripped), stripped)
        position += len(raw)
        of_line = "row" if " | " in stripped else "item" if _ITEM_MARK.match(stripped) else "text"
        if run and (not stripped or (of_line != sort and not (sort == "item" and of_line == "text"))):
            yield run
            run = []
        if stripped:
            sort = sort if run else of_line
            run.append(line)
    if run:
        yield run


def _lines(text: str) -> Iterator[str]:
    """The lines of a text with their ends; an item and one that it introduces are two."""
    for line in text.splitlines(keepends=True):
        glued = _REPEATED_ABOVE.search(line) if _ITEM_MARK.match(line) else None
        yield from (line,) if glued is None else (line[: glued.end()], line[glued.end() :])


def _is_table(lines: Sequence[_Line]) -> bool:
    return all(" | " in line.text for line in lines)


def _rows(lines: Sequence[_Line], block: int) -> Iterator[Unit]:
    lines = [line for line in lines if not _TABLE_RULE.fullmatch(line.text)]
    header = _header([split_cells(line.text) for line in lines])
    support = (lines[0].start, lines[0].end) if header else None
    for line in lines[1:] if header else lines:
        span = (line.start, line.end)
        yield Unit(UnitKind.ROW, line.text, *span, block, span, header=header, support=support)


def _header(rows: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The first row, when it can name the columns of those below it; empty when it cannot."""
    if len(rows) < 2:
        return ()
    first = rows[0]
    names = [cell for cell in first if cell]
    looks_like_names = len(set(names)) == len(names) > 1 and all(
        len(name) <= 80 and any(char.isalpha() for char in name) for name in names
    )
    return first if looks_like_names else ()


@dataclass(slots=True)
class _Level:
    """A list that is being read, or one inside an item of another: the sort of its marks, and what introduces it."""

    sort: str
    lead: int | None
    is_in_one: bool = False  # its items run on in one sentence: «- Pan; - Vino.»
    is_over: bool = False


def _add_items(units: list[Unit], items: Iterable[tuple[str, Unit]]) -> None:
    """Add the items of a list, given with the sort of their marks, each with what introduces it: an item that ends with
    a colon introduces those behind it until its own list goes on, by the sort of its marks or by its number. Where
    both lists have the same dashes, that is until their sentence ends, or the next item that introduces some.
    """
    levels: list[_Level] = []
    begun: tuple[int, int] | None = None
    for sort, item in items:
        if item.paragraph != begun:
            begun = item.paragraph
            above = len(units) - 1 if _introduces(units, item) else None
            if above is not None and not (levels and _is_sister(levels[-1], sort, item)):
                levels.append(_Level(sort, above))
            else:
                levels = _levels_of(levels, sort, item)
        level = levels[-1]
        units.append(replace(item, lead=level.lead, support=_support_below(units, level.lead)))
        level.is_over = level.is_in_one and item.text.endswith(".")
        level.is_in_one = item.text.endswith((";", ","))


def _support_below(units: Sequence[Unit], lead: int | None) -> tuple[int, int] | None:
    """What is weighed with an item as its lead: instead of a long item what introduces that one's list, for all that a
    clause says would count for each of those that it introduces.
    """
    if lead is None:
        return None
    above = units[lead]
    is_clause = above.kind is UnitKind.ITEM and word_count(above.words) > LONGEST_SUPPORT
    return above.support if is_clause else (above.start, above.end)


def _introduces(units: Sequence[Unit], item: Unit) -> bool:
    """Whether the last sentence or item so far introduces an item: it ends with a colon, and its number is not the one
    before.
    """
    if not units or units[-1].kind not in (UnitKind.SENTENCE, UnitKind.ITEM) or not units[-1].text.endswith(":"):
        return False
    before = units[-1].marker
    return not (item.marker and before and _rank(item.marker) == _rank(before) + 1)


def _is_sister(level: _Level, sort: str, item: Unit) -> bool:
    """Whether an item stands beside the one before, that introduces some: so does it, with the same mark."""
    return level.sort == sort and item.text.endswith(":")


def _levels_of(levels: Sequence[_Level], sort: str, item: Unit) -> list[_Level]:
    """The lists that an item is in, outermost first; a new one where none has its sort of mark."""
    at = next((at for at in reversed(range(len(levels))) if levels[at].sort == sort), None)
    if at is None:
        is_first = _rank(item.marker) <= 1
        return [*levels, _Level(sort, levels[-1].lead)] if levels and is_first else [_Level(sort, None)]
    is_doubtful = not item.marker and at > 0 and levels[at - 1].sort == sort
    return list(levels[: at if is_doubtful and (levels[at].is_over or item.text.endswith(":")) else at + 1])


def _rank(marker: str) -> int:
    """The place in its list that an item's number or letter says; 0 without any."""
    if not marker:
        return 0
    return int(marker) if marker.isdigit() else ord(marker[-1].lower()) - ord("a") + 1


def _items(text: str, lines: Sequence[_Line], block: int) -> Iterator[tuple[str, Unit]]:
    marks = [(at, mark) for at, line in enumerate(lines) if (mark := _ITEM_MARK.match(line.text))]
    afters = [*(at for at, _ in marks[1:]), len(lines)]
    for (first, mark), after in zip(marks, afters, strict=True):
        start, end = lines[first].start, lines[after - 1].end
        number = mark["number"] or ""
        body = start + (mark.start("number") if number else mark.end())  # a number belongs to the step, a dash does not
        if text[body - 1 : body] == "(" and number:
            body -= 1
        sort = re.sub(r"\d+", "1", re.sub(r"[^\W\d_]+", "a", mark[0].strip()))
        if word_count(text[body:end]) <= LONGEST_ITEM:
            yield sort, Unit(UnitKind.ITEM, text[body:end], body, end, block, (body, end), marker=number)
        else:
            for sentence_start, sentence_end in sentence_spans(text[body:end]):
                span = (body + sentence_start, body + sentence_end)
                yield sort, Unit(UnitKind.ITEM, text[span[0] : span[1]], *span, block, (body, end), marker=number)


def _sentences(text: str, start: int, end: int, block: int) -> Iterator[Unit]:
    for first, last in _with_prices(text[start:end]):
        yield Unit(
            UnitKind.SENTENCE,
            text[start + first : start + last],
            start + first,
            start + last,
            block,
            (start, end),
        )


def _with_prices(text: str) -> Iterator[tuple[int, int]]:
    """The spans of sentences; a price that stands alone, or before the next name, belongs to the one before it."""
    spans: list[tuple[int, int]] = []
    for first, last in sentence_spans(text):
        if spans and is_price(text[first:last]):
            spans[-1] = (spans[-1][0], last)
        elif spans and not is_priced(text[slice(*spans[-1])]) and (length := price_before(text[first:last])):
            spans[-1] = (spans[-1][0], first + length)
            begin = first + length
            spans.append((begin + len(text[begin:last]) - len(text[begin:last].lstrip()), last))
        else:
            spans.append((first, last))
    yield from spans


def _unit(kind: UnitKind, text: str, start: int, end: int, block: int) -> Unit:
    return Unit(kind, text[start:end], start, end, block, (start, end))
