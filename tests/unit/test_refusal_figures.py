import pytest

from retrieval.evaluation.refusal import area_under_curve, refusals, reliability


def test_reliability_sets_confidence_beside_what_came_true():
    table = reliability([True, True, False, False], [0.95, 1.0, 0.91, 0.05])
    assert [(row["from"], row["to"], row["questions"]) for row in table] == [(0.0, 0.1, 1), (0.9, 1.0, 3)]
    assert table[0]["answerable"] == 0.0
    assert table[1]["answerable"] == pytest.approx(2 / 3, abs=1e-3)
    assert table[1]["confidence"] == pytest.approx((0.95 + 1.0 + 0.91) / 3, abs=1e-3)


def test_figures_of_refusing():
    answerable, refused = [True, True, False, False], [False, True, True, True]
    assert refusals(answerable, refused) == {"precision": 2 / 3, "recall": 1.0, "answered": 1, "refused": 3}
    assert area_under_curve([True, False, True], [0.9, 0.1, 0.1]) == 0.75
