"""Headings made into titles that a person would give. Pure functions."""

import re
from collections import Counter
from collections.abc import Sequence

from courses.drafting.spelling import Spelling
from documents.titles import ANY_SECTION

MAX_TITLE_CHARS = 130  # the full name of a law's article is better than half of it
MAX_JOINT_CHARS = 105
MAX_END_CHARS = 90  # of either end of a row of sections: with both a title can be stored whole
SHORT_ROW = 5  # words of a title whose own «y» ends the row
HEART_WORDS = 2  # a title's heart has at least so many longer words
SHOUTED_SHARE = 0.8  # of a heading's letters in capitals, from which on its case says nothing

_NUMBER = re.compile(r"^\s*(?:\d+(?:\.\d+)*[.)º-]*|[IVX]+[.)-]?|[a-z]\))\s+(?=[\W\d]*[^\W\d_])")
# A generic division and its number; what such a heading is about stands after it.
_DIVISION = re.compile(
    r"^\s*(m[oó]dulo|unidad|tema|lecci[oó]n|parte|bloque)\s+(\d+|[ivxlc]+)\b\s*[.:–—-]*\s*(?=\S)", re.IGNORECASE
)
_ORDINAL = (
    r"primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|sext[oa]|s[ée]ptim[oa]|octav[oa]|noven[oa]|d[ée]cim\w*"
    r"|und[ée]cim[oa]|duod[ée]cim[oa]|vig[ée]sim\w*|trig[ée]sim\w*|[úu]nic[oa]|preliminar"
)
_LABELLED = re.compile(
    r"^\s*(?P<label>art[ií]culo|cap[ií]tulo|secci[oó]n|t[ií]tulo|anexo|disposici[oó]n \w+)\s+"
    rf"(?P<number>(?:\d[\w.ºª°]*|[ivxlcdm]+\b|[a-z]\b|{_ORDINAL})(?:\([a-z]\))?(?:\sy\s\d[\d.]*(?:\([a-z]\))?)?"
    rf"(?:\s(?:bis|ter|{_ORDINAL}))?)[.:)]*\s*(?:[-–—.]+\s*)?",
    re.IGNORECASE,
)
_ENCLOSED = re.compile(r"^\(([^()]+)\)$")  # «Artículo 1°.- (Objeto)»
_ROMAN = re.compile(r"^[ivxl]+$", re.IGNORECASE)
_PLURALS = {
    "artículo": "Artículos",
    "capítulo": "Capítulos",
    "sección": "Secciones",
    "título": "Títulos",
    "anexo": "Anexos",
}
_CONTENTS = re.compile(
    r"^(?:índice(?: (?:general|de contenidos?))?|indice|(?:tabla de )?contenidos?|sumario|index|table of contents)$",
    re.IGNORECASE,
)
_STRAY_LETTER = re.compile(r"^[B-DF-HJ-NP-XZE]\s+(?=[A-ZÁÉÍÓÚÑ][a-záéíóúñ])")  # an icon, or the letter of a list
_MARK = re.compile(r"^[\W_]+\s(?=\w)")  # a bullet or rule read as part of a heading
_MIXED_CASE = re.compile(r"[a-záéíóúñ][A-ZÁÉÍÓÚÑ]|^[A-ZÁÉÍÓÚÑ]{2,}[a-záéíóúñ]{3,}")
_WORD = re.compile(r"[^\W\d_]+")
_FOOTNOTE = re.compile(r"((?:[a-záéíóúñ]{6}|[)”»\"]))\d{1,2}(?=\s*:?\s*$)")
# Where what a title is about ends and its circumstances begin.
_CIRCUMSTANCES = re.compile(
    r"\s*[(,;:—–]|\.\s"
    r"|\s(?=(?:que|para|frente|mediante|durante|seg[uú]n|cuando|sin|por|en|ante|sobre|a través de)\s)",
    re.IGNORECASE,
)
_LEFT_OPEN = re.compile(r"(?:[aei]d[oa]s?|\b(?:de|del|la|las|los|el|y|o|con|al|a|un|una))$", re.IGNORECASE)
_AND = re.compile(r"\s[ye]\s")
_GENERIC = re.compile(rf"^{ANY_SECTION}$", re.IGNORECASE)
_EDITION = re.compile(
    r"^(?:[úu]ltima (?:modificaci|actualizaci|revisi)[oó]n|fecha|versi[oó]n)\b.*\d|^texto consolidado$", re.IGNORECASE
)
_DATE = re.compile(
    r"^(?:\d{1,2} de )?(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|se[p]?tiembre|octubre|noviembre|diciembre)"
    r"(?: del?)? \d{4}$",
    re.IGNORECASE,
)
_LEAD_IN_WORDS = 8  # a heading that ends in a colon and has as many only begins a list


