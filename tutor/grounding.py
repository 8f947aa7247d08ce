"""Citation markers to passages: what an answer may point at, and the words it points at. Pure."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from retrieval.types import Passage
from tutor.cutting import cut_units
from tutor.injections import without_echoes
from tutor.wording import compact, fold, stem, stems, word_count

QUOTE_WORDS = 80
CITATIONS_A_DOCUMENT = 2
SHORT_ANSWER_WORDS = 5  # such an answer ("Sí.", "30 días") may share no word with its source

_LIST = r"\d+(?:\s*(?:[,;]|\b(?:y|e|and)\b)\s*(?:fuentes?\s+)?\d+)*\b"
# What may follow the numbers between brackets: the place, behind a sign («[Fuente 2: Manual, pág. 4]») or as a page.
_PLACE = r"(?:\s*(?:[^\w\s\]】]|p[áa]gs?\b|p\.)[^\]】\n]*)?"
# Escaped ones too: a document's words become Markdown when they are proposed as an answer.
_MARKER = re.compile(rf"[ \t]*\\?\[\s*fuentes?\s+(?P<numbers>{_LIST}){_PLACE}\s*\]", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"\S+")
# As models write them all the same: [2], [^2], [1, 3], 【2】, (Fuente 2), [Source 2]. Bare numbers have two digits at
# most (years and lots have more) and do not begin a link. They follow a space or a sign; behind a letter they end
# something («30 días[1].»), for «lista[1]» is an index.
_NAME = r"(?:fuentes?|sources?|fontes?|quellen?)"
_BARE = r"\[\^?[1-9]\d?(?:\s*[,;y]\s*[1-9]\d?)*\](?!\()"
_SPELLED = re.compile(
    rf"[ \t]*[\[【]\s*{_NAME}\s+(?P<named>{_LIST}){_PLACE}\s*[\]】]"
    rf"|[ \t]*\(\s*{_NAME}\s+(?P<rounded>{_LIST})(?:\s*[,:][^)\n]*)?\s*\)"
    rf"|(?:(?<=[^\s(\[])[ \t]+|(?<=[^\w\s(\[\]]))(?P<bare>{_BARE}(?:[ \t]*{_BARE})*)"
    rf"|(?<=\w)(?P<ending>{_BARE}(?:[ \t]*{_BARE})*)(?=[ \t]*(?:[.,;:!?…)]|$))"
    r"|[ \t]*【(?P<square>\d{1,2})[^】\n]{0,20}】",
    re.IGNORECASE | re.MULTILINE,
)
_APART = re.compile(r"(?<![\w\].,;!?…»”)%])(?:\[[^\[\]\n]+\]|\([^()\n]+\))")
_NUMBERED = re.compile(r"\[[\d\s,;y^]+\]")
_NOTE = re.compile(r"(?m)^[ \t]*(\[\^?\d+\])")  # what is put at a line's beginning explains, and is nothing to press
_BEHIND = re.compile(r"\b(\w+)\s*(\[[^\[\]\n]+\])")
_LAST_WORD = re.compile(r"\b\w+(?:\s*\[[^\[\]]*\])*\s*\Z")
_SPACED_BARE = re.compile(rf"[ \t]*{_BARE}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Source:
    """A passage as the draft numbers it. `quote` and `focus` are words of its text; empty: to be found."""

    number: int
    passage: Passage
    relevance: float  # in [0, 1]
    quote: str = ""
    focus: str = ""  # the part of the quote that says it, for finding the page


@dataclass(frozen=True, slots=True)
class GroundedCitation:
    number: int  # from 1, in order of appearance
    passage: Passage
    quote: str  # at most 80 words, word for word in the passage's text
    focus: str
    relevance: float


@dataclass(frozen=True, slots=True)
class Grounded:
    """An answer whose markers `[Fuente N]` name its citations, each at least once. Without citations it is
    empty.
    """

    text: str
    citations: tuple[GroundedCitation, ...] = ()


def ground(draft: str, sources: Iterable[Source]) -> Grounded:
    """Check a draft's markers against its sources.

    Markers that name no source are removed. So are those of a passage that shares no meaningful word with the
    answer (unless the answer is very short), and of all but the two most relevant sources of a document. The
    rest are numbered from 1 in order of appearance. With none left, nothing of the draft may be shown.
    """
    by_number = {source.number: source for source in sources}
    cited = [by_number[number] for number in dict.fromkeys(cited_numbers(draft)) if number in by_number]
    kept = _most_relevant([source for source in cited if _shares_words(draft, source.passage)])
    citations: list[GroundedCitation] = []
    numbers: dict[int, int] = {}
    for source in kept:
        quote, focus = (source.quote, source.focus or source.quote) if source.quote else _find_quote(draft, source)
        if not verify_quote(quote, source.passage.text):
            continue
        numbers[source.number] = len(citations) + 1
        citations.append(GroundedCitation(numbers[source.number], source.passage, quote, focus, source.relevance))
    if not citations:
        return Grounded("")
    return Grounded(renumbered(draft, numbers), tuple(citations))


def cited_numbers(text: str) -> list[int]:
    """The numbers that the markers of `text` name, in order, with repetitions."""
    return [int(number) for marker in _MARKER.finditer(text) for number in _NUMBER.findall(marker["numbers"])]


def with_usual_markers(text: str, passages: Sequence[Passage] = ()) -> str:
    """A language model's text with its markers written as `[Fuente N]`, whichever way it wrote them, and without the
    marks of prompts and chat templates that weak models repeat.

    Brackets that stand in one of its passages as they are («la tecla [5]») are the document's words and stay. Where the
    text names its sources, so do bare numbers, but those that no passage has.
    """
    text = without_echoes(text)
    known = _Brackets.of(passages)
    names_sources = any(marker["named"] or marker["square"] for marker in _SPELLED.finditer(text))

    def usual(marker: re.Match[str]) -> str:
        before = text[: marker.start()]
        if numbers := marker["named"] or marker["square"]:
            return _as_markers(numbers)
        if marker["rounded"]:
            return marker[0] if known.have(marker[0], before) else _as_markers(marker["rounded"])
        return _SPACED_BARE.sub(lambda bracket: bare(bracket[0], before + marker[0][: bracket.start()]), marker[0])

    def bare(bracket: str, before: str) -> str:
        is_own = known.have(bracket, before) or (names_sources and known.may_have_numbers_of(bracket))
        return bracket if is_own else _as_markers(bracket)

    return _SPELLED.sub(usual, text)


def _as_markers(numbers: str) -> str:
    return "".join(f" [Fuente {int(number)}]" for number in _NUMBER.findall(numbers))


@dataclass(frozen=True, slots=True)
class _Brackets:
    """What a model's passages have of brackets and numbers. Without passages anything may stand in them."""

    apart: frozenset[str]
    behind: frozenset[tuple[str, str]]  # with the stem of the word before
    written: str
    numbers: frozenset[str]
    count: int  # of passages

    @classmethod
    def of(cls, passages: Sequence[Passage]) -> "_Brackets":
        texts = [text for passage in passages for text in (*passage.heading_path, passage.text)]
        own = "\n".join(map(_without_notes, texts))
        return cls(
            frozenset(map(_unspaced, _APART.findall("\n".join(texts)))),
            frozenset((stem(fold(word)), _unspaced(bracket)) for word, bracket in _BEHIND.findall(own)),
            _unspaced(own),
            frozenset(number for passage in passages for number in _NUMBER.findall(passage.text)),
            len(passages),
        )

    def have(self, bracket: str, before: str) -> bool:
        """Whether they have the bracket apart, or behind its last word in `before`; what follows another word or a
        full stop at once is a note («dos años.[1]»). Numbers that name a passage must have their word before them, or
        one document's «opción [1]» would undo every marker of the first source.
        """
        written = _unspaced(bracket)
        if self._names_a_passage(written):
            return self._have_behind(before, written)
        return written in self.apart or self._have_behind(before, written)

    def _names_a_passage(self, written: str) -> bool:
        return _NUMBERED.fullmatch(written) is not None and all(
            int(number) <= self.count for number in _NUMBER.findall(written)
        )

    def _have_behind(self, before: str, written: str) -> bool:
        word = _LAST_WORD.search(before)
        return word is not None and (
            (stem(fold(word[0].strip())), written) in self.behind or _unspaced(word[0]) + written in self.written
        )

    def may_have_numbers_of(self, bracket: str) -> bool:
        return not self.count or self.numbers.issuperset(_NUMBER.findall(bracket))


