"""What both legs of a search find: keyword search in SQL, semantic search by way of retrieval.vector_search.

Every statement names the organization and the versions its reader may see; row-level security stands behind them.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import BooleanField, Q, QuerySet
from django.db.models.expressions import RawSQL

from documents.models import Chunk, Document
from retrieval.keywords import (
    Corpus,
    KeywordScore,
    Term,
    all_terms,
    any_form,
    distinct,
    forms,
    inverse_frequency,
    within,
)
from retrieval.registry import course_document_ids
from retrieval.types import Hit, SearchScope, Section
from retrieval.vector_search import Wanted, of_all, through_index
from skillnet.backends.protocols import Vector

POOL = 2_000  # chunks looked at for a broad question
SCORED = 200  # of them, those whose words are counted
MAX_TERMS = 64  # of a very long question, the rarest

# Okapi BM25; the values do best on development data. Headings are part of the text; a word in one counts this many
# times more.
K1 = 0.9
B = 0.4
HEADING_WEIGHT = 1.0

# PostgreSQL tells how often one lexeme stands in a vector without unpacking it: ts_rank of a query of one lexeme is
# the sum of 1/i² over its n places, divided by that of the endless sum. The n-th number here is the rank of n places,
# a hair less; places of weight A (the last of the array) belong to codes and are not counted twice.
MAX_COUNT = 20
COUNTED_WEIGHTS = [1.0, 1.0, 1.0, 0.0]
RANK_OF_COUNT = [
    sum(1 / place**2 for place in range(1, count + 1)) / (math.pi**2 / 6) - 1e-4 for count in range(1, MAX_COUNT + 1)
]


DEEPEST = 100  # no heading lies further down: so much of a path is all of it

# A section may be named with or without the outermost heading, which often is the document's title.
IN_SECTION = """(
    (%s::bigint IS NULL OR documents_chunk.version_id = (
        SELECT active_version_id FROM documents_document WHERE documents_document.id = %s
    ))
    AND (%s::integer IS NULL OR %s BETWEEN documents_chunk.page_start AND documents_chunk.page_end)
    AND skillnet_fold(skillnet_lower(%s)) IN (
        skillnet_fold(skillnet_lower(array_to_string(documents_chunk.heading_path[1:%s], E'\n'))),
        skillnet_fold(skillnet_lower(array_to_string(documents_chunk.heading_path[2:%s], E'\n')))
    )
)"""


@dataclass(frozen=True, slots=True)
class Allowed:
    """The chunks a search may find, as conditions on the two tables that are searched. Both take `parameters`.

    They filter what an index for words or vectors gives. `version_ids` says the same for reading version by version.
    `chunk_count` is how many they are in all: what decides whether the semantic leg compares every vector. `models`
    says how many of their documents have vectors of which model, by its name; None stands for those without.
    """

    chunks: str  # of documents_chunk
    embeddings: str  # of documents_chunkembedding
    parameters: tuple[Any, ...]
    version_ids: list[int]
    chunk_count: int
    models: Mapping[str | None, int]


def readable_documents(scope: SearchScope) -> "QuerySet[Document]":
    """The documents a scope allows, filters applied, that serve a version."""
    documents = Document.objects.for_organization(scope.organization_id).readable_by(scope.reader).served()
    if scope.document_ids:
        documents = documents.filter(pk__in=scope.document_ids)
    if scope.course_id is not None:
        documents = documents.filter(pk__in=course_document_ids(scope.organization_id, scope.course_id))
    if scope.collection_id is not None:
        documents = documents.filter(collection_id=scope.collection_id)
    if scope.routed_to:
        documents = documents.filter(Q(collection_id__in=scope.routed_to) | Q(collection_id=None))
    if scope.tags:
        documents = documents.filter(tags__contains=list(scope.tags))
    if scope.media_types:
        documents = documents.filter(active_version__media_type__in=scope.media_types)
    if scope.language:
        documents = documents.filter(language=scope.language)
    if scope.dated_since:
        documents = documents.filter(document_date__gte=scope.dated_since)
    if scope.dated_until:
        documents = documents.filter(document_date__lte=scope.dated_until)
    if scope.since:
        documents = documents.filter(active_version__uploaded_at__date__gte=scope.since)
    if scope.until:
        documents = documents.filter(active_version__uploaded_at__date__lte=scope.until)
    return documents


def allowed_chunks(scope: SearchScope) -> Allowed | None:
    """The chunks a scope allows, or None when there are none.

    The versions are asked for once and named in each statement: a subquery would be answered anew for every word.
    """
    versions = list(
        readable_documents(scope)
        .order_by()
        .values_list("active_version_id", "active_version__chunk_count", "active_version__embedding_model__name")
    )
    if not versions:
        return None
    version_ids = [pk for pk, _count, _model in versions]
    # + 0: to the planner reading all rows of the versions looks cheaper than the right index, because it takes a row's
    # organization and its version for independent of each other.
    of_versions = "version_id + 0 = ANY (%s::bigint[])"
    everything = Allowed(
        chunks=of_versions,
        embeddings=of_versions,
        parameters=(version_ids,),
        version_ids=version_ids,
        chunk_count=sum(count for _pk, count, _model in versions),
        models=Counter(model for _pk, _count, model in versions),
    )
    if not scope.sections:
        return everything
    in_sections, more = _in_sections(scope.sections)
    of_chunk = f"SELECT FROM documents_chunk WHERE documents_chunk.id = chunk_id AND {in_sections}"
    return replace(
        everything,
        chunks=f"{of_versions} AND {in_sections}",
        embeddings=f"{of_versions} AND EXISTS ({of_chunk})",
        parameters=(version_ids, *more),
        chunk_count=0,  # of a section few: nobody counts them
    )


def readable_chunks(scope: SearchScope, chunk_ids: Sequence[int]) -> dict[int, Chunk]:
    """Those of the chunks that the scope allows now, with their versions and documents, by id."""
    chunks = Chunk.objects.for_organization(scope.organization_id).filter(
        pk__in=chunk_ids, version__document_where_active__in=readable_documents(scope).order_by()
    )
    if scope.sections:
        sql, parameters = _in_sections(scope.sections)
        chunks = chunks.filter(RawSQL(sql, parameters, output_field=BooleanField()))  # noqa: S611 - our own parts
    read = chunks.select_related("version__document").defer("meaning_text", "search_vector", "heading_vector")
    return {chunk.pk: chunk for chunk in read.order_by()}


def _in_sections(sections: Sequence[Section]) -> tuple[str, tuple[Any, ...]]:
    parameters: list[Any] = []
    for section in sections:
        depth = len(section.heading_path) if section.with_subsections else DEEPEST
        heading = "\n".join(section.heading_path)
        parameters += [section.document_id, section.document_id, section.page, section.page, heading, depth, depth + 1]
    return f"({' OR '.join([IN_SECTION] * len(sections))})", tuple(parameters)


def corpus_of(organization_id: UUID) -> Corpus:
    """The figures of an organization's corpus, kept up to date as versions come and go."""
    # From one language to the next through the index: reading all lexemes for their few languages takes far longer.
    sql = """
        WITH RECURSIVE spoken (language) AS (
            (
                SELECT language FROM documents_termstatistic WHERE organization_id = %s
                ORDER BY organization_id, language, lexeme LIMIT 1
            )
            UNION ALL
            SELECT (
                SELECT following.language FROM documents_termstatistic AS following
                WHERE following.organization_id = %s AND following.language > spoken.language
                ORDER BY following.organization_id, following.language, following.lexeme LIMIT 1
            )
            FROM spoken WHERE spoken.language IS NOT NULL
        )
        SELECT chunk_count, length_total,
            ARRAY(SELECT language FROM spoken WHERE language IS NOT NULL ORDER BY language)
        FROM documents_corpusstatistic WHERE organization_id = %s
    """
    rows = _rows(sql, [organization_id] * 3)
    if not rows or not rows[0][0]:
        return Corpus(0, 1.0, ())
    chunk_count, length_total, languages = rows[0]
    return Corpus(chunk_count, max(float(length_total) / chunk_count, 1.0), tuple(languages))


