"""The language and addresses of a request, apart for each thread and read without waiting for others."""

import threading
from collections.abc import Callable, Iterator

import pytest
from django.urls import reverse, set_script_prefix, set_urlconf
from django.utils import timezone, translation

from skillnet import thread_state


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = [(module, name, getattr(module, name)) for module, name in thread_state.REMEMBERED]
    thread_state.keep_per_thread()
    yield
    for module, name, kept in before:
        setattr(module, name, kept)


def in_a_thread(work: Callable[[], object]) -> object:
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


def test_a_thread_sees_neither_language_nor_time_zone_nor_prefix_of_another() -> None:
    plain = in_a_thread(lambda: (translation.get_language(), timezone.get_current_timezone_name(), reverse("healthz")))
    with translation.override("pt"), timezone.override("Asia/Tokyo"):
        set_script_prefix("/otro/")
        assert translation.get_language() == "pt"
        assert timezone.get_current_timezone_name() == "Asia/Tokyo"
        assert reverse("healthz").startswith("/otro/")
        there = in_a_thread(
            lambda: (translation.get_language(), timezone.get_current_timezone_name(), reverse("healthz"))
        )
    assert there == plain


def test_django_writes_where_each_thread_has_its_own_place() -> None:
    set_script_prefix("/otro/")
    set_urlconf("skillnet.urls")
    with translation.override("pt"), timezone.override("Asia/Tokyo"):
        for module, name in thread_state.REMEMBERED:
            place = getattr(module, name)
            assert isinstance(place, threading.local), name
            assert vars(place), name


def test_a_django_without_one_of_the_places_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread_state, "REMEMBERED", ((timezone, "_renamed"),))
    with pytest.raises(AttributeError, match="_renamed"):
        thread_state.keep_per_thread()
