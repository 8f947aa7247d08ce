"""How near units and passages are to a question."""

import numpy as np

from retrieval.types import SearchResult
from skillnet.backends.fakes import FakeEmbedder
from tests.unit.passages import passage
from tutor.relevance import passage_relevances, unit_matches


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
