"""Sentences of a text: Spanish first, and good enough for English and its other neighbours in western Europe.

A full stop ends a sentence unless it belongs to an abbreviation, an initial or a list number, or the text
goes on in lower case. A stop with no white space behind it (3.5, www.example.org, op.exp.8, 1.º) is no end.
"""

import re


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# What follows these belongs to them, whatever its case: "el Sr. López", "la pág. 4", "EE. UU.".
_NEVER_LAST = _words(
    """
    sr sra sres sras srta srtas ayto dr dra dres dras d dña dñas prof profa ing arq lic ldo lda excmo
    excma excmos ilmo ilma ilmos mons hno hna sto sta pág págs pag pags pg vol vols art arts núm núms
    num cap caps fig figs tab ed apdo apart párr lám av avda avd pza urb ctra ej cf cfr vid ee rr ff oo
    jj pp vs dpto depto dto mr mrs ms st rev gen col capt mme mlle dott sig sigg nr hr bzw exmo exma
    """
)
# These may be the last word: the sentence ends when a capital follows ("… tornillos, etc. El resto").
_MAYBE_LAST = _words(
    """
    etc ud uds vd vds aprox máx mín max min seg hs kg km cm mm ml tel tlf tfno fax ext izda izq dcha cía
    cia inc ltd corp jr usw ecc uu hh cc aa eds ss ref pzo
    """
)
_NUMBER_ABBREVIATIONS = frozenset({"no", "nos", "nº", "p", "c", "v", "n", "f", "t"})  # only before a number
_CLOSERS = ")]}»”’\"'›"
_OPENERS = "([{«“‘\"'‹¿¡—–-*_•·"
_STOPS_AND_CLOSERS = frozenset(".!?…" + _CLOSERS)
_INITIAL = re.compile(r"[A-ZÁÉÍÓÚÑÇ]\.")
_GERMAN_MONTHS = re.compile(r"(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b")

_CANDIDATE = re.compile(rf"(?P<stop>[.!?…]+)(?P<closers>[{re.escape(_CLOSERS)}]*)(?P<gap>\s+)|(?P<line>\n\s*)")
_LIST_MARK = re.compile(r"(?:[-*•·▪◦–—]|\(?\d{1,3}[.)]|\(?[A-Za-z][.)])\s")
_MOST_OPENERS = 100  # characters to look through for the letter that a sentence begins with
_LONGEST_ASIDE = 80  # characters between a stop inside brackets and their end
_BRACKETS = (  # a letter alone before it is in a list: «a) …»
    ("(", ")", re.compile(r"[^()\n]*(?<!\s\w)\)")),
    ("[", "]", re.compile(r"[^\[\]\n]*\]")),
)
_LABEL = re.compile(r"\(?(?:\d{1,3}(?:\.\d{1,3})*[ºª]?|[A-Za-z]|[IVXL]{1,6}|[ivx]{1,5})")  # "1", "3.2", "a", "IV"
_PAIRED_END = re.compile(  # abbreviations of several letters that may end a sentence
    r"\b(?:S\. ?[AL](?:\. ?U)?|EE\. ?UU|RR\. ?HH|[ap]\. ?m|[ad]\. ?C|U\. ?S(?:\. ?A)?)$"
)


def split_sentences(text: str) -> list[str]:
    """The sentences of `text` in order, without the white space around them. An empty text has none."""
    return [text[start:end] for start, end in sentence_spans(text)]


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Where each sentence stands in `text`, in characters, end exclusive.

    Spans are ordered, never overlap, and leave out nothing but white space. A blank line always ends a
    sentence; so does a line break before a list mark or a capital, or behind `:` and `;`. Others are soft.
    """
    spans: list[tuple[int, int]] = []
    start = len(text) - len(text.lstrip())
    for match in _CANDIDATE.finditer(text):
        if match.start() < start:
            continue
        gap_start = match.start("line") if match["line"] is not None else match.start("gap")
        if match.end() >= len(text):
            break
        gap = text[gap_start : match.end()]
        if _ends_at_line_break(text, gap, gap_start, match.end()) or (
            match["stop"] is not None and _ends_at_stop(text, start, match)
        ):
            end = start + len(text[start:gap_start].rstrip())
            if end > start:
                spans.append((start, end))
            start = match.end()
    end = len(text.rstrip())
    if end > start:
        spans.append((start, end))
    return spans


def _ends_at_line_break(text: str, gap: str, before: int, after: int) -> bool:
    breaks = gap.count("\n")
    if breaks != 1:
        return breaks > 1
    if _LIST_MARK.match(text, after):
        return True
    while before > 0 and text[before - 1].isspace():
        before -= 1
    last = text[before - 1 : before]
    if last in (":", ";"):
        return True
    if last in _STOPS_AND_CLOSERS:
        return False  # the rules for stops decide, so that "Sr.\nLópez" stays whole
    return _next_letter(text, after).isupper()


def _next_letter(text: str, position: int) -> str:
    """The first character at or behind `position` that is no opening sign; empty at the end of the text. Behind very
    many of them, one of them.
    """
    end = min(len(text), position + _MOST_OPENERS)
    while position < end and (text[position] in _OPENERS or text[position].isspace()):
        position += 1
    return text[position : position + 1]


def _ends_at_stop(text: str, start: int, match: re.Match[str]) -> bool:
    following = _next_letter(text, match.end())
    if following.islower() or _is_inside_brackets(text, start, match.end("closers")):
        return False
    stop = match["stop"]
    if stop != "." or match["closers"]:
        return True
    return not _is_abbreviation(text, start, match.start(), match.end(), following)


def _is_inside_brackets(text: str, start: int, after: int) -> bool:
    """Whether a bracket that was opened within the sentence is closed soon behind the stop: «(t.o. 1991)»."""
    before = text[start:after]
    return any(
        before.count(opener) > before.count(closer)
        and before.partition(opener)[0].strip(_OPENERS + " ")
        and closes.match(text, after, after + _LONGEST_ASIDE)
        for opener, closer, closes in _BRACKETS
    )


def _is_abbreviation(text: str, start: int, dot: int, after: int, following: str) -> bool:
    """Whether the stop at `dot`, in the sentence that began at `start`, belongs to the word before it."""
    word_start = dot
    while word_start > start and not text[word_start - 1].isspace() and text[word_start - 1] not in _OPENERS + "/":
        word_start -= 1
    word = text[word_start:dot]
    lowered = word.casefold()
    if not text[start:word_start].strip(_OPENERS + " ") and _LABEL.fullmatch(word):
        return True  # "1. Abrir", "a. Abrir", "IV. Del precio" at the start
    if _PAIRED_END.search(text, max(start, dot - 9), dot):
        return not following.isupper()
    if lowered in _NEVER_LAST:
        return True
    if lowered in _MAYBE_LAST:
        return not (following.isupper() or text[after] in "¿¡")
    if lowered in _NUMBER_ABBREVIATIONS and following.isdigit():
        return True
    if len(word) == 1 and word.isalpha():
        return _INITIAL.match(text, after) is not None or (word.isupper() and _is_initial(text, start, word_start))
    return word.isdigit() and len(word) <= 2 and _GERMAN_MONTHS.match(text, after) is not None


def _is_initial(text: str, start: int, word_start: int) -> bool:
    """A lone capital is an initial beside a name ("Juan A. Pérez"), not in "vitamina C." or "plan B."."""
    before = text[start:word_start].split()
    return not before or before[-1].endswith(".") or before[-1].lstrip(_OPENERS)[:1].isupper()
