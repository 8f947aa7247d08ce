"""Whether each sentence of a language model's answer stands in the passages it cites. Pure."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from retrieval.types import Passage
from tutor.grounding import cited_numbers, without_markers
from tutor.injections import without_orders
from tutor.wording import compact, fold, stems, word_count

# Half of what a sentence adds to the question must stand in its passages. Set by hand, not calibrated: lower lets
# sentences pass that share chance words, higher drops faithful paraphrases.
MIN_SUPPORT = 0.5
MIN_WORDS = 2  # sentences that add less than this to the question say nothing that could be checked
QUOTED_WORDS = 4  # shorter ones are names of buttons and forms
SAME_MATTER = 0.75  # share of a claim's words in one sentence of a passage: the two speak of the same

_MARKERS = r"(?:[ \t]*\[\s*fuentes?\s[^\]]*\])"
_SENTENCE = re.compile(rf".+?(?:[.!?…](?=\s|\[|$){_MARKERS}*|$)(?:\s+|$)|.+$", re.IGNORECASE)
_ITEM = re.compile(r"^\s*(?:[-*•]|\d{1,3}[.)])\s+")
_FIGURE = re.compile(r"\d+(?:[.,:/]\d+)*")
_QUOTED = re.compile(r"«([^«»]+)»|“([^“”]+)”|\"([^\"\n]+)\"")
_NEGATION = re.compile(
    r"\b(?:no|nunca|jamas|tampoco|ningun|ninguna|prohibid[oa]s?|prohibe|imposible|sin|not|never|cannot|nao|pas)\b"
)
_WORD = re.compile(r"\w+")
_PASSAGE_SENTENCE = re.compile(r"[^.!?\n]+")


@dataclass(frozen=True, slots=True)
class CheckedClaims:
    """A draft without the sentences that its sources do not bear out, and those sentences."""

    text: str
    dropped: tuple[str, ...] = ()


def check_claims(
    draft: str, passages: Mapping[int, Passage], *, question: str, compares_words: bool = True
) -> CheckedClaims:
    """Drop from `draft` every sentence that the passages it cites do not bear out.

    A sentence is judged against the passages its own markers name, one without markers against those of the next
    sentence of its paragraph that has some, else against all that the draft cites. It is kept when

    - its figures stand in them (or in the question),
    - what it quotes, four words or more, stands there word for word,
    - half of its meaningful words beyond the question's stand there,
    - and the sentence that says the same there is not denied where it is affirmed, nor the other way round.

    Orders to a language model that a document holds bear nothing out. `compares_words=False` asks only for figures
    and quotes: for answers in another language than the passages. Markers that name no passage are left to
    `grounding.ground`.
    """
    cited_by_all = [number for number in dict.fromkeys(cited_numbers(draft)) if number in passages]
    texts = {number: _evidence(passages[number]) for number in cited_by_all}
    asked = _Asked.of(question)
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
            if _is_borne_out(sentence, evidence, asked, compares_words=compares_words):
                kept.append(sentence)
            else:
                dropped.append(without_markers(sentence).strip())
        if kept or not body.strip():
            kept_lines.append(head + "".join(kept).rstrip())
    return CheckedClaims(_without_idle_leads(kept_lines), tuple(dropped))


@dataclass(frozen=True, slots=True)
class _Asked:
    words: frozenset[str]
    figures: frozenset[str]

    @classmethod
    def of(cls, question: str) -> "_Asked":
        return cls(stems(question), frozenset(_figures(question)))


def _evidence(passage: Passage) -> str:
    return "\n".join((passage.document_title, *passage.heading_path, without_orders(passage.text)))


def _sources_of(sentences: Sequence[str], known: Collection[int]) -> list[int]:
    """The passages named by the first of `sentences` that names any."""
    for sentence in sentences:
        named = [number for number in cited_numbers(sentence) if number in known]
        if named:
            return named
    return []


def _is_borne_out(sentence: str, evidence: Sequence[str], asked: _Asked, *, compares_words: bool) -> bool:
    claim = without_markers(sentence).strip()
    text = "\n".join(evidence)
    if not set(_figures(claim)) <= set(_figures(text)) | asked.figures:
        return False
    if any(compact(quote) not in compact(text) for quote in _quotes(claim)):
        return False
    if not compares_words:
        return True
    words = stems(claim)
    added = words - asked.words
    if len(added) >= MIN_WORDS and len(added & stems(text)) < MIN_SUPPORT * len(added):
        return False
    return not _is_denied(claim, words, evidence)


def _is_denied(claim: str, words: frozenset[str], evidence: Sequence[str]) -> bool:
    """Whether the passages' sentences that say the same all deny what the claim affirms, or affirm what it denies."""
    if len(words) <= MIN_WORDS:
        return False
    same = [
        sentence
        for text in evidence
        for sentence in _PASSAGE_SENTENCE.findall(text)
        if len(words & stems(sentence)) >= SAME_MATTER * len(words)
    ]
    denied = _denied_words(claim)
    return bool(same) and all((denied ^ _denied_words(sentence)) & words & stems(sentence) for sentence in same)


def _denied_words(text: str) -> frozenset[str]:
    """The stems of the words that a negation bears on: the first one with a meaning after each."""
    folded = fold(text)
    found: set[str] = set()
    for match in _NEGATION.finditer(folded):
        following = (stems(word) for word in _WORD.findall(folded[match.end() :]))
        found |= next((meaning for meaning in following if meaning), frozenset())
    return frozenset(found)


def _figures(text: str) -> Iterator[str]:
    """The numbers of `text`, each also without what parts its thousands."""
    for figure in _FIGURE.findall(text):
        yield re.sub(r"[.,](?=\d{3}\b)", "", figure).replace(",", ".")


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