def terms_of(organization_id: UUID, languages: Sequence[str], pieces: Sequence[str]) -> list[Term]:
    """The terms of each piece of text, in order, as documents in `languages` may hold them. Stop words have none."""
    sql = """
        SELECT piece, word, lexemes, is_code, coalesce((
            SELECT max(known.chunk_count) FROM (
                SELECT sum(chunk_count) AS chunk_count
                FROM unnest(lexemes) AS form, unnest(%s::text[]) AS code, documents_termstatistic
                WHERE organization_id = %s AND language = code AND lexeme = form
                GROUP BY form
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
            sql, [spoken, organization_id, [piece.replace("\0", "") for piece in pieces], spoken]
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
    organization = str(scope.organization_id)
    one_term = f"""
        (SELECT id, %s::float8 AS information FROM documents_chunk
        WHERE organization_id = %s AND {allowed.chunks} AND search_vector @@ %s::tsquery LIMIT %s)
    """
    sql = f"""
        SELECT id FROM ({" UNION ALL ".join([one_term] * len(chosen))}) AS posting
        GROUP BY id ORDER BY sum(information) DESC, id LIMIT %s
    """
    parameters: list[Any] = []
    corpus_size = max(term.chunk_count for term in found) + 1
    for term in chosen:
        weight = inverse_frequency(term, corpus_size)
        query = within(organization, any_form(term))
        parameters += [weight, scope.organization_id, *allowed.parameters, query, POOL]
    best = [row[0] for row in _rows(sql, [*parameters, SCORED])]
    return list(dict.fromkeys([*pool, *best]))[:SCORED]


def matching(scope: SearchScope, allowed: Allowed, query: str) -> list[int]:
    """Ids of at most SCORED chunks for which a tsquery holds, those that say more of it first."""
    sql = f"""
        SELECT id FROM (
            SELECT id, search_vector FROM documents_chunk
            WHERE organization_id = %s AND {allowed.chunks} AND search_vector @@ %s::tsquery
            LIMIT %s
        ) AS held
        ORDER BY ts_rank(search_vector, %s::tsquery, 1) DESC, id LIMIT %s
    """
    held = within(str(scope.organization_id), query)
    return [row[0] for row in _rows(sql, [scope.organization_id, *allowed.parameters, held, POOL, query, SCORED])]


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
    queries = [(number, query) for number, term in enumerate(asked) for query in forms(term)]
    # Filtering by all weights changes nothing, but reads a vector from its compressed storage once, not once a form.
    # What a chunk needs later is carried along: joining to it again would read the whole pool once for each row.
    sql = f"""
        WITH form AS MATERIALIZED (
            SELECT * FROM unnest(%s::int[], %s::tsquery[], %s::float8[]) AS t (number, query, weight)
        ), pool AS MATERIALIZED (
            SELECT documents_chunk.id, document.id AS document_id, position, token_count,
                ts_filter(search_vector, '{{a,b,c,d}}') AS body, ts_filter(heading_vector, '{{a,b,c,d}}') AS heading
            FROM documents_chunk
            JOIN documents_document AS document ON document.active_version_id = version_id
            WHERE documents_chunk.id = ANY (%s::bigint[]) AND documents_chunk.organization_id = %s
              AND {allowed.chunks}
        ), found AS (
            SELECT id, document_id, position, token_count, number, weight, max(
                greatest(width_bucket(ts_rank(%s::float4[], body, query), %s::float4[]), 1)
                + %s * width_bucket(ts_rank(%s::float4[], heading, query), %s::float4[])
            ) AS times
            FROM pool JOIN form ON body @@ query
            GROUP BY id, document_id, position, token_count, number, weight
        )
        SELECT
            id,
            document_id,
            position,
            sum(weight * times * (%s + 1) / (times + %s * (1 - %s + %s * token_count / %s))) AS bm25,
            sum(weight) AS information
        FROM found
        GROUP BY id, document_id, position
        ORDER BY bm25 DESC, document_id, position
    """
    counting = [COUNTED_WEIGHTS, RANK_OF_COUNT]
    parameters = [
        [number for number, _query in queries],
        [query for _number, query in queries],
        [weights[number] for number, _query in queries],
        list(chunk_ids),
        scope.organization_id,
        *allowed.parameters,
        *counting,
        HEADING_WEIGHT,
        *counting,
        K1,
        K1,
        B,
        B,
        corpus.average_length,
    ]
    rows = _rows(sql, parameters)
    total = sum(weights) or 1.0
    hits = [Hit(chunk_id, bm25, (document_id, position)) for chunk_id, document_id, position, bm25, _ in rows]
    scores = {chunk_id: KeywordScore(bm25, information / total) for chunk_id, _, _, bm25, information in rows}
    return hits, scores


def by_cover_density(
    scope: SearchScope, allowed: Allowed, terms: Sequence[Term], chunk_ids: Sequence[int]
) -> list[Hit]:
    """Chunks ranked by PostgreSQL's `ts_rank_cd`, best first: how near to each other the terms stand."""
    if not terms or not chunk_ids:
        return []
    sql = f"""
        SELECT chunk.id, document.id, position, ts_rank_cd(search_vector, %s::tsquery, 1) AS rank
        FROM (
            SELECT id, version_id, position, search_vector FROM documents_chunk
            WHERE id = ANY (%s::bigint[]) AND organization_id = %s AND {allowed.chunks}
        ) AS chunk
        JOIN documents_document AS document ON document.active_version_id = chunk.version_id
        ORDER BY rank DESC, document.id, position
    """
    query = " | ".join(map(any_form, distinct(terms)))
    rows = _rows(sql, [query, list(chunk_ids), scope.organization_id, *allowed.parameters])
    return [Hit(chunk_id, float(rank), (document_id, position)) for chunk_id, document_id, position, rank in rows]