def _without_notes(text: str) -> str:
    notes = set(_NOTE.findall(text))
    return re.sub("|".join(map(re.escape, notes)), "\n", text) if notes else text


def _unspaced(text: str) -> str:
    return re.sub(r"\s+", "", text).casefold()


def without_markers(text: str) -> str:
    return _MARKER.sub("", text)


def renumbered(text: str, numbers: Mapping[int, int]) -> str:
    """`text` with its markers naming what `numbers` gives for theirs; those it gives nothing for are left out."""

    def written(marker: re.Match[str]) -> str:
        named = dict.fromkeys(numbers[int(n)] for n in _NUMBER.findall(marker["numbers"]) if int(n) in numbers)
        return "".join(f" [Fuente {number}]" for number in named)

    text = _MARKER.sub(written, text)
    text = re.sub(r"(\[Fuente \d+\])(?:\s*\1)+", r"\1", text)
    return re.sub(r"(?m)^ (?=\[Fuente)", "", text).strip()


def verify_quote(quote: str, text: str) -> bool:
    """Whether `quote` has 1 to 80 words and stands word for word in `text`; white space, case and accents are
    free.
    """
    return 0 < word_count(quote) <= QUOTE_WORDS and compact(quote) in compact(text)


def clip_quote(text: str, words: int = QUOTE_WORDS) -> str:
    """The first `words` words of `text`, as they stand there, never cut inside what stands between two spaces."""
    end = count = 0
    for match in _WORD.finditer(text):
        count += word_count(match[0])
        if count > words:
            return text[:end].strip()
        end = match.end()
    return text.strip()


