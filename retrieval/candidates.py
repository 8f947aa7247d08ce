"""Keyword and semantic search: the app's only SQL.

Every statement names the organization and the versions its reader may see; row-level security stands behind them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet

from documents.models import Document, DocumentVersion
from retrieval.keywords import Term, all_terms, any_form, distinct, inverse_frequency
from retrieval.registry import course_document_ids
from retrieval.types import Hit, SearchScope
from skillnet.backends.language import LANGUAGES
from skillnet.backends.protocols import Vector

POOL = 2_000  # chunks looked at for a broad question
SCORED = 200  # of them, those whose words are counted
MAX_TERMS = 64  # of a very long question, the rarest

# Okapi BM25; the values do best on development data. Headings are part of the text; there a word counts this many times more.
K1 = 0.9
B = 0.4
HEADING_WEIGHT = 1.0


@dataclass(frozen=True, slots=True)
class Corpus:
    """An organization's served chunks in figures."""

    chunk_count: int
    average_length: float  # in tokens
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeywordScore:
    """How a chunk answers to the words of a question."""

    bm25: float
    coverage: float  # share of the question's information (summed inverse frequencies) whose words it holds


@dataclass(frozen=True, slots=True)
class Allowed:
    """The versions a search may find, as a subquery."""

    sql: str
    parameters: tuple[Any, ...]


def readable_documents(scope: SearchScope) -> "QuerySet[Document]":
    """The documents a scope allows, filters applied, that serve a version."""
    documents = Document.objects.for_organization(scope.organization_id).readable_by(scope.reader).served()
    if scope.document_ids:
        documents = documents.filter(pk__in=scope.document_ids)
    if scope.course_id is not None:
        documents = documents.filter(pk__in=course_document_ids(scope.organization_id, scope.course_id))
    if scope.collection_id is not None:
        documents = documents.filter(collection_id=scope.collection_id)
    if scope.tags:
        documents = documents.filter(tags__contains=list(scope.tags))
    if scope.media_type:
        documents = documents.filter(active_version__media_type=scope.media_type)
    if scope.since:
        documents = documents.filter(active_version__uploaded_at__date__gte=scope.since)
    if scope.until:
        documents = documents.filter(active_version__uploaded_at__date__lte=scope.until)
    return documents


def allowed_versions(scope: SearchScope) -> Allowed | None:
    """The versions a scope allows, or None when its filters contradict themselves."""
    versions = readable_documents(scope).order_by().values("active_version_id")
    try:
        sql, parameters = versions.query.sql_with_params()
    except EmptyResultSet:
        return None
    return Allowed(sql, tuple(parameters))


def corpus_of(organization_id: UUID) -> Corpus:
    """The figures of an organization's corpus, kept up to date as versions come and go."""
    sql = """
        SELECT chunk_count, length_total, ARRAY(
            SELECT code FROM unnest(%s::text[]) AS code
            WHERE EXISTS (
                SELECT FROM documents_termstatistic WHERE organization_id = %s AND language = code
            )
        )
        FROM documents_corpusstatistic WHERE organization_id = %s
    """
    rows = _rows(sql, [list(LANGUAGES), organization_id, organization_id])
    if not rows or not rows[0][0]:
        return Corpus(0, 1.0, ())
    chunk_count, length_total, languages = rows[0]
    return Corpus(chunk_count, max(float(length_total) / chunk_count, 1.0), tuple(languages))


def terms_of(organization_id: UUID, languages: Sequence[str], pieces: Sequence[str]) -> list[Term]:
    """The terms of each piece of text, in order, as documents in `languages` may hold them. Stop words have none."""
    sql = """
        SELECT piece, word, lexemes, is_code, coalesce((
            SELECT max(known.chunk_count) FROM (
                SELECT sum(chunk_count) AS chunk_count FROM documents_termstatistic
                WHERE organization_id = %s AND language = ANY (%s::text[]) AND lexeme = ANY (lexemes)
                GROUP BY lexeme
            ) AS known
        ), 0)
        FROM unnest(%s::text[]) WITH ORDINALITY AS given (content, piece),
            skillnet_query_terms(%s::text[], content)
        ORDER BY piece, word
    """
    spoken = list(languages)
    return [
        Term(tuple(lexemes), int(count), is_code, word, piece - 1)
        for piece, word, lexemes, is_code, count in _rows(
            sql, [organization_id, spoken, [piece.replace("\0", "") for piece in pieces], spoken]
        )
    ]


