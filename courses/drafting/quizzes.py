"""Quiz items made from tables, numbered steps and figures of a lesson's own text. Pure functions.

Each has exactly one right answer, read off the passage it names; wrong answers come from the same document. What could
be read two ways makes no item.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from typing import Literal

from courses.drafting.definitions import definitions_in
from courses.drafting.misreadings import casing_of
from courses.drafting.standing import is_balanced, points_back
from courses.drafting.titles import Casing, clean_title, is_noise, lowered
from courses.grading import GAP
from documents.parsing.types import Block, BlockKind
from documents.sentences import split_sentences

MAX_ITEMS = 3
OPTIONS = 4
MAX_CELL_WORDS = 12
STEPS = (3, 7)
MAX_STEP_WORDS = 30
SENTENCE_WORDS = (10, 50)  # a shorter one says too little by itself
TOPIC_WORDS = 3  # «Disposiciones generales» names nothing that could be asked about
OTHER_SCALE = 100  # times more, or less, than all others

Kind = Literal["single_choice", "order", "fill"]

_STEP = re.compile(r"^\s*(\d{1,2})[.)]\s+(?=\S)")
_ACTION = re.compile(r"^(?:no\s+)?[a-záéíóúñ]{2,}(?:ar|er|ir|ír)(?:se|lo|la|los|las|le|les)?\b", re.IGNORECASE)
_STEPS_OF = re.compile(r"pasos (?:para|de)\b", re.IGNORECASE)
_PROCEDURE = re.compile(
    r"\b(?:pasos?|procedimientos?|c[oó]mo|instrucciones|proceso|operativa|secuencia|siguiente orden|protocolo)\b",
    re.IGNORECASE,
)
_TWO_TO_FIFTEEN = "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
_WRITTEN = {name: number for number, name in enumerate(_TWO_TO_FIFTEEN.split(), start=2)} | {
    "veinte": 20,
    "treinta": 30,
    "sesenta": 60,
    "noventa": 90,
}
_MEASURE = re.compile(
    rf"(?<![\w.,/-])(?<!\by )(?P<number>\d{{1,3}}(?:\.\d{{3}})+|\d+(?:,\d+)?|{'|'.join(_WRITTEN)})"
    r"(?P<again>\s*\(\d+\))?\s*"  # «quince (15) días»
    r"(?P<unit>%|€|euros?|días?(?: hábiles| naturales)?|horas?|minutos?|segundos?|semanas?|meses|mes|años?|veces"
    r"|°\s?C|ºC|grados|mg/kg|mg/l|g/kg|mg|ml|kg|gramos|cm|mm|metros|litros|ppm|MB|GB|personas|unidades|puntos|series"
    r"|muestras|copias|ejemplares|alumnos|estudiantes|trabajadores|empleados|páginas|intentos|cuotas|sesiones"
    r"|caracteres)(?!\w|/)",
    re.IGNORECASE,
)
# Numbers that name a rule and measure nothing.
_REFERENCE = re.compile(
    r"\b(?:art[ií]culos?|apartados?|secci[oó]n|anexo|ley(?: org[aá]nica)?|reglamento|directiva|real decreto)"
    r"\s*(?:\((?:UE|CE)\)\s*)?(?:n[.ºo]*\s*)?\d[\d./ºª]*(?:\s*(?:,|y|a)\s*\d[\d.]*)*|\(UE\)\s*\d+/\d+",
    re.IGNORECASE,
)
_ANY_NUMBER = re.compile(r"\d")
_OPENS_ALONE = re.compile(r"^[¡«“\"(]?[A-ZÁÉÍÓÚÑ]")
_LEANS = re.compile(r"^por\b|\bpor ejemplo\b", re.IGNORECASE)  # on the sentence before
_MARKER = re.compile(r"^\s*(?:[•·▪◦‣+–—-]|\(?\d{1,2}(?:\.\d+)*[.)]|\(?[A-Za-zñ][.)])\s+(?=\S)")
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{3})+|\d+(?:,\d+)?")
_WORDS = re.compile(r"\w+")
_IDENTIFIER = re.compile(r"\w_\w|^[\W\d]*$")  # a column of data, not of prose
_LABELLED = re.compile(r"^(art[ií]culo\s+\d+[°º]?(?:\s(?:bis|ter))?)[.:]\s*[-–—]?\s*\(?(.+?)\)?\.?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DraftedItem:
    """A question with its right answer and the passage that gives it; fields as in the stored quiz item."""

    kind: Kind
    question: str
    options: tuple[str, ...]
    answer: tuple[int | str, ...]
    heading_path: tuple[str, ...]
    page: int | None
    quote: str


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
        _ordered_steps(every, casing),  # and no step of theirs is left out
        _table_items(blocks, casing),
        _figure_items(blocks, document, casing),
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


def figures_by_unit(blocks: Sequence[Block]) -> dict[str, list[str]]:
    """The numbers that a document gives for each unit, in reading order."""
    found: dict[str, dict[str, None]] = {}
    for block in blocks:
        for match in _MEASURE.finditer(block.text):
            found.setdefault(_unit(match["unit"]), {}).setdefault(match["number"])
    return {unit: list(numbers) for unit, numbers in found.items()}


def _unit(text: str) -> str:
    folded = re.sub(r"\s+", "", text.lower())
    return {"mes": "mes", "meses": "mes", "€": "euro", "veces": "vez"}.get(folded, folded.rstrip("s"))


# --- the order of steps


@dataclass(slots=True)
class _Step:
    """A numbered item, and what stands between it and the next one."""

    block: Block
    under: list[Block] = field(default_factory=list)

    @property
    def own(self) -> str:
        return _STEP.sub("", " ".join(self.block.text.split()))

    @property
    def text(self) -> str:
        """The step in one line; one that only leads in a list is told with that list."""
        told = self.own
        if not told.endswith(":"):
            return told
        parts = (" ".join(_MARKER.sub("", block.text).split()).rstrip(" .;,") for block in self.under)
        listed = "; ".join(lowered(part) for part in parts if part)
        return f"{told} {listed}." if listed else told


def _ordered_steps(blocks: Sequence[Block], casing: Casing) -> Iterator[DraftedItem]:
    for lead, run in _numbered_runs(blocks):
        steps = [step.text for step in run]
        first = run[0].block
        if not STEPS[0] <= len(steps) <= STEPS[1] or len(set(steps)) < len(steps):
            continue
        if any(len(step.split()) > MAX_STEP_WORDS or step.endswith(":") for step in steps):
            continue
        if any(casing.spelling.is_doubtful(step) for step in steps):
            continue
        acting = sum(bool(_ACTION.match(step)) for step in steps)
        heading = first.heading_path[-1] if first.heading_path else ""
        if acting < 0.6 * len(steps) or not _PROCEDURE.search(f"{heading} {lead}"):
            continue
        about = _section(first, casing) or lead.rstrip(":")
        named = casing.running(lowered(about))
        question = f"Ordena los {named}." if _STEPS_OF.match(about) else f"Ordena los pasos de «{about}»."
        yield DraftedItem("order", question, tuple(steps), (), first.heading_path, first.page, run[0].own)


def _numbered_runs(blocks: Sequence[Block]) -> Iterator[tuple[str, list[_Step]]]:
    """Runs of items numbered 1, 2, 3… under one heading, whole, each with the text before it.

    What stands between two of them, a paragraph or a list of its own, is part of the first. What comes after the last
    cannot be told from what follows the list, so that a last one that only leads in another list ends in its colon.
    """
    lead, run = "", list[_Step]()
    last = ""  # the text before what is read
    for block in blocks:
        step = _STEP.match(block.text) if block.kind is BlockKind.LIST_ITEM else None
        is_below = bool(run) and (block.level or 1) > (run[0].block.level or 1)
        if step and not is_below and int(step[1]) == len(run) + 1 and run:
            run.append(_Step(block))
        elif block.kind is BlockKind.HEADING or (step and not is_below):
            is_first = step is not None and int(step[1]) == 1
            if run and (is_first or step is None):  # else a step is lost
                yield lead, _closed(run)
            lead, run = last, [_Step(block)] if is_first else []
        elif run:
            run[-1].under.append(block)
        last = block.text
    if run:
        yield lead, _closed(run)


def _closed(run: list[_Step]) -> list[_Step]:
    return [*run[:-1], _Step(run[-1].block)]


# --- what a table says


def _table_items(blocks: Sequence[Block], casing: Casing) -> Iterator[DraftedItem]:
    for at, block in enumerate(blocks):
        table = _plain_table(block)
        if table is None:
            continue
        header, rows, key = table
        caption = _caption(blocks, at, casing)
        for column in range(len(header)):
            name, values = header[column], [row[column] for row in rows]
            if column <= key or not _is_short(name) or _IDENTIFIER.search(name) or not all(map(_is_short, values)):
                continue
            pick = _steady(caption + name, len(rows))
            wrong = [value for value in dict.fromkeys(values) if not _says_too(value, values[pick])]
            if len(wrong) < 2 or values == [row[key] for row in rows] or _is_out_of_scale(values[pick], wrong):
                continue
            options, right = _shuffled(values[pick], wrong[: OPTIONS - 1])
            named = rows[pick][key]
            asked = f"{header[key]} {named}".strip() if named.isdigit() else named
            quote = " ".join(cell for cell in rows[pick] if cell)
            question = f"Según «{caption}», ¿qué corresponde a «{asked}» en «{name}»?"
            yield DraftedItem("single_choice", question, options, (right,), block.heading_path, block.page, quote)


def _plain_table(block: Block) -> tuple[list[str], list[list[str]], int] | None:
    """Header and rows of a table that says one thing a cell, and the column that names its rows; None for others."""
    if block.kind is not BlockKind.TABLE or not block.rows or block.header_rows != 1:
        return None
    width = max(map(len, block.rows))
    header, *rows = [[" ".join(cell.split()) for cell in row] + [""] * (width - len(row)) for row in block.rows]
    if rows and sum(cell != "" and cell == below for cell, below in zip(header, rows[0], strict=True)) > 1:
        header, *rows = rows  # its upper row only joins columns of the lower one
    if len(rows) < 3 or set(filter(None, header)) & {cell for row in rows for cell in row}:
        return None  # a header of more rows
    keys = next((at for at in range(width) if all(row[at] for row in rows)), None)
    if keys is None:
        return None
    names = [row[keys] for row in rows]
    is_naming = len(set(map(str.lower, names))) == len(names) and all(map(_is_short, names))
    return (header, rows, keys) if is_naming else None


def _caption(blocks: Sequence[Block], at: int, casing: Casing) -> str:
    before = blocks[at - 1].text if at else ""
    if re.match(r"(?:tabla|cuadro)\s", before, re.IGNORECASE) and len(before.split()) <= 15:
        return " ".join(before.split()).rstrip(" .:")
    return _section(blocks[at], casing) or "la tabla"


def _is_out_of_scale(value: str, others: Sequence[str]) -> bool:
    """Whether a number is in another unit than all the others: 6 among 1024, 2048 and 4096."""
    if not all(_NUMBER.fullmatch(one) for one in (value, *others)):
        return False
    number, numbers = _value(value), [_value(one) for one in others]
    return number * OTHER_SCALE <= min(numbers) or number >= max(numbers) * OTHER_SCALE


def _is_short(cell: str) -> bool:
    return 0 < len(cell.split()) <= MAX_CELL_WORDS


# --- figures


def _figure_items(blocks: Sequence[Block], document: Sequence[Block], casing: Casing) -> Iterator[DraftedItem]:
    figures: dict[str, list[str]] | None = None  # read off the whole document only where a sentence needs them
    gaps: set[tuple[str, float]] = set()  # what one question asks, another would give away
    for block in blocks:
        if block.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.CLAUSE):
            continue
        for sentence in split_sentences(_MARKER.sub("", " ".join(block.text.split()))):
            match = _only_measure(sentence)
            if match is None or (figure := (_unit(match["unit"]), _value(match["number"]))) in gaps:
                continue
            gaps.add(figure)
            figures = figures_by_unit(document) if figures is None else figures
            end = match.end("again" if match["again"] else "number")
            question = f"{sentence[: match.start('number')]}{GAP}{sentence[end:]}"
            others = _others(match["number"], figures.get(_unit(match["unit"]), []))
            if len(others) >= 2:
                options, right = _shuffled(match["number"], others[: OPTIONS - 1])
                yield DraftedItem(
                    "single_choice",
                    f"{_place(block, casing)} ¿Qué cifra falta? «{question}»".strip(),
                    options,
                    (right,),
                    block.heading_path,
                    block.page,
                    sentence,
                )
            else:
                answers = _spellings(match["number"])
                asked = f"{_place(block, casing)} Completa con una cifra: «{question}»"
                yield DraftedItem("fill", asked.strip(), (), answers, block.heading_path, block.page, sentence)


def _place(block: Block, casing: Casing) -> str:
    """Where the sentence stands: without it, one like it elsewhere could be meant."""
    section = _section(block, casing)
    return f"«{section}»." if section else ""


def _only_measure(sentence: str) -> re.Match[str] | None:
    """The measure of a sentence that names one and no other number, and can be read by itself."""
    if not SENTENCE_WORDS[0] <= len(sentence.split()) <= SENTENCE_WORDS[1] or sentence[-1] not in ".!":
        return None
    if (
        not _OPENS_ALONE.match(sentence)
        or sentence.isupper()
        or _LEANS.search(sentence)
        or points_back(sentence)
        or not is_balanced(sentence)
    ):
        return None
    matches = list(_MEASURE.finditer(sentence))
    if len(matches) != 1 or not matches[0].start():  # a sentence that begins with the gap reads badly
        return None
    rest = sentence[: matches[0].start()] + sentence[matches[0].end() :]
    return None if _ANY_NUMBER.search(_REFERENCE.sub("", rest)) else matches[0]


def _others(number: str, known: Sequence[str]) -> list[str]:
    """Numbers of another value, written as this one is."""
    alike = {
        _value(one): one
        for one in reversed(known)
        if one[:1].isdigit() == number[:1].isdigit() and one.islower() == number.islower()
    }
    return [one for value, one in reversed(alike.items()) if value != _value(number)]


def _value(number: str) -> float:
    return _WRITTEN.get(number.lower()) or float(number.replace(".", "").replace(",", "."))


def _spellings(number: str) -> tuple[str, ...]:
    value = _value(number)
    plain = f"{value:g}".replace(".", ",")
    written = [name for name, counted in _WRITTEN.items() if counted == value]
    return tuple(dict.fromkeys([number, plain, *written]))


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
        options, right = _shuffled(one.term, wrong)
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
        wrong = [topics[name] for name in near if not _says_too(topics[name], match[2])][: OPTIONS - 1]
        if len(wrong) < OPTIONS - 1:
            continue
        options, right = _shuffled(match[2], wrong)
        question = f"¿De qué trata el {match[1][:1].lower()}{match[1][1:]}?"
        yield DraftedItem("single_choice", question, options, (right,), block.heading_path, block.page, block.text)


def _says_too(topic: str, other: str) -> bool:
    """Whether one of two topics is the other, or a wider one: «Infracciones», «Infracciones graves»."""
    words, others = (set(_WORDS.findall(one.lower())) for one in (topic, other))
    return (words <= others or others <= words) if words and others else topic.lower() == other.lower()


def _article(block: Block) -> re.Match[str] | None:
    return _LABELLED.match(block.text) if block.kind is BlockKind.HEADING else None


def _number(name: str) -> int:
    return int(re.findall(r"\d+", name)[0])


def _section(block: Block, casing: Casing) -> str:
    """What the section of a block is called; empty where its heading is no words."""
    heading = block.heading_path[-1] if block.heading_path else ""
    return "" if not heading or heading in casing.misread or is_noise(heading) else clean_title(heading, casing)


# --- the same every time


def _steady(seed: str, count: int) -> int:
    """A number under `count` that depends on the text alone, so that a draft made again is the same."""
    return int.from_bytes(sha256(seed.encode()).digest()[:4]) % count


def _shuffled(right: str, wrong: Sequence[str]) -> tuple[tuple[str, ...], int]:
    """The options in an order that does not tell the right one, and its index."""
    at = _steady(right + "".join(wrong), len(wrong) + 1)
    return (*wrong[:at], right, *wrong[at:]), at