class Casing:
    """How words are written in running text, to bring headings in capitals back to it."""

    def __init__(
        self, texts: Sequence[str], misread: frozenset[str] = frozenset(), *, recognized: bool = False
    ) -> None:
        self.misread = misread  # headings that are no words of the documents
        self.spelling = Spelling(texts, recognized=recognized)
        self._seen: Counter[str] = Counter(word for text in texts for word in _WORD.findall(text) if not word.isupper())
        self._shouted: Counter[str] = Counter(
            word for text in texts for word in _WORD.findall(text) if word.isupper() and len(word) > 1
        )

    def sentence(self, text: str) -> str:
        """The text in sentence case where it was all in capitals; else as it is."""
        letters = [character for character in text if character.isalpha()]
        if not letters or sum(one.isupper() for one in letters) < SHOUTED_SHARE * len(letters):
            return text
        lowered = _WORD.sub(lambda match: self._usual(match[0]), text)
        return capitalized(lowered)

    def running(self, text: str) -> str:
        """A title inside a sentence: without the capitals of words that running text writes small."""
        return _WORD.sub(
            lambda match: match[0].lower() if match[0].istitle() and self._seen[match[0].lower()] else match[0], text
        )

    def _usual(self, word: str) -> str:
        lower, title = word.lower(), word.capitalize()
        if self._seen[lower] or self._seen[title]:
            return lower if self._seen[lower] >= self._seen[title] else title
        return word if self._shouted[word] or not re.search("[aeiouáéíóúü]", lower) else lower


def capitalized(text: str) -> str:
    """The text with its first letter in upper case; the rest as it is."""
    for at, character in enumerate(text):
        if character.isalpha():
            return text[:at] + character.upper() + text[at + 1 :]
    return text


def is_contents(heading: str) -> bool:
    """Whether a heading stands over a table of contents."""
    return bool(_CONTENTS.match(heading.strip(" .:")))


def is_noise(heading: str) -> bool:
    """Whether a heading names nothing: a logo read as letters, a lone number or mark, a date, a comment of a program,
    or the words that lead in a list.
    """
    text = heading.strip()
    words = _WORD.findall(text)
    letters = sum(map(len, words))
    if letters < 3 or text.startswith("#") or _DATE.match(text) or _EDITION.match(text):
        return True
    if (
        text.endswith(":")
        and len(text.split()) >= _LEAD_IN_WORDS
        and not (_NUMBER.match(text) or _LABELLED.match(text))
    ):
        return True
    return len(words) == 1 and bool(_MIXED_CASE.search(words[0]))


def is_labelled(title: str) -> bool:
    """Whether a title is one of a numbered row: «Artículo 4. Exactitud»."""
    return bool(_LABELLED.match(title))


def is_generic(title: str) -> bool:
    """Whether a title could stand in any chapter: «Introducción», «Sección 1.ª. Disposiciones generales»."""
    labelled = _LABELLED.match(title)
    topic = title[labelled.end() :] if labelled else title
    return not topic or bool(_GENERIC.match(topic))


def without_label(title: str) -> str:
    """What «Sección 1.ª. Disposiciones generales» is about; a label alone stays."""
    return capitalized(_LABELLED.sub("", title)) or title


def clean_title(heading: str, casing: Casing) -> str:
    """A heading as a title: without its decimal number, footnote mark or «Módulo 2», in sentence case, not too long."""
    text = casing.spelling.mended(_FOOTNOTE.sub(r"\1", " ".join(heading.split())))
    for pattern in (_MARK, _DIVISION, _NUMBER, _MARK, _STRAY_LETTER):
        shorter = pattern.sub("", text)
        text = shorter if len(_WORD.findall(shorter)) else text
    text = capitalized(casing.sentence(text)).rstrip(" .:;,–—-")
    labelled = _LABELLED.match(text)
    if labelled and labelled.end() < len(text):
        topic = capitalized(casing.sentence(_ENCLOSED.sub(r"\1", text[labelled.end() :])))
        number = labelled["number"].rstrip(".:")
        number = number.upper() if _ROMAN.match(number) else number
        text = f"{capitalized(labelled['label'].lower())} {number}. {topic}"
    return shortened(text)


def shortened(text: str, limit: int = MAX_TITLE_CHARS) -> str:
    """The text without its last circumstances where it is too long; else cut between words, with an ellipsis."""
    if len(text) <= limit:
        return text
    ends = [match.start() for match in _CIRCUMSTANCES.finditer(text) if limit / 2 <= match.start() <= limit]
    whole = next((text[:end] for end in reversed(ends) if not _LEFT_OPEN.search(text[:end])), "")
    return whole or text[: text.rfind(" ", 0, limit)].rstrip(" .,;:…") + "…"


