import pytest

from retrieval.fusion import Ranking, reciprocal_rank_fusion
from retrieval.types import Hit


def ranking(leg, *hits, weight=0.5):
    return Ranking(leg, weight, [Hit(chunk_id, score, (chunk_id, 0)) for chunk_id, score in hits])


def test_a_chunk_that_both_legs_found_comes_first():
    fused = reciprocal_rank_fusion([ranking("semantic", (1, 0.9), (2, 0.8)), ranking("keyword", (2, 7.0), (3, 5.0))])
    assert [hit.chunk_id for hit in fused] == [2, 1, 3]


def test_each_hit_keeps_the_legs_that_found_it():
    fused = reciprocal_rank_fusion([ranking("semantic", (1, 0.9), (2, 0.8)), ranking("keyword", (2, 7.0))])
    assert {hit.chunk_id: hit.legs for hit in fused} == {1: {"semantic"}, 2: {"semantic", "keyword"}}


def test_ranks_count_from_one_and_weights_multiply():
    fused = reciprocal_rank_fusion([ranking("semantic", (1, 0.9), (2, 0.8), weight=0.7)], k=60)
    assert [hit.score for hit in fused] == pytest.approx([0.7 / 61, 0.7 / 62])


def test_equal_scores_go_by_document_then_position():
    semantic = Ranking("semantic", 0.5, [Hit(10, 0.9, (2, 0)), Hit(20, 0.8, (1, 5))])
    keyword = Ranking("keyword", 0.5, [Hit(20, 3.0, (1, 5)), Hit(10, 2.0, (2, 0))])
    assert [hit.chunk_id for hit in reciprocal_rank_fusion([semantic, keyword])] == [20, 10]
    later = Ranking("keyword", 0.5, [Hit(20, 3.0, (2, 1)), Hit(10, 2.0, (2, 0))])
    first = Ranking("semantic", 0.5, [Hit(10, 0.9, (2, 0)), Hit(20, 0.8, (2, 1))])
    assert [hit.chunk_id for hit in reciprocal_rank_fusion([first, later])] == [10, 20]


def test_strength_lets_the_surer_leg_decide_a_tie():
    # The semantic leg hardly tells 1 from 2; the keyword leg clearly wants 2.
    semantic = ranking("semantic", (1, 0.861), (2, 0.860), (3, 0.80))
    keyword = ranking("keyword", (2, 20.0), (1, 8.0), (3, 7.0))
    assert reciprocal_rank_fusion([semantic, keyword])[0].chunk_id == 1
    assert reciprocal_rank_fusion([semantic, keyword], strength=0.002)[0].chunk_id == 2


def test_equal_scores_within_a_leg_are_no_reason_to_fail():
    fused = reciprocal_rank_fusion([ranking("keyword", (1, 2.0), (2, 2.0))], strength=0.002)
    assert [hit.chunk_id for hit in fused] == [1, 2]


def test_the_order_does_not_depend_on_which_leg_is_named_first():
    legs = [ranking("semantic", (1, 0.9), (2, 0.8)), ranking("keyword", (3, 7.0), (2, 5.0))]
    assert reciprocal_rank_fusion(legs, strength=0.002) == reciprocal_rank_fusion(legs[::-1], strength=0.002)


def test_nothing_found_is_an_empty_ranking():
    assert reciprocal_rank_fusion([]) == []
    assert reciprocal_rank_fusion([ranking("semantic")]) == []
