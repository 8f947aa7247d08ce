"""How near units and passages are to a question."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from documents.token_vectors import TokenVectors
from retrieval.types import SearchResult
from skillnet.backends.fakes import FakeEmbedder
from skillnet.backends.protocols import PassageEmbedding, Vector
from skillnet.errors import BackendUnavailable
from tests.unit.passages import passage
from tutor.reading import read
from tutor.relevance import (
    READ_PASSAGES,
    UNSTORED_PASSAGES,
    WORDS_READ,
    cosines_alone,
    passage_relevances,
    read_passages,
    unit_matches,
)
from tutor.scoring import COMPARED, WITHIN, Match, best_of, compared, score_units, to_compare
from tutor.weights import ALL_WEIGHTS

REPORTS = "La tienda abre a las 9:00. El informe Y se conserva cinco años. El informe Z se conserva seis años."


def test_without_token_vectors_whole_sentences_are_compared():
    class SentenceEmbedder(FakeEmbedder):
        supports_tokens = False

    text = "La tienda abre todos los días. El informe Z se conserva cinco años."
    matches = unit_matches("¿Cuántos años se conserva el informe Z?", [passage(text)], SentenceEmbedder())
    assert np.argmax([match.similarity for match in matches[0]]) == 1


def test_relevance_falls_with_the_score_and_never_leaves_its_range():
    passages = [passage("a"), passage("b")]
    result = SearchResult("q", tuple(passages), 0.8, True, "es", "chunks", {})
    assert passage_relevances(result) == [0.8, 0.8]


def test_as_many_passages_are_read_as_a_search_gives():
    passages = [passage(f"Regla {number}.", chunk_id=number) for number in range(READ_PASSAGES + 1)]
    tokens = FakeEmbedder().embed_passages_with_tokens(["Regla."])[0]
    stored = [replace(one, tokens=TokenVectors(tokens.tokens, tokens.spans)) for one in passages]
    assert len(read_passages(stored)) == READ_PASSAGES
    assert len(read_passages(passages)) == UNSTORED_PASSAGES


def test_a_unit_by_itself_is_read_below_its_title_and_lowest_headings():
    class Remembering(FakeEmbedder):
        def embed_passages(self, texts: Sequence[str]) -> Vector:
            seen.extend(texts)
            return super().embed_passages(texts)

    seen: list[str] = []
    deep = replace(passage("El informe Z se guarda. La caja se cierra."), heading_path=("Manual", "Caja", "Cierre"))
    choices = score_units("¿Y la caja?", [deep], [[Match()] * 2])
    cosines = cosines_alone("¿Y la caja?", [deep], choices, Remembering())
    assert seen == ["Manual 1 > Caja > Cierre\nEl informe Z se guarda.", "Manual 1 > Caja > Cierre\nLa caja se cierra."]
    assert len(cosines) == 2
    assert all(0 <= cosine <= 1 for cosine in cosines)
    long = [passage("Regla " + "larga " * 2 * WORDS_READ + "y más.")]
    seen.clear()
    cosines_alone("¿Y la caja?", long, score_units("¿Y la caja?", long, [[Match()]]), Remembering())
    assert [len(text.split("\n")[1].split()) for text in seen] == [WORDS_READ]


def test_only_the_best_units_about_the_subject_are_compared():
    text = " ".join(f"La regla {number} vale en la tienda." for number in range(COMPARED + 4))
    matches = [[Match(number / 1e4, number / 1e4, number / 1e4) for number in range(COMPARED + 4)]]
    choices = score_units("¿Y la regla?", [passage(text)], matches)
    few = to_compare(choices)
    assert [one.index for one in few] == list(range(COMPARED + 3, 3, -1))
    apart = [replace(one, signals={**one.signals, "off_subject": one.index == COMPARED + 3}) for one in choices]
    assert [one.index for one in to_compare(apart)] == list(range(COMPARED + 2, 2, -1))


def test_what_the_best_unit_leaves_far_behind_is_not_compared():
    first, *others = score_units("¿Y la caja?", [passage("Uno manda. Dos obedece. Tres calla.")], [[Match()] * 3])
    ahead = replace(first, score=max(one.score for one in others) + WITHIN + 0.1)
    assert to_compare([ahead, *others]) == []
    near = replace(others[0], score=ahead.score - WITHIN)
    assert to_compare([ahead, near, others[1]]) == [ahead, near]


def test_the_nearer_a_unit_is_by_itself_the_higher_it_stands():
    choices = score_units("¿Y la caja?", [passage("Uno manda. Dos obedece. Tres calla.")], [[Match()] * 3])
    few = [choices[0], choices[2]]
    farther, other, nearer = compared(choices, few, [0.8, 0.9])
    assert farther.score == choices[0].score
    assert other == choices[1]
    assert np.isclose(nearer.score, choices[2].score + 0.1 * ALL_WEIGHTS["alone"])
    assert nearer.signals["alone"] == 0.9


def test_reading_compares_units_by_themselves_unless_that_is_all_there_is():
    class SentenceEmbedder(FakeEmbedder):
        supports_tokens = False

    passages = [passage(REPORTS)]
    question = "¿Cuántos años se conserva el informe?"
    assert any(one.signals["alone"] for one in read(question, passages, FakeEmbedder()).choices)
    assert not any(one.signals["alone"] for one in read(question, passages, SentenceEmbedder()).choices)


def test_without_an_embedder_words_alone_decide():
    class Gone(FakeEmbedder):
        def embed_passages(self, texts: Sequence[str]) -> Vector:
            raise BackendUnavailable

    choices = read("¿Cuántos años se conserva el informe?", [passage(REPORTS)], Gone()).choices
    assert [one.signals["similarity"] for one in choices] == [0, 0, 0]
    assert best_of(choices).index == 1


def test_the_same_passages_are_read_once_for_a_question():
    class Counting(FakeEmbedder):
        def embed_passages_with_tokens(self, texts: Sequence[str]) -> list[PassageEmbedding]:
            asked.append(len(texts))
            return super().embed_passages_with_tokens(texts)

    asked: list[int] = []
    passages, embedder = (passage(REPORTS),), Counting()
    reading = read("¿Cuántos años?", passages, embedder)
    assert read("¿Cuántos años?", passages, embedder) is reading
    assert asked == [1]
    read("¿Cuántos meses?", passages, embedder)
    read("¿Cuántos meses?", (passage(REPORTS),), embedder)
    assert asked == [1, 1, 1]
