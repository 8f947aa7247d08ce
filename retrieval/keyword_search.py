"""The keyword leg's SQL: which chunks hold a question's words, and how well (BM25)."""

import math
from collections.abc import Sequence
from typing import Any

from retrieval.allowed import Allowed
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
from retrieval.statements import array, rows
from retrieval.types import Hit, SearchScope

POOL = 2_000  # chunks looked at for a broad question
SCORED = 200  # of them, those whose words are counted
MAX_TERMS = 64  # of a very long question, the rarest

# Okapi BM25; the values do best on development data. Headings are part of the text; a word in one counts this many
# times more.
K1 = 0.9
B = 0.4
HEADING_WEIGHT = 1.0
# Of a sum: in which order PostgreSQL adds up its plan decides; that changes the last ones, and with them the order of
# chunks that say the same.
DECIMALS = 9

# PostgreSQL tells how often one lexeme stands in a vector without unpacking it: ts_rank of a query of one lexeme is
# the sum of 1/i² over its n places, divided by that of the endless sum. The n-th number here is the rank of n places,
# a hair less; places of weight A (the last of the array) belong to codes and are not counted twice.
MAX_COUNT = 20
COUNTED_WEIGHTS = [1.0, 1.0, 1.0, 0.0]
RANK_OF_COUNT = [
    sum(1 / place**2 for place in range(1, count + 1)) / (math.pi**2 / 6) - 1e-4 for count in range(1, MAX_COUNT + 1)
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
        GROUP BY id ORDER BY round(sum(information)::numeric, {DECIMALS}) DESC, id LIMIT %s
    """
    parameters: list[Any] = []
    corpus_size = max(term.chunk_count for term in found) + 1
    for term in chosen:
        weight = inverse_frequency(term, corpus_size)
        query = within(organization, any_form(term))
        parameters += [weight, scope.organization_id, *allowed.parameters, query, POOL]
    best = [row[0] for row in allowed.rows(sql, [*parameters, SCORED])]
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
    parameters = [scope.organization_id, *allowed.parameters, held, POOL, query, SCORED]
    return [row[0] for row in allowed.rows(sql, parameters)]


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
    k1, b, heading_weight = (f"{number}::float8" for number in (K1, B, HEADING_WEIGHT))
    in_body, in_heading = _times_in("body"), _times_in("heading")
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
            SELECT id, document_id, position, token_count, number, weight,
                max(greatest({in_body}, 1) + {heading_weight} * {in_heading}) AS times
            FROM pool JOIN form ON body @@ query
            GROUP BY id, document_id, position, token_count, number, weight
        )
        SELECT
            id,
            document_id,
            position,
            round(
                sum(weight * times * ({k1} + 1) / (times + {k1} * (1 - {b} + {b} * token_count / %s)))::numeric,
                {DECIMALS}
            )::float8 AS bm25,
            round(sum(weight)::numeric, {DECIMALS})::float8 AS information
        FROM found
        GROUP BY id, document_id, position
        ORDER BY bm25 DESC, document_id, position
    """
    parameters = [
        [number for number, _query in queries],
        [query for _number, query in queries],
        [weights[number] for number, _query in queries],
        array(chunk_ids),
        scope.organization_id,
        *allowed.parameters,
        corpus.average_length,
    ]
    found = allowed.rows(sql, parameters)
    total = sum(weights) or 1.0
    hits = [Hit(chunk_id, bm25, (document_id, position)) for chunk_id, document_id, position, bm25, _ in found]
    scores = {chunk_id: KeywordScore(bm25, information / total) for chunk_id, _, _, bm25, information in found}
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
    found = rows(sql, [query, array(chunk_ids), scope.organization_id, *allowed.parameters])
    return [Hit(chunk_id, float(rank), (document_id, position)) for chunk_id, document_id, position, rank in found]


def _times_in(vector: str) -> str:
    weights, ranks = array(COUNTED_WEIGHTS), array(RANK_OF_COUNT)
    return f"width_bucket(ts_rank('{weights}'::float4[], {vector}, query), '{ranks}'::float4[])"
