"""Which documents a prompt gets whole."""

import pytest

from documents.strategy import StrategySettings, uses_full_text


@pytest.mark.parametrize(
    ("pages", "is_only", "medium", "whole"),
    [
        (1, True, True, True),
        (3, True, False, True),
        (3, False, True, False),
        (4, True, True, True),
        (5, True, False, False),
        (6, True, True, False),
    ],
)
def test_a_short_only_document_is_given_whole(pages: int, is_only: bool, medium: bool, whole: bool) -> None:
    assert uses_full_text(pages, is_only, StrategySettings(medium_as_full_text=medium)) is whole


def test_limits_out_of_order_are_refused() -> None:
    with pytest.raises(ValueError, match="in order"):
        StrategySettings(short_pages=6)
