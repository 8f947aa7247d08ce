"""When there are too few sources to answer from."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from retrieval.pipeline import has_enough_sources
from retrieval.types import Leg
from tests.unit.passages import passage

MEANING: Leg = "semantic"
WORDS: Leg = "keyword"


@pytest.mark.parametrize(
    ("found_by", "minimum", "is_enough"),
    [
        ([], 1, False),
        ([{MEANING}, {WORDS}], 1, True),  # everyday words: what answers has none of them
        ([{MEANING}, {WORDS}], 2, False),
        ([{MEANING, WORDS}, {WORDS}, {MEANING, WORDS}], 2, True),
        ([{WORDS}, {WORDS}], 2, True),  # the other leg found nothing at all
    ],
)
def test_of_several_sources_each_is_found_by_every_leg(
    found_by: Sequence[set[Leg]], minimum: int, is_enough: bool
) -> None:
    passages = [replace(passage("texto", chunk_id=at), legs=frozenset(legs)) for at, legs in enumerate(found_by, 1)]
    assert has_enough_sources(passages, minimum) is is_enough