def lexemes_that_sound(organization_id: UUID, languages: Sequence[str], sounds: Sequence[str]) -> dict[str, int]:
    """The organization's lexemes with one of some skeletons (see retrieval.spelling), and the chunks that hold them."""
    sql = """
        SELECT lexeme, sum(chunk_count) FROM documents_termstatistic
        WHERE organization_id = %s AND skillnet_sound(lexeme) = ANY (%s::text[]) AND language = ANY (%s::text[])
        GROUP BY lexeme ORDER BY lexeme
    """
    return {lexeme: int(count) for lexeme, count in _rows(sql, [organization_id, list(sounds), list(languages)])}


def semantic_hits(
    scope: SearchScope, allowed: Allowed, question: Vector, *, model_id: str, limit: int, exact_chunks: int
) -> list[Hit]:
    """The chunks nearest in meaning, best first; scores are cosines. Only vectors of that model are compared.

    Up to `exact_chunks` chunks all of them are compared; above, the organization's index is used where it has one.
    """
    wanted = Wanted(
        scope.organization_id,
        model_id,
        question,
        allowed.version_ids,
        allowed.embeddings,
        allowed.parameters,
        limit,
    )
    if allowed.chunk_count > exact_chunks:
        found = through_index(wanted)
        if len(found) == limit:  # else what the reader may see is too thinly spread among what the index gives
            return found
    return of_all(wanted)


def documents_of_other_models(allowed: Allowed, model_id: str) -> int:
    """How many documents the semantic search passes over, because another model (or none yet) made their vectors."""
    return sum(count for model, count in allowed.models.items() if model != model_id)


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
