"""The two searches whose rankings are fused: by meaning and by words."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from retrieval import spelling
from retrieval.allowed import Allowed
from retrieval.embedding import question_vector, question_with_tokens
from retrieval.glossary import widened
from retrieval.keyword_search import by_cover_density, keyword_pool, keyword_scores, matching
from retrieval.keywords import Corpus, KeywordScore, Term, expression_query
from retrieval.question import parse_expression
from retrieval.trace import Trace
from retrieval.types import Hit, SearchConfig, SearchScope
from retrieval.vector_search import semantic_hits
from retrieval.vocabulary import Vocabulary, lexemes_that_sound, terms_of, vocabulary_of
from skillnet.backends import get_embedder
from skillnet.backends.protocols import Vector
from skillnet.errors import BackendUnavailable, InvalidEmbedding

logger = logging.getLogger(__name__)

NON_SEMANTIC_BELOW = 0.25  # cosines of a model that knows meaning lie far above, even between unlike texts


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to one scope, and how it is to be searched."""

    question: str
    language: str
    scope: SearchScope
    config: SearchConfig


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the semantic leg found, best first; empty where there is no embedder or none is wanted."""

    hits: Sequence[Hit] = ()
    model_id: str | None = None
    question_tokens: Vector | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """What the keyword leg found, best first, and how every candidate answers to the question's words."""

    hits: Sequence[Hit]
    terms: Sequence[Term]
    corpus: Corpus
    scores: Mapping[int, KeywordScore] = field(default_factory=dict)
    is_foreign: bool = False  # whether no document is written in the question's language


def by_meaning(asked: Asked, allowed: Allowed, trace: Trace) -> Meaning:
    """The chunks nearest to the question. Without an embedder there are none, and the trace says so."""
    config = asked.config
    if config.mode == "keyword" or config.advanced:
        return Meaning()
    embedder = get_embedder()
    tokens: Vector | None = None
    try:
        with trace.stage("embedding"):
            if config.rerank == "late_interaction" and embedder.supports_tokens:
                embedding = question_with_tokens(embedder, asked.question)
                vector, tokens = embedding.vector, embedding.tokens
            else:
                vector = question_vector(embedder, asked.question)
    except (BackendUnavailable, InvalidEmbedding) as error:
        logger.warning("search goes on without vectors: %s", error)
        trace.notes["embedder"] = error.code
        return Meaning()
    model_id = embedder.model_id
    with trace.stage("semantic"):
        hits = semantic_hits(
            asked.scope,
            allowed,
            vector,
            model_id=model_id,
            limit=config.candidates,
            exact_chunks=config.exact_chunks,
        )
        passed_over = allowed.documents_of_other_models(model_id)
    if passed_over:
        trace.notes["mismatch"] = passed_over
    if hits and hits[0].score < NON_SEMANTIC_BELOW:
        logger.warning("the nearest passage has a cosine of %.3f: %s seems to know no meaning", hits[0].score, model_id)
        trace.notes["non_semantic"] = round(hits[0].score, 3)
    return Meaning(hits, model_id, tokens)


def by_words(asked: Asked, allowed: Allowed, meaning: Meaning, trace: Trace) -> Words:
    """The chunks that hold the question's words best.

    Chunks found by meaning are scored as well: how many of the question's words they hold tells how sure the answer
    is, but only what the words found is ranked by them.
    """
    with trace.stage("keyword"):
        vocabulary = vocabulary_of(asked.scope.organization_id)
        corpus = vocabulary.corpus
        terms, pool = _pool(asked, allowed, vocabulary, trace)
        scored = dict.fromkeys([*pool, *(hit.chunk_id for hit in meaning.hits)])
        ranked, scores = keyword_scores(asked.scope, allowed, terms, corpus, list(scored))
        hits: list[Hit] = []
        if asked.config.keyword_rank == "ts_rank_cd":
            ranked = by_cover_density(asked.scope, allowed, terms, pool)
        if asked.config.mode != "vector":
            found = set(pool)
            hits = [hit for hit in ranked if hit.chunk_id in found][: asked.config.candidates]
    trace.candidates |= {"pool": len(pool), "semantic": len(meaning.hits), "keyword": len(hits)}
    is_foreign = bool(corpus.languages) and asked.language not in corpus.languages
    return Words(hits, terms, corpus, scores, is_foreign)


def _pool(asked: Asked, allowed: Allowed, vocabulary: Vocabulary, trace: Trace) -> tuple[list[Term], list[int]]:
    languages = list(dict.fromkeys([asked.language, *vocabulary.corpus.languages]))
    scope = asked.scope
    if asked.config.advanced:
        expression = parse_expression(asked.question)
        pieces = [piece for alternative in expression for piece in alternative]
        terms = terms_of(scope.organization_id, languages, [piece.text for piece in pieces])
        query = expression_query(expression, terms)
        wanted = [term for term in terms if not pieces[term.piece].is_excluded]
        return wanted, matching(scope, allowed, query) if query else []
    terms = terms_of(scope.organization_id, languages, [asked.question])
    terms, wordings = widened(scope.organization_id, vocabulary.glossary, languages, asked.question, terms)
    if wordings:
        trace.notes["glossary"] = wordings
    if asked.config.corrects_spelling:
        terms, corrections = _corrected(scope, languages, terms)
        if corrections:
            trace.notes["spelling"] = corrections
    return terms, keyword_pool(scope, allowed, terms, enough=asked.config.candidates)


def _corrected(
    scope: SearchScope, languages: Sequence[str], terms: Sequence[Term]
) -> tuple[list[Term], dict[str, list[str]]]:
    """The terms, with the words most like them in place of those that stand nowhere; and which became which."""
    corrected: list[Term] = []
    corrections: dict[str, list[str]] = {}
    for term in terms:
        word = max(filter(spelling.may_be_misspelt, term.lexemes), key=len, default="")
        alike: list[str] = []
        if word and not term.chunk_count and not term.is_code:
            known = lexemes_that_sound(scope.organization_id, languages, spelling.skeletons_near(word))
            alike = spelling.meant(word, known)
        if alike:
            corrections[word] = alike
            count = max(known[other] for other in alike)
            term = replace(term, lexemes=tuple(alike), chunk_count=count, certainty=spelling.CERTAINTY)
        corrected.append(term)
    return corrected, corrections
