"""What goes into a search and what comes out. Pure data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal
from uuid import UUID

from documents.access import Reader
from documents.token_vectors import TokenVectors

Mode = Literal["hybrid", "vector", "keyword"]
Leg = Literal["semantic", "keyword"]
Rerank = Literal["none", "late_interaction", "cross_encoder", "api"]


@dataclass(frozen=True, slots=True)
class SearchScope:
    """Whose documents are searched, on whose behalf, and which of them. Empty filters mean all."""

    organization_id: UUID
    reader: Reader
    document_ids: tuple[int, ...] = ()
    course_id: int | None = None
    collection_id: int | None = None
    media_type: str = ""
    tags: tuple[str, ...] = ()
    since: date | None = None  # ingestion date window, both ends included
    until: date | None = None


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """The numbers of every stage. Defaults are what ships; `evaluate` varies them."""

    mode: Mode = "hybrid"
    rerank: Rerank = "late_interaction"
    alpha: float = 0.5  # weight of the semantic leg in the fusion
    candidates: int = 30  # of each leg
    rrf_k: int = 60
    rrf_strength: float = 0.002  # how much a leg's own scores count beside its ranks, see retrieval.fusion
    reranked: int = 30  # of the fused order, as many are looked at again
    rerank_weight: float = 0.4  # of late interaction, beside the fused score
    diversity: bool = False  # drop near-duplicates, then maximal marginal relevance
    top_k: int = 10
    advanced: bool = False  # read the question as a search expression: quotes, minus


@dataclass(frozen=True, slots=True)
class Hit:
    """One candidate in a ranking. Scores compare within one ranking only."""

    chunk_id: int
    score: float
    place: tuple[int, int] = (0, 0)  # document, position: breaks ties
    legs: frozenset[Leg] = frozenset()


@dataclass(frozen=True, slots=True)
class Passage:
    """A hit with everything needed to show and cite it."""

    chunk_id: int
    document_id: int
    document_title: str
    version_id: int
    version_number: int
    position: int
    kind: str
    text: str
    heading_path: tuple[str, ...]
    page_start: int | None
    page_end: int | None
    locator: Mapping[str, Any]
    rows: tuple[tuple[str, ...], ...] | None
    language: str
    score: float
    legs: frozenset[Leg]
    signals: Mapping[str, float] = field(default_factory=dict)  # cosine, bm25, coverage: what confidence is made of
    tokens: TokenVectors | None = field(default=None, repr=False, compare=False)  # of the text, where they were read


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Ranked passages, and how sure the search is that they answer the question.

    `confidence` is calibrated, in [0, 1]; `evidence` says whether it reaches the shipped threshold. `rung` is one of
    chunks, full_text, course_tree, general, none. `trace` holds the time of each stage in ms and its candidates.
    `searched` is the text that was looked for: the question, or that together with the topic it goes on with.
    """

    question: str
    passages: tuple[Passage, ...]
    confidence: float
    evidence: bool
    language: str
    rung: str
    trace: Mapping[str, Any]
    searched: str = ""
