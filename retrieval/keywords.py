"""Words of a question: what they weigh, and as text search queries (pure).

Their lexemes come from the database, which made those of the documents; only how they combine is decided here.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from retrieval.question import Expression


@dataclass(frozen=True, slots=True)
class Term:
    """One word of a question."""

    lexemes: tuple[str, ...]  # any of them stands for the word
    chunk_count: int  # chunks of the organization that hold it, by the commonest of its lexemes
    is_code: bool = False
    word: int = 0  # its place in the question or piece
    piece: int = 0
    phrases: tuple[str, ...] = ()  # text search queries that stand for the word as well
    certainty: float = 1.0  # that these lexemes are what was meant: less for words thought to be misspelt


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


def inverse_frequency(term: Term, chunk_count: int) -> float:
    """How much a term says: the rarer, the more, as far as it is certain. Never negative.

    Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
    """
    found = min(term.chunk_count, chunk_count)
    return term.certainty * math.log(1 + (chunk_count - found + 0.5) / (found + 0.5))


def distinct(terms: Iterable[Term]) -> list[Term]:
    """Each term once, in order."""
    first: dict[tuple[tuple[str, ...], tuple[str, ...]], Term] = {}
    for term in terms:
        first.setdefault((term.lexemes, term.phrases), term)
    return list(first.values())


def forms(term: Term) -> list[str]:
    """The tsqueries any of which stands for the term."""
    return [*map(quoted, term.lexemes), *term.phrases]


def any_form(term: Term) -> str:
    """A tsquery that holds where the term stands in any of its forms."""
    return "(" + " | ".join(forms(term)) + ")"


def all_terms(terms: Sequence[Term]) -> str:
    """A tsquery that holds where every term stands; empty for no terms."""
    return " & ".join(any_form(term) for term in terms)


def within(organization: str, query: str) -> str:
    """A tsquery that holds where `query` does in the chunks of that organization, which carry it as a lexeme."""
    return f"{quoted(organization)} & ({query})"


def expression_query(expression: Expression, terms: Sequence[Term]) -> str:
    """The tsquery of an expression whose pieces, counted through it, have these terms; empty when it wants nothing.

    An alternative that only excludes is left out: it would hold for nearly everything.
    """
    alternatives = []
    piece_number = 0
    for pieces in expression:
        wanted: list[str] = []
        unwanted: list[str] = []
        for piece in pieces:
            own = [term for term in terms if term.piece == piece_number]
            piece_number += 1
            if own:
                query = phrase(own) if piece.is_phrase else all_terms(own)
                (unwanted if piece.is_excluded else wanted).append(query)
        if wanted:
            alternatives.append(" & ".join([f"({query})" for query in wanted] + [f"!({query})" for query in unwanted]))
    return " | ".join(f"({query})" for query in alternatives)


def phrase(terms: Sequence[Term]) -> str:
    """A tsquery that holds where some terms follow each other as they do in the text they are from."""
    # Codes have no place of their own in a document: they break a phrase in two.
    runs: list[list[Term]] = [[]]
    for term in terms:
        if term.is_code:
            runs += [[term], []]
        else:
            runs[-1].append(term)
    return " & ".join(_followed(run) for run in runs if run)


def _followed(run: Sequence[Term]) -> str:
    query = any_form(run[0])
    for before, term in pairwise(run):
        query = f"({query} <{term.word - before.word}> {any_form(term)})"
    return query


def quoted(lexeme: str) -> str:
    """A lexeme as a tsquery of its own, whatever characters it has."""
    return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'"