def heart(title: str) -> str:
    """What a title is about, without its circumstances: «Perfiles de hardware para las máquinas virtuales»."""
    for match in _CIRCUMSTANCES.finditer(title):
        begun = title[: match.start()].rstrip()
        if sum(len(word) > 3 for word in _WORD.findall(begun)) >= HEART_WORDS and not _LEFT_OPEN.search(begun):
            return begun
    return title


def joint_title(titles: Sequence[str], parent: str = "") -> str:
    """One title for several sections in a row: «Artículos 4 a 7: Exactitud de los datos», «Objetivos y programas».

    `parent` names the heading that they stand under, and is taken where theirs are too long together.
    """
    if len(titles) == 1:
        return titles[0]
    labels = [match for title in titles if (match := _LABELLED.match(title))]
    if len(labels) == len(titles):
        return _range_title(titles, labels, parent)
    together = _together(titles)
    if together or (parent and len(titles) > 2):
        return together or parent
    telling = [title for title in titles if not is_generic(title)]
    return (
        (_together(telling) if telling else "")
        or (_in_a_row(titles[0], titles[1]) if len(titles) == 2 else "")
        or "De «{}» a «{}»".format(*(shortened(heart(titles[at]), MAX_END_CHARS) for at in (0, -1)))
    )


def joint_title_to_end(titles: Sequence[str], last: str, parent: str = "") -> str:
    """One title for several sections of which the short ones are left out; where it is a span it ends with the last."""
    title = joint_title(titles, parent)
    return joint_title([*titles, last], parent) if title.startswith("De «") and titles[-1] != last else title


def _together(titles: Sequence[str]) -> str:
    """The titles in one sentence, or what each is about; nothing where even that is too long."""
    hearts = [heart(title) for title in titles]
    for some in (titles, hearts if len(set(hearts)) == len(titles) else []):
        if some and len(joined := _in_a_row(*some)) <= MAX_JOINT_CHARS:
            return joined
    return ""


def _in_a_row(*titles: str) -> str:
    distinct = tuple(dict.fromkeys(titles))  # «Inscripción» may stand over two of them
    titles = distinct if len(distinct) > 1 else titles
    joined = titles[0].rstrip(".")
    for at, title in enumerate(titles[1:], start=2):
        if title.startswith("¿"):
            joined = f"{joined.rstrip('.')}. {title}"
        else:
            has_and = len(title.split()) <= SHORT_ROW and _AND.search(title)  # «Formatos, estándares y prácticas»
            is_last = at == len(titles) and not has_and
            joined += f"{_and(title) if is_last else ', '}{lowered(title.rstrip('.'))}"
    return joined


def _and(title: str) -> str:
    """«y», or «e» before its own sound."""
    return " e " if re.match(r"h?i(?!e)", title.lower()) or title.lower().startswith("hí") else " y "


def _range_title(titles: Sequence[str], labels: Sequence[re.Match[str]], parent: str) -> str:
    names = [match["label"].lower() for match in labels]
    first, last = (labels[at]["number"].rstrip(".:") for at in (0, -1))
    topics = [topic for title, match in zip(titles, labels, strict=True) if (topic := title[match.end() :].rstrip("."))]
    together = _together(topics) if topics else ""
    if len(set(names)) > 1:
        if together and len(topics) == len(titles):
            return together
        return f"{capitalized(names[0])} {first} a {names[-1]} {last}"
    link = "y" if len(titles) == 2 else "a"
    named = f"{_PLURALS.get(names[0]) or _plural(names[0])} {first} {link} {last}"
    about = "" if is_generic(parent) else without_label(parent)
    by_parent = f"{about}: {named[:1].lower()}{named[1:]}" if about else named
    if not topics:
        return by_parent if len(by_parent) <= MAX_TITLE_CHARS else named
    if together and len(f"{named}: {together}") <= MAX_TITLE_CHARS:
        return f"{named}: {together}"
    ends = heart(topics[0]), heart(topics[-1])
    span = f"{named}: de «{ends[0]}» a «{ends[1]}»" if ends[0] != ends[1] else by_parent
    by_first = f"{named}: {heart(topics[0])}"
    fitting = (one for one in (span, by_parent if about else by_first, by_first) if len(one) <= MAX_TITLE_CHARS)
    return next(fitting, named)


def _plural(label: str) -> str:
    """«Disposiciones adicionales», «Disposiciones derogatorias»."""
    several = label.replace("disposición", "disposiciones")
    return capitalized(several + ("s" if several[-1] in "aeo" else "es"))


def lowered(title: str) -> str:
    """A title inside a sentence: its first word in lower case unless it is an acronym or a name of its own."""
    first = title.split(" ", 1)[0]
    at = next((at for at, letter in enumerate(title) if letter.isalpha()), 0)  # past «¿» and the like
    return title if sum(letter.isupper() for letter in first) > 1 else title[:at] + title[at].lower() + title[at + 1 :]