def keyword_pool(scope: SearchScope, allowed: Allowed, terms: Sequence[Term], *, enough: int) -> list[int]:
    """Ids of the chunks worth scoring: those with all terms, or when they are too few, with the rarest ones.

    At most SCORED, those with the most informative terms first.
    """
    found = [term for term in distinct(terms) if term.chunk_count]
    if not found:
        return []
    pool: list[int] = []
    if len(found) == len(distinct(terms)):  # a term that stands nowhere leaves nothing with all of them
        pool = matching(scope, allowed, all_terms(found))
        if len(pool) >= enough or len(found) == 1:
            return pool
    rarest = sorted(found, key=lambda term: (term.chunk_count, term.lexemes))
    chosen, reach = [rarest[0]], rarest[0].chunk_count
    for term in rarest[1:MAX_TERMS]:
        reach += term.chunk_count
        if reach > POOL:
            break
        chosen.append(term)
    one_term = f"""
        (SELECT id, %s::float8 AS information FROM documents_chunk
        WHERE organization_id = %s AND version_id IN ({allowed.sql}) AND search_vector @@ %s::tsquery LIMIT %s)
    """
    sql = f"""
        SELECT id FROM ({" UNION ALL ".join([one_term] * len(chosen))}) AS posting
        GROUP BY id ORDER BY sum(information) DESC, id LIMIT %s
    """
    parameters: list[Any] = []
    corpus_size = max(term.chunk_count for term in found) + 1
    for term in chosen:
        weight = inverse_frequency(term, corpus_size)
        parameters += [weight, scope.organization_id, *allowed.parameters, any_form(term), POOL]
    best = [row[0] for row in _rows(sql, [*parameters, SCORED])]
    return list(dict.fromkeys([*pool, *best]))[:SCORED]


def matching(scope: SearchScope, allowed: Allowed, query: str) -> list[int]:
    """Ids of at most SCORED chunks for which a tsquery holds, those that say more of it first."""
    sql = f"""
        SELECT id FROM (
            SELECT id, search_vector FROM documents_chunk
            WHERE organization_id = %s AND version_id IN ({allowed.sql}) AND search_vector @@ %s::tsquery
            LIMIT %s
        ) AS held
        ORDER BY ts_rank(search_vector, %s::tsquery, 1) DESC, id LIMIT %s
    """
    return [row[0] for row in _rows(sql, [scope.organization_id, *allowed.parameters, query, POOL, query, SCORED])]


def keyword_scores(
    scope: SearchScope, allowed: Allowed, terms: Sequence[Term], corpus: Corpus, chunk_ids: Sequence[int]
) -> tuple[list[Hit], dict[int, KeywordScore]]:
    """Chunks ranked by BM25 with the organization's own term statistics, best first, and the scores of all of them.

    Chunks without any of the terms are not ranked. Source of the formula: Robertson and Zaragoza, 2009; words in
    headings count more often, as in BM25F.
    """
    asked = distinct(terms)
    if not asked or not chunk_ids:
        return [], {}
    weights = [inverse_frequency(term, corpus.chunk_count) for term in asked]
    numbers = [number for number, term in enumerate(asked) for _ in term.lexemes]
    sql = f"""
        WITH term AS MATERIALIZED (
            SELECT * FROM unnest(%s::int[], %s::text[], %s::float8[]) AS t (number, lexeme, weight)
        ), pool AS MATERIALIZED (
            SELECT id, version_id, position, token_count, search_vector, heading_vector
            FROM documents_chunk
            WHERE id = ANY (%s::bigint[]) AND organization_id = %s AND version_id IN ({allowed.sql})
        ), occurrence AS (
            SELECT id, lexeme, cardinality(positions) AS times FROM pool, unnest(search_vector)
            UNION ALL
            SELECT id, lexeme, cardinality(positions) * %s::float8 FROM pool, unnest(heading_vector)
        ), found AS (
            SELECT id, number, weight, max(times) AS times FROM (
                SELECT id, number, lexeme, weight, sum(times) AS times
                FROM occurrence JOIN term USING (lexeme)
                GROUP BY id, number, lexeme, weight
            ) AS form
            GROUP BY id, number, weight
        ), score AS (
            SELECT
                id,
                sum(weight * times * (%s + 1) / (times + %s * (1 - %s + %s * token_count / %s))) AS bm25,
                sum(weight) AS information
            FROM found JOIN pool USING (id)
            GROUP BY id
        )
        SELECT pool.id, document.id, position, bm25, information
        FROM score JOIN pool USING (id)
        JOIN documents_document AS document ON document.active_version_id = pool.version_id
        ORDER BY bm25 DESC, document.id, position
    """
    rows = _rows(
        sql,
        [
            numbers,
            [lexeme for term in asked for lexeme in term.lexemes],
            [weights[number] for number in numbers],
            list(chunk_ids),
            scope.organization_id,
            *allowed.parameters,
            HEADING_WEIGHT,
            K1,
            K1,
            B,
            B,
            corpus.average_length,
        ],
    )
    total = sum(weights) or 1.0
    hits = [Hit(chunk_id, bm25, (document_id, position)) for chunk_id, document_id, position, bm25, _ in rows]
    scores = {chunk_id: KeywordScore(bm25, information / total) for chunk_id, _, _, bm25, information in rows}
    return hits, scores


