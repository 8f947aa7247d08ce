"""Who has used more than their part of a busy process waits; nobody else does."""

import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from skillnet import taking_turns
from skillnet.taking_turns import Crowded, Turns

LOUD, QUIET = uuid.uuid4(), uuid.uuid4()


class Times:
    """A clock, and seconds of processor, that stand still until they are moved."""

    def __init__(self) -> None:
        self.now = self.used = 0.0


@pytest.fixture
def times() -> Times:
    return Times()


@pytest.fixture
def turns(times: Times) -> Turns:
    return Turns(lambda: times.now, lambda: times.used)


def use(turns: Turns, times: Times, organization: uuid.UUID, seconds: float) -> None:
    with turns.of(organization):
        times.used += seconds


@contextmanager
def at_work(turns: Turns, organization: uuid.UUID) -> Iterator[Callable[[], None]]:
    """A request that another thread works on until it is told to end."""
    began, may_end = threading.Event(), threading.Event()

    def work() -> None:
        with turns.of(organization):
            began.set()
            may_end.wait(60)

    thread = threading.Thread(target=work)
    thread.start()
    assert began.wait(60)

    def end() -> None:
        may_end.set()
        thread.join(60)

    try:
        yield end
    finally:
        end()


def waits(turns: Turns, organization: uuid.UUID) -> bool:
    """Whether one more request of the organization is put behind others."""
    gone, before = threading.Event(), len(turns._waiting[organization])

    def go() -> None:
        with turns.of(organization):
            gone.set()

    threading.Thread(target=go, daemon=True).start()
    while not gone.wait(0.001):
        if len(turns._waiting[organization]) > before:
            return True
    return False


def test_who_is_alone_never_waits(turns: Turns, times: Times) -> None:
    use(turns, times, LOUD, 100)
    with at_work(turns, LOUD), at_work(turns, LOUD):
        assert not waits(turns, LOUD)


def test_one_request_at_a_time_of_who_used_more_than_their_part(turns: Turns, times: Times) -> None:
    use(turns, times, QUIET, 1)
    use(turns, times, LOUD, 9)
    with at_work(turns, LOUD), at_work(turns, QUIET):
        assert waits(turns, LOUD)
        assert not waits(turns, QUIET)


def test_among_others_nobody_comes_all_at_once(turns: Turns, times: Times) -> None:
    use(turns, times, QUIET, 0.1)
    with ExitStack() as stack:
        for _ in range(taking_turns.MOST_AT_WORK):
            assert not waits(turns, LOUD)
            stack.enter_context(at_work(turns, LOUD))
        assert waits(turns, LOUD)  # however little both have used so far
        assert not waits(turns, QUIET)


def test_a_process_that_is_not_busy_lets_everyone_work(turns: Turns, times: Times) -> None:
    use(turns, times, QUIET, 0.1)
    use(turns, times, LOUD, 1)
    with at_work(turns, LOUD):
        assert not waits(turns, LOUD)


def test_who_comes_makes_others_wait_from_the_first_request_on(turns: Turns, times: Times) -> None:
    use(turns, times, LOUD, 9)
    with at_work(turns, LOUD):
        assert not waits(turns, LOUD)
        with at_work(turns, QUIET):
            assert waits(turns, LOUD)


def test_who_is_between_two_clicks_still_makes_others_wait(turns: Turns, times: Times) -> None:
    use(turns, times, QUIET, 1)
    use(turns, times, LOUD, 9)
    times.now = 1
    with at_work(turns, LOUD):
        assert waits(turns, LOUD)


def test_what_was_used_is_forgotten(turns: Turns, times: Times) -> None:
    use(turns, times, QUIET, 1)
    use(turns, times, LOUD, 9)
    times.now = 2 * taking_turns.REMEMBERED_SECONDS
    with at_work(turns, LOUD):
        assert not waits(turns, LOUD)


def test_who_waits_comes_next_and_in_order(turns: Turns, times: Times) -> None:
    use(turns, times, QUIET, 1)
    use(turns, times, LOUD, 9)
    came: list[int] = []

    def work(number: int) -> None:
        with turns.of(LOUD):
            came.append(number)

    with at_work(turns, LOUD) as end:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
        for number, thread in enumerate(threads):
            thread.start()
            while len(turns._waiting[LOUD]) <= number:
                threading.Event().wait(0.001)
        assert came == []
        end()
    for thread in threads:
        thread.join(60)
    assert came == [0, 1, 2]
    assert not turns._at_work
    assert not turns._waiting


def test_a_turn_inside_another_one_is_part_of_it(turns: Turns, times: Times) -> None:
    use(turns, times, QUIET, 1)
    use(turns, times, LOUD, 9)
    with turns.of(LOUD), turns.of(LOUD):
        assert turns._at_work[LOUD] == 1


def test_a_wait_ends(turns: Turns, times: Times, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taking_turns, "LONGEST_WAIT_SECONDS", 0.01)
    use(turns, times, QUIET, 1)
    use(turns, times, LOUD, 9)
    with at_work(turns, LOUD):
        use(turns, times, LOUD, 0)
        assert turns._at_work[LOUD] == 1


def test_those_who_would_fill_the_threads_are_refused(
    turns: Turns, times: Times, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taking_turns, "MOST_WAITING", 1)
    use(turns, times, QUIET, 1)
    use(turns, times, LOUD, 9)
    with ExitStack() as stack:
        stack.enter_context(at_work(turns, LOUD))
        assert waits(turns, LOUD)
        with pytest.raises(Crowded), turns.of(LOUD, may_be_refused=True):
            pass
        assert not waits(turns, QUIET)


def test_a_request_that_fails_gives_its_turn_back(turns: Turns) -> None:
    with pytest.raises(ValueError, match="x"), turns.of(LOUD):
        raise ValueError("x")
    with turns.of(LOUD):
        assert turns._at_work[LOUD] == 1
    assert not turns._at_work
