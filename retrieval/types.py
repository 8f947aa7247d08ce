"""What goes into a search and what comes out. Pure data."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any, Literal
from uuid import UUID

from documents.access import Reader
from documents.token_vectors import TokenVectors

Mode = Literal["hybrid", "vector", "keyword"]
Leg = Literal["semantic", "keyword"]
KeywordRank = Literal["bm25", "ts_rank_cd"]
Rerank = Literal["none", "late_interaction", "cross_encoder", "api"]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what is below it, in one document or in any; with `page`, what of it stands on that page.

    The path goes from the outermost heading inwards; a document's own title at its beginning may be left out. An
    empty path means the whole document.
    """

    heading_path: tuple[str, ...]
    document_id: int | None = None
    page: int | None = None
    with_subsections: bool = True


@dataclass(frozen=True, slots=True)
class SearchScope:
    """Whose documents are searched, on whose behalf, and which of them. Empty filters mean all."""

    organization_id: UUID
    reader: Reader
    document_ids: tuple[int, ...] = ()
    course_id: int | None = None
    lesson_id: int | None = None  # of the course, open while asking: what it rests on comes first
    lessons: tuple[int, ...] | None = None  # of the course, known to speak of the question; None: they are looked for
    collection_id: int | None = None
    routed_to: tuple[int, ...] = ()  # collections that a question is probably about; documents in none count too
    media_types: tuple[str, ...] = ()  # any of them
    tags: tuple[str, ...] = ()
    since: date | None = None  # ingestion date window, both ends included
    until: date | None = None
    dated_since: date | None = None  # window of the documents' own dates; those without a date lie in none
    dated_until: date | None = None
    sections: tuple[Section, ...] = ()  # any of them
    language: str = ""


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """The numbers of every stage. Defaults are what ships; `evaluate` varies them."""

    mode: Mode = "hybrid"
    rerank: Rerank = "late_interaction"
    keyword_rank: KeywordRank = "bm25"
    corrects_spelling: bool = True  # of words that no document of the organization holds
    alpha: float = 0.5  # weight of the semantic leg in the fusion
    candidates: int = 30  # of each leg
    exact_chunks: int = 10_000  # in more, the semantic leg uses the organization's index where it has one
    rrf_k: int = 60
    rrf_strength: float = 0.002  # how much a leg's own scores count beside its ranks, see retrieval.fusion
    reranked: int = 30  # of the fused order, as many are looked at again
    rerank_weight: float = 0.4  # of late interaction, beside the fused score
    drops_duplicates: bool = True  # of several documents that say the same, the best hit stays
    diversity: bool = False  # maximal marginal relevance, after the near-duplicates are gone
    top_k: int = 10
    route_collections: bool = False  # look only in the collections nearest to the question
    advanced: bool = False  # read the question as a search expression: quotes, minus
    confidence_offset: float = 0.0  # added to the calibrated threshold of evidence: above 0 refuses more
    minimum_sources: int = 1  # fewer than this: no evidence, see pipeline.has_enough_sources
    cache_days: int = 7  # how long an answer may be given again

    def fingerprint(self) -> str:
        """SHA-256 of all fields, in hex: equal for equal settings, in every process."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


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
    `threshold` is the confidence from which on the search's own is evidence. `limits` say by document what its
    collection asks of an answer, where that is otherwise; a search leaves them to whoever answers.
    """

    question: str
    passages: tuple[Passage, ...]
    confidence: float
    evidence: bool
    language: str
    rung: str
    trace: Mapping[str, Any]
    searched: str = ""
    threshold: float = 1.0
    limits: Mapping[int, SearchConfig] = field(default_factory=dict)
