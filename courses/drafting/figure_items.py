"""Quiz items on the one figure of a sentence. Pure functions."""

import re
from collections.abc import Iterator, Sequence

from courses.drafting.items import MARKER, OPTIONS, DraftedItem, section_name, shuffled
from courses.drafting.standing import is_balanced, points_back
from courses.drafting.titles import Casing
from courses.grading import GAP
from documents.parsing.types import Block, BlockKind
from documents.sentences import split_sentences

SENTENCE_WORDS = (10, 50)  # a shorter one says too little by itself

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


def figure_items(blocks: Sequence[Block], document: Sequence[Block], casing: Casing) -> Iterator[DraftedItem]:
    """Items that ask which figure a sentence gives, each figure once. `document` gives the wrong ones."""
    figures: dict[str, list[str]] | None = None  # read off the whole document only where a sentence needs them
    gaps: set[tuple[str, float]] = set()  # what one question asks, another would give away
    for block in blocks:
        if block.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.CLAUSE):
            continue
        for sentence in split_sentences(MARKER.sub("", " ".join(block.text.split()))):
            match = _only_measure(sentence)
            if match is None or (figure := (_unit(match["unit"]), value_of(match["number"]))) in gaps:
                continue
            gaps.add(figure)
            figures = _figures_by_unit(document) if figures is None else figures
            end = match.end("again" if match["again"] else "number")
            question = f"{sentence[: match.start('number')]}{GAP}{sentence[end:]}"
            others = _others(match["number"], figures.get(_unit(match["unit"]), []))
            if len(others) >= 2:
                options, right = shuffled(match["number"], others[: OPTIONS - 1])
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
    section = section_name(block, casing)
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
        value_of(one): one
        for one in reversed(known)
        if one[:1].isdigit() == number[:1].isdigit() and one.islower() == number.islower()
    }
    return [one for value, one in reversed(alike.items()) if value != value_of(number)]


def value_of(number: str) -> float:
    """The number that figures or a word («quince») stand for."""
    return _WRITTEN.get(number.lower()) or float(number.replace(".", "").replace(",", "."))


def _spellings(number: str) -> tuple[str, ...]:
    value = value_of(number)
    plain = f"{value:g}".replace(".", ",")
    written = [name for name, counted in _WRITTEN.items() if counted == value]
    return tuple(dict.fromkeys([number, plain, *written]))


def _figures_by_unit(blocks: Sequence[Block]) -> dict[str, list[str]]:
    """The numbers that a document gives for each unit, in reading order."""
    found: dict[str, dict[str, None]] = {}
    for block in blocks:
        for match in _MEASURE.finditer(block.text):
            found.setdefault(_unit(match["unit"]), {}).setdefault(match["number"])
    return {unit: list(numbers) for unit, numbers in found.items()}


def _unit(text: str) -> str:
    folded = re.sub(r"\s+", "", text.lower())
    return {"mes": "mes", "meses": "mes", "€": "euro", "veces": "vez"}.get(folded, folded.rstrip("s"))
