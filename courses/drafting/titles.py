"""Headings made into titles that a person would give. Pure functions."""

import re
from collections import Counter
from collections.abc import Sequence

MAX_TITLE_CHARS = 90
SHOUTED_SHARE = 0.8  # of a heading's letters in capitals, from which on its case says nothing

_NUMBER = re.compile(r"^\s*(?:\d+(?:\.\d+)*[.)º-]*|[IVX]+[.)-]?|[a-z]\))\s+(?=[\W\d]*[^\W\d_])")
# A generic division and its number; what such a heading is about stands after it.
_DIVISION = re.compile(
    r"^\s*(m[oó]dulo|unidad|tema|lecci[oó]n|parte|bloque)\s+(\d+|[ivxlc]+)\b\s*[.:–—-]*\s*(?=\S)", re.IGNORECASE
)
_LABELLED = re.compile(
    r"^\s*(?P<label>art[ií]culo|cap[ií]tulo|secci[oó]n|t[ií]tulo|anexo|disposici[oó]n \w+)\s+"
    r"(?P<number>[\w.ºª]+(?:\([a-z]\))?(?:\s(?:bis|ter|primera|segunda|tercera|cuarta|quinta|sexta|séptima|octava|novena))?)[.:)]*\s*",
    re.IGNORECASE,
)
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


class Casing:
    """How words are written in running text, to bring headings in capitals back to it."""

    def __init__(self, texts: Sequence[str], misread: frozenset[str] = frozenset()) -> None:
        self.misread = misread  # headings that are no words of the documents
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
    """Whether a heading is no words: a logo read as letters, a lone number or mark."""
    words = _WORD.findall(heading)
    letters = sum(map(len, words))
    if letters < 3:
        return True
    return len(words) == 1 and bool(_MIXED_CASE.search(words[0]))


def is_labelled(title: str) -> bool:
    """Whether a title is one of a numbered row: «Artículo 4. Exactitud»."""
    return bool(_LABELLED.match(title))


def clean_title(heading: str, casing: Casing) -> str:
    """A heading as a title: without its decimal number or «Módulo 2», in sentence case, at most 90 characters."""
    text = " ".join(heading.split())
    for pattern in (_MARK, _DIVISION, _NUMBER, _MARK, _STRAY_LETTER):
        shorter = pattern.sub("", text)
        text = shorter if len(_WORD.findall(shorter)) else text
    text = capitalized(casing.sentence(text)).rstrip(" .:;,–—-")
    labelled = _LABELLED.match(text)
    if labelled and labelled.end() < len(text):
        topic = capitalized(casing.sentence(text[labelled.end() :]))
        text = f"{capitalized(labelled['label'].lower())} {labelled['number'].rstrip('.:')}. {topic}"
    return shortened(text)


def shortened(text: str, limit: int = MAX_TITLE_CHARS) -> str:
    """The text cut between words, with an ellipsis where something was left out."""
    if len(text) <= limit:
        return text
    return text[: text.rfind(" ", 0, limit)].rstrip(" .,;:…") + "…"


def joint_title(titles: Sequence[str], parent: str = "") -> str:
    """One title for several sections in a row: «Artículos 4 a 7: Exactitud de los datos», «Objetivos y programas».

    `parent` names the heading that three or more of them stand under, and comes first.
    """
    if len(titles) == 1:
        return titles[0]
    labels = [match for title in titles if (match := _LABELLED.match(title))]
    if len(labels) == len(titles):
        return _range_title(titles, labels)
    if len(titles) > 2 and parent:
        return shortened(f"{parent}: {_lowered(titles[0])}")
    joined = titles[0].rstrip(".")
    for at, title in enumerate(titles[1:], start=2):
        link = _and(title) if at == len(titles) else ", "
        longer = f"{joined}{link}{_lowered(title.rstrip('.'))}"
        if len(longer) > MAX_TITLE_CHARS:
            return shortened(f"{joined} y más")
        joined = longer
    return joined


def _and(title: str) -> str:
    """«y», or «e» before its own sound."""
    return " e " if re.match(r"h?i(?!e)", title.lower()) or title.lower().startswith("hí") else " y "


def _range_title(titles: Sequence[str], labels: Sequence[re.Match[str]]) -> str:
    names = [match["label"].lower() for match in labels]
    topics = [title[match.end() :].rstrip(".") for title, match in zip(titles, labels, strict=True)]
    if len(set(names)) > 1:
        topics = [topic for topic in topics if topic]
        return joint_title(topics) if topics else shortened(f"{titles[0]} y más")
    plural = _PLURALS.get(names[0]) or capitalized(names[0].replace("disposición", "disposiciones") + "es")
    first, last = (labels[at]["number"].rstrip(".:)") for at in (0, -1))
    link = "y" if len(titles) == 2 else "a"
    named = f"{plural} {first} {link} {last}"
    topics = [topic for topic in topics if topic]
    if not topics:
        return named
    for several in (joint_title(topics), f"{topics[0]} y más"):
        if len(f"{named}: {several}") <= MAX_TITLE_CHARS and "…" not in several:
            return f"{named}: {several}"
    return shortened(f"{named}: {topics[0]}")


def _lowered(title: str) -> str:
    """A title inside a sentence: its first word in lower case unless it is an acronym or a name of its own."""
    first = title.split(" ", 1)[0]
    at = next((at for at, letter in enumerate(title) if letter.isalpha()), 0)  # past «¿» and the like
    return title if sum(letter.isupper() for letter in first) > 1 else title[:at] + title[at].lower() + title[at + 1 :]
