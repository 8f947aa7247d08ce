"""One organization's questions wait for each other, another's do not."""

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from tutor import taking_turns
from tutor.taking_turns import AT_ONCE, place_of

OURS, THEIRS = uuid.uuid4(), uuid.uuid4()


def test_a_flood_fills_its_own_places_and_leaves_others_theirs() -> None:
    go, arrived = threading.Event(), threading.Semaphore(0)
    inside: list[int] = []

    def work(number: int) -> None:
        with place_of(OURS):
            inside.append(number)
            arrived.release()
            assert go.wait(30)

    with ThreadPoolExecutor(6) as threads:
        working = [threads.submit(work, number) for number in range(6)]
        for _place in range(AT_ONCE):
            assert arrived.acquire(timeout=30)
        assert not arrived.acquire(timeout=0.05)
        with place_of(THEIRS):
            assert len(inside) == AT_ONCE
        go.set()
        for one in working:
            one.result(30)
    assert sorted(inside) == list(range(6))


def test_a_failure_gives_the_place_back() -> None:
    for _time in range(AT_ONCE + 1):
        with pytest.raises(ZeroDivisionError), place_of(OURS):
            raise ZeroDivisionError
    with place_of(OURS):
        pass


def test_who_has_waited_long_goes_ahead_and_gives_back_no_place_that_was_not_theirs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(taking_turns, "LONGEST_WAIT_SECONDS", 0.01)
    with place_of(OURS), place_of(OURS):
        with place_of(OURS):
            pass
        assert not taking_turns._places[OURS].acquire(blocking=False)
