"""A list of passages that do not repeat each other (pure)."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from retrieval.types import Hit

NEAR_DUPLICATE = 0.7  # share of the words of two bodies that both hold, from which they say the same
RELEVANCE_WEIGHT = 0.6  # λ of maximal marginal relevance
MAX_A_DOCUMENT = 3
FURTHER_HIT_COST = 0.1  # for each hit that a document already has in the list

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Body:
    """What is compared of a chunk: its own text, never the title and headings that neighbours share."""

    document_id: int
    content_hash: str
    words: frozenset[str] = field(repr=False)

    @classmethod
    def of(cls, document_id: int, content_hash: str, text: str) -> "Body":
        return cls(document_id, content_hash, frozenset(_WORD.findall(text.casefold())))


def similarity(one: Body, other: Body) -> float:
    """How much two bodies say the same, in [0, 1]: 1 for equal ones, else the Jaccard index of their words."""
    if one.content_hash == other.content_hash:
        return 1.0
    shared = len(one.words & other.words)
    union = len(one.words) + len(other.words) - shared
    return shared / union if union else 0.0


def without_near_duplicates(hits: Sequence[Hit], bodies: Sequence[Body]) -> tuple[list[Hit], list[Body]]:
    """The hits, best first, without those that repeat a better one. Bodies in the hits' order; so they are returned.

    Numbers make the difference between otherwise like passages (the rows of two price lists, two versions of a rule):
    bodies with different ones are not duplicates unless their hashes agree.
    """
    kept: list[tuple[Hit, Body]] = []
    for hit, body in zip(hits, bodies, strict=True):
        if not any(_repeats(body, better) for _hit, better in kept):
            kept.append((hit, body))
    return [hit for hit, _body in kept], [body for _hit, body in kept]


def _repeats(body: Body, better: Body) -> bool:
    fewer, more = sorted((len(body.words), len(better.words)))
    if fewer <= NEAR_DUPLICATE * more and body.content_hash != better.content_hash:
        return False  # even if one holds all words of the other
    alike = similarity(body, better)
    return alike == 1.0 or (alike > NEAR_DUPLICATE and _numbers(body) == _numbers(better))


def _numbers(body: Body) -> frozenset[str]:
    return frozenset(word for word in body.words if any(character.isdigit() for character in word))


def maximal_marginal_relevance(hits: Sequence[Hit], bodies: Sequence[Body], *, limit: int) -> list[Hit]:
    """At most `limit` hits, each the one that is most relevant and least like those before it.

    Scores are taken on the candidates' own range. Where the hits come from several documents, each further hit of a
    document costs a little, and no document gives more than MAX_A_DOCUMENT.
    Source: Carbonell and Goldstein, "The Use of MMR", SIGIR 1998; the costs by document are ours.
    """
    if not hits:
        return []
    lowest, highest = min(hit.score for hit in hits), max(hit.score for hit in hits)
    relevance = [(hit.score - lowest) / (highest - lowest) if highest > lowest else 1.0 for hit in hits]
    has_several_documents = len({body.document_id for body in bodies}) > 1
    taken: Counter[int] = Counter()
    chosen: list[int] = []
    likeness = [0.0] * len(hits)  # to the most similar one chosen so far
    left = list(range(len(hits)))

    def value(index: int) -> float:
        cost = FURTHER_HIT_COST * taken[bodies[index].document_id] if has_several_documents else 0.0
        return RELEVANCE_WEIGHT * relevance[index] - (1 - RELEVANCE_WEIGHT) * likeness[index] - cost

    while left and len(chosen) < limit:
        best = max(left, key=lambda index: (value(index), -index))
        chosen.append(best)
        document_id = bodies[best].document_id
        taken[document_id] += 1
        is_full = has_several_documents and taken[document_id] >= MAX_A_DOCUMENT
        left = [index for index in left if index != best and not (is_full and bodies[index].document_id == document_id)]
        for index in left:
            likeness[index] = max(likeness[index], similarity(bodies[index], bodies[best]))
    return [hits[index] for index in chosen]
