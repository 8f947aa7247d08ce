import numpy as np
import pytest

from retrieval.late_interaction import interactions
from retrieval.reranking import blended, ordered
from retrieval.types import Hit
from skillnet.backends.fakes import FakeEmbedder

HITS = [Hit(1, 0.030), Hit(2, 0.029), Hit(3, 0.010)]


def ids(hits):
    return [hit.chunk_id for hit in hits]


def tokens(text):
    return FakeEmbedder(dimensions=64).embed_query_with_tokens(text).tokens


def test_a_passage_with_all_words_of_the_question_scores_highest():
    full, half, none = interactions(
        tokens("lavar las manos"),
        [tokens("hay que lavar bien las manos"), tokens("las manos"), tokens("cerrar la caja")],
    )
    assert full.score == pytest.approx(1, abs=1e-5)
    assert full.score > half.score > none.score


def test_the_weakest_tokens_tell_a_near_miss():
    [miss] = interactions(tokens("clave del armario azul"), [tokens("armario azul del almacén")])
    assert miss.weakest < 0.5 < miss.score


def test_nothing_to_compare_is_nothing():
    empty = np.empty((0, 64), np.float32)
    assert interactions(tokens("caja"), [empty]) == [None]
    assert interactions(empty, [tokens("caja"), tokens("mesa")]) == [None, None]


def test_blending_lets_a_clear_difference_overrule_a_small_one():
    assert ids(blended(HITS, {1: 0.70, 2: 0.90, 3: 0.71}, weight=0.4)) == [2, 1, 3]
    assert ids(blended(HITS, {1: 0.70, 2: 0.90, 3: 0.71}, weight=0.0)) == [1, 2, 3]


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_a_hit_without_tokens_neither_wins_nor_loses_by_it(missing):
    agreeing = {1: 0.90, 2: 0.85, 3: 0.60}
    del agreeing[missing]
    assert ids(blended(HITS, agreeing, weight=0.9)) == [1, 2, 3]


def test_hits_with_tokens_change_places_around_one_without():
    assert ids(blended(HITS, {1: 0.70, 3: 0.90}, weight=0.9)) == [2, 3, 1]


def test_tokens_of_a_single_hit_change_nothing():
    assert ids(blended(HITS, {3: 0.99}, weight=0.9)) == [1, 2, 3]


def test_without_any_scores_hits_stay_as_they_are():
    assert blended(HITS, {}, weight=0.4) == HITS
    assert blended([], {}, weight=0.4) == []


def test_a_models_scores_alone_decide_whatever_their_scale():
    reordered = ordered(HITS, [-7.5, -9.0, 2.0])
    assert ids(reordered) == [3, 1, 2]
    assert all(0 < hit.score < 1 for hit in reordered)


def test_equal_scores_keep_their_order():
    assert ids(ordered(HITS, [1.0, 1.0, 1.0])) == [1, 2, 3]
