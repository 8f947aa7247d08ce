"""Whether each sentence of a language model's answer stands in the passages it cites. Pure."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from retrieval.types import Passage
from tutor.contradictions import (
    SAME_MATTER,
    affirms_the_forbidden,
    contradicts,
    denies_the_allowed,
    sentences_of,
    words_of_matter,
)
from tutor.grounding import cited_numbers, without_markers
from tutor.injections import without_orders
from tutor.quantities import Quantity, counted, quantities, stands
from tutor.wording import compact, stems, word_count

# Half of what a sentence adds to the question must stand in its passages. By benchmarks/claims.py: lower lets sentences
# pass that are from elsewhere in the document, higher drops those that other words make of what stands there.
MIN_SUPPORT = 0.5
MIN_WORDS = 2  # sentences that add less than this to the question say nothing that could be checked
QUOTED_WORDS = 4  # shorter ones are names of buttons and forms

_MARKERS = r"(?:[ \t]*\[\s*fuentes?\s[^\]]*\])"
_SENTENCE = re.compile(rf".+?(?:[.!?…](?=\s|\[|$){_MARKERS}*|$)(?:\s+|$)|.+$", re.IGNORECASE)
_ITEM = re.compile(r"^\s*(?:[-*•]|\d{1,3}[.)])\s+")
_QUOTED = re.compile(r"«([^«»]+)»|“([^“”]+)”|\"([^\"\n]+)\"")


@dataclass(frozen=True, slots=True)
class CheckedClaims:
    """A draft without the sentences that its sources do not bear out, and those sentences."""

    text: str
    dropped: tuple[str, ...] = ()


def check_claims(draft: str, passages: Mapping[int, Passage], *, question: str, language: str = "es") -> CheckedClaims:
    """Drop from `draft` every sentence that the passages it cites do not bear out.

    A sentence is judged against the passages its own markers name, one without markers against those of the next
    sentence of its paragraph that has some, else against all that the draft cites. It is kept when

    - its figures stand in them (or in the question), spelled out or not, with what they count,
    - what it quotes, four words or more, stands there word for word,
    - half of its meaningful words beyond the question's stand there,
    - and the sentence that says the same there does not say it otherwise: denied, with another number, by the opposite
      word, of somebody else.

    Orders to a language model that a document holds bear nothing out. Of a sentence whose passages are all in
    another language than the draft's only figures and quotes are asked for. Markers that name no passage are left to
    `grounding.ground`.
    """
    cited_by_all = [number for number in dict.fromkeys(cited_numbers(draft)) if number in passages]
    texts = {number: _Evidence.of(passages[number]) for number in cited_by_all}
    asked = _Asked.of(question, language)
    kept_lines: list[str] = []
    dropped: list[str] = []
    for line in draft.split("\n"):
        mark = _ITEM.match(line)
        head, body = (line[: mark.end()], line[mark.end() :]) if mark else ("", line)
        sentences = [sentence for sentence in _SENTENCE.findall(body) if sentence.strip()]
        kept = []
        for position, sentence in enumerate(sentences):
            own = _sources_of(sentences[position:], texts) or cited_by_all
            evidence = [texts[number] for number in own]
            if _is_borne_out(sentence, evidence, asked):
                kept.append(sentence)
            else:
                dropped.append(without_markers(sentence).strip())
        if kept or not body.strip():
            kept_lines.append(head + "".join(kept).rstrip())
    return CheckedClaims(_without_idle_leads(kept_lines), tuple(dropped))


@dataclass(frozen=True, slots=True)
class _Asked:
    question: str
    words: frozenset[str]
    quantities: tuple[Quantity, ...]
    language: str

    @classmethod
    def of(cls, question: str, language: str) -> "_Asked":
        return cls(question, stems(question), tuple(quantities(question, language=language)), language)


@dataclass(frozen=True, slots=True)
class _Evidence:
    text: str
    language: str

    @classmethod
    def of(cls, passage: Passage) -> "_Evidence":
        return cls(_evidence(passage), passage.language)


def _evidence(passage: Passage) -> str:
    return "\n".join(map(without_orders, (passage.document_title, *passage.heading_path, passage.text)))


def _sources_of(sentences: Sequence[str], known: Collection[int]) -> list[int]:
    """The passages named by the first of `sentences` that names any."""
    for sentence in sentences:
        named = [number for number in cited_numbers(sentence) if number in known]
        if named:
            return named
    return []


def _is_borne_out(sentence: str, evidence: Sequence[_Evidence], asked: _Asked) -> bool:
    claim = without_markers(sentence).strip()
    text = "\n".join(one.text for one in evidence)
    languages = {one.language for one in evidence}
    compares_words = asked.language in languages
    known = {*asked.quantities}.union(*(quantities(one.text, language=one.language) for one in evidence))
    # A figure may be copied from a passage in another language as it is written there, or be written anew.
    if not any(
        all(stands(one, known) for one in counted(claim, spelled=compares_words, language=language))
        for language in {asked.language, *languages}
    ):
        return False
    if any(compact(quote) not in compact(text) for quote in _quotes(claim)):
        return False
    if not compares_words:
        return True
    words = stems(claim)
    added = words - asked.words
    if len(added) >= MIN_WORDS and len(added & stems(text)) < MIN_SUPPORT * len(added):
        return False
    return not _is_contradicted(claim, words, evidence, asked.question)


def _is_contradicted(claim: str, words: frozenset[str], evidence: Sequence[_Evidence], question: str) -> bool:
    """Whether the passages' sentences that say the same all say it otherwise. Of a claim of few words only what it
    allows or denies is compared: «el tique» against «sin tique no se devuelve» is no contradiction.
    """
    if len(words_of_matter(claim)) <= MIN_WORDS:
        sentences = [one for there in evidence for one in sentences_of(there.text)]
        return affirms_the_forbidden(claim, sentences, question) or denies_the_allowed(claim, sentences, question)
    same = [
        (sentence, there)
        for there in evidence
        for sentence in sentences_of(there.text)
        if len(words & stems(sentence)) >= SAME_MATTER * len(words)
    ]
    return bool(same) and all(
        contradicts(claim, sentence, text=there.text, question=question, language=there.language)
        for sentence, there in same
    )


def _quotes(claim: str) -> Iterator[str]:
    for match in _QUOTED.finditer(claim):
        quote = next(group for group in match.groups() if group is not None).strip(" .…")
        if word_count(quote) >= QUOTED_WORDS:
            yield quote


def _without_idle_leads(lines: Sequence[str]) -> str:
    """The lines, without those that announce a list («Los pasos son:») of which nothing is left."""
    kept: list[str] = []
    for position, line in enumerate(lines):
        following = next((later for later in lines[position + 1 :] if later.strip()), "")
        announces = without_markers(line).rstrip().endswith(":") and not _ITEM.match(line)
        if announces and not following:
            continue
        kept.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()
