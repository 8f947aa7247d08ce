"""What an organization's documents call things: their words in figures, its glossary, and questions as terms."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from retrieval.keywords import Corpus, Term, all_terms
from retrieval.statements import rows, rows_of_prepared


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What is known of an organization's words before a question."""

    corpus: Corpus
    glossary: list[list[str]]  # the wordings of its entries, in the order they were added


def vocabulary_of(organization_id: UUID) -> Vocabulary:
    """The figures of an organization's corpus, kept up to date as versions come and go, and its glossary."""
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
            ARRAY(SELECT language FROM spoken WHERE language IS NOT NULL ORDER BY language),
            (SELECT json_agg(wordings ORDER BY id) FROM retrieval_glossaryentry WHERE organization_id = %s)
        FROM (VALUES (%s)) AS asked (organization_id)
        LEFT JOIN documents_corpusstatistic USING (organization_id)
    """
    [(chunk_count, length_total, languages, glossary)] = rows_of_prepared(sql, [organization_id] * 4)
    corpus = Corpus(0, 1.0, ())
    if chunk_count:
        corpus = Corpus(chunk_count, max(float(length_total) / chunk_count, 1.0), tuple(languages))
    return Vocabulary(corpus, glossary or [])


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
        for piece, word, lexemes, is_code, count in rows_of_prepared(
            sql, [spoken, organization_id, [piece.replace("\0", "") for piece in pieces], spoken]
        )
    ]


def lexemes_that_sound(organization_id: UUID, languages: Sequence[str], sounds: Sequence[str]) -> dict[str, int]:
    """The organization's lexemes with one of some skeletons (see retrieval.spelling), and the chunks that hold them."""
    sql = """
        SELECT lexeme, sum(chunk_count) FROM documents_termstatistic
        WHERE organization_id = %s AND skillnet_sound(lexeme) = ANY (%s::text[]) AND language = ANY (%s::text[])
        GROUP BY lexeme ORDER BY lexeme
    """
    return {lexeme: int(count) for lexeme, count in rows(sql, [organization_id, list(sounds), list(languages)])}


def words_match(document: str, query: str, *, language: str = "es") -> bool:
    """Whether a text holds every word of a query, as the keyword search sees both."""
    sql = "SELECT lexemes, is_code FROM skillnet_query_terms(ARRAY[%s], %s)"
    terms = [Term(tuple(lexemes), 0, is_code) for lexemes, is_code in rows(sql, [language, query])]
    if not terms:
        return False
    [(held,)] = rows("SELECT skillnet_search_vector(%s, '', %s) @@ %s::tsquery", [language, document, all_terms(terms)])
    return bool(held)
