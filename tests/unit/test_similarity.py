"""Signatures of texts."""

import pytest

from documents.similarity import SIGNATURE_LENGTH, likeness, signature


def words(start: int, count: int) -> str:
    return " ".join(f"palabra{number}" for number in range(start, start + count))


def test_equal_texts_are_wholly_alike_whatever_their_case_and_signs():
    assert likeness(signature("Abre la caja, y cuenta."), signature("ABRE LA CAJA Y CUENTA")) == 1.0


def test_texts_without_a_run_in_common_are_not_alike():
    assert likeness(signature(words(0, 300)), signature(words(500, 300))) == 0.0


@pytest.mark.parametrize("shared", [0.3, 0.6, 0.9])
def test_the_estimate_is_near_the_share_of_runs_in_common(shared):
    total = 3_000
    common = int(total * 2 * shared / (1 + shared))  # Jaccard of two texts of `total` runs
    one, other = words(0, total), words(0, common) + " " + words(10_000, total - common)
    assert likeness(signature(one), signature(other)) == pytest.approx(shared, abs=0.12)


def test_short_texts_are_compared_exactly():
    assert likeness(signature("uno dos tres cuatro"), signature("uno dos tres cinco")) == pytest.approx(1 / 3)


def test_a_signature_is_small_and_a_text_without_words_has_none():
    assert len(signature(words(0, 5_000))) == SIGNATURE_LENGTH
    assert all(0 <= number < 2**63 for number in signature(words(0, 50)))
    assert signature("…") == []
    assert likeness([], signature("uno dos tres")) == 0.0