def semantic_hits(scope: SearchScope, allowed: Allowed, question: Vector, *, model_id: str, limit: int) -> list[Hit]:
    """The chunks nearest in meaning, best first; scores are cosines. Only vectors of that model are compared."""
    vector = "[" + ",".join(map(str, question.tolist())) + "]"
    sql = f"""
        SELECT near.chunk_id, document.id, chunk.position, 1 - near.distance
        FROM (
            SELECT chunk_id, version_id, vector <=> %s::vector AS distance
            FROM documents_chunkembedding
            WHERE organization_id = %s
              AND model_id = (SELECT id FROM documents_embeddingmodel WHERE name = %s AND dimensions = %s)
              AND version_id IN ({allowed.sql})
            ORDER BY distance, chunk_id LIMIT %s
        ) AS near
        JOIN documents_document AS document ON document.active_version_id = near.version_id
        JOIN documents_chunk AS chunk ON chunk.id = near.chunk_id
        ORDER BY near.distance, document.id, chunk.position
    """
    parameters = [vector, scope.organization_id, model_id, len(question), *allowed.parameters, limit]
    return [
        Hit(chunk_id, float(cosine), (document_id, position))
        for chunk_id, document_id, position, cosine in _rows(sql, parameters)
    ]


def cosines(question: Vector, *, organization_id: UUID, model_id: str, chunk_ids: Sequence[int]) -> Mapping[int, float]:
    """Cosines of the given chunks with a question, of those that have a vector of that model."""
    vector = "[" + ",".join(map(str, question.tolist())) + "]"
    sql = """
        SELECT chunk_id, 1 - (vector <=> %s::vector) FROM documents_chunkembedding
        WHERE organization_id = %s AND chunk_id = ANY (%s::bigint[])
          AND model_id = (SELECT id FROM documents_embeddingmodel WHERE name = %s AND dimensions = %s)
    """
    return dict(_rows(sql, [vector, organization_id, list(chunk_ids), model_id, len(question)]))


def documents_of_other_models(scope: SearchScope, model_id: str) -> int:
    """How many documents the semantic search passes over, because another model (or none yet) made their vectors."""
    versions = DocumentVersion.objects.for_organization(scope.organization_id).filter(
        pk__in=readable_documents(scope).values("active_version_id")
    )
    return versions.exclude(embedding_model__name=model_id).count()


def words_match(document: str, query: str, *, language: str = "es") -> bool:
    """Whether a text holds every word of a query, as the keyword search sees both."""
    sql = "SELECT lexemes, is_code FROM skillnet_query_terms(ARRAY[%s], %s)"
    terms = [Term(tuple(lexemes), 0, is_code) for lexemes, is_code in _rows(sql, [language, query])]
    if not terms:
        return False
    [(held,)] = _rows(
        "SELECT skillnet_search_vector(%s, '', %s) @@ %s::tsquery", [language, document, all_terms(terms)]
    )
    return bool(held)


def _rows(sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