def _most_relevant(sources: Sequence[Source]) -> list[Source]:
    """At most two sources of each document, in the order given."""
    kept: set[int] = set()
    per_document: dict[int, int] = {}
    for source in sorted(sources, key=lambda source: -source.relevance):
        count = per_document.get(source.passage.document_id, 0)
        if count < CITATIONS_A_DOCUMENT:
            per_document[source.passage.document_id] = count + 1
            kept.add(source.number)
    return [source for source in sources if source.number in kept]


def _shares_words(draft: str, passage: Passage) -> bool:
    answer = without_markers(draft)
    if word_count(answer) <= SHORT_ANSWER_WORDS:
        return True
    return not stems(answer).isdisjoint(stems(" ".join((passage.text, *passage.heading_path))))


def _find_quote(draft: str, source: Source) -> tuple[str, str]:
    """The paragraph of the passage that the claims before the source's markers rest on, and its best
    sentence.
    """
    claims = frozenset().union(*(stems(claim) for claim in _claims(draft, source.number)))
    text = source.passage.text
    units = [unit for unit in cut_units(text) if unit.may_answer]
    if not units:
        return clip_quote(text), ""
    best = max(units, key=lambda unit: _overlap(claims, unit.text))
    paragraph = text[slice(*best.paragraph)]
    if word_count(paragraph) <= QUOTE_WORDS:
        return paragraph, best.text
    return clip_quote(best.text), best.text


def _claims(draft: str, number: int) -> Iterable[str]:
    """What stands before each marker of `number`, back to the end of the sentence before."""
    for marker in _MARKER.finditer(draft):
        if str(number) in _NUMBER.findall(marker["numbers"]):
            line = without_markers(draft[draft.rfind("\n", 0, marker.start()) + 1 : marker.start()])
            yield re.split(r"(?<=[.!?])\s+", line.strip())[-1]


def _overlap(claim: frozenset[str], text: str) -> float:
    words = stems(text)
    return len(claim & words) / math.sqrt(len(words) + 5)  # long sentences share words by chance
