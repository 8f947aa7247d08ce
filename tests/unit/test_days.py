"""Days are written the way the reader's language does."""

from datetime import UTC, date, datetime

import pytest
from django.utils import translation

from skillnet.templatetags.interface import day


@pytest.mark.parametrize(("language", "written"), [("es", "1 dic 2026"), ("en", "1 Dec 2026"), ("pt", "1 dez 2026")])
def test_months_are_in_the_language_of_the_page(language: str, written: str):
    with translation.override(language):
        assert day(date(2026, 12, 1)) == written


def test_a_moment_has_its_time_and_nothing_stays_nothing():
    with translation.override("en"):
        assert day(datetime(2026, 12, 1, 9, 5, tzinfo=UTC), "j b, H:i") == "1 Dec, 09:05"
    assert day(None) == ""
