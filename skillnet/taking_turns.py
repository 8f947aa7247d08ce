"""Who has used more than their part of a busy process waits for their turn.

A process runs one thread of Python at a time, so that twenty requests of one organization make the one of another
twenty times as slow. While several organizations use a process, each gets a few requests worked on at once, in order.
What each used of the processor fades over some seconds: while the process is busy, one that used more than its even
part gets one at a time, whatever that one waits for. Who is between two clicks still counts among those who use it,
for some 37 seconds after they have used one: else the others fill the process before the next click. Where
nobody else has come for so long, nobody waits.
"""

import math
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final
from uuid import UUID

REMEMBERED_SECONDS: Final = 10.0  # after so long about a third of what was used still counts
BUSY: Final = 0.2  # of what one core does in that time, above which a process is busy: others share the cores, too
LEAST_SECONDS: Final = 0.05  # of processor; who used less is forgotten
LONGEST_WAIT_SECONDS: Final = 20.0  # well within what a claim of a question lasts; after it one goes ahead all the same
MOST_AT_WORK: Final = 4  # requests of one organization among others: what they use is known when they are done
MOST_WAITING: Final = 24  # half of a process's threads: the other half stays free for the others


class Crowded(Exception):
    """So many requests of the organization wait already that one more would take a thread from the others."""


class Turns:
    """The turns of one process. `clock` gives seconds, `used` those of processor that the calling thread has used."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, used: Callable[[], float] = time.thread_time
    ) -> None:
        self._clock, self._thread_used = clock, used
        self._lock = threading.Lock()
        self._used: dict[UUID, float] = {}
        self._counted_at = clock()
        self._at_work: Counter[UUID] = Counter()
        self._waiting: defaultdict[UUID, deque[threading.Event]] = defaultdict(deque)
        self._own = threading.local()

    @contextmanager
    def of(self, organization_id: UUID, *, may_be_refused: bool = False) -> Iterator[None]:
        """Wait until it is the organization's turn, if it has to wait, and count what is used meanwhile.

        Not around what takes long without work for this process, as text that flows does, nor inside a transaction. A
        turn inside another one is part of it.
        Raises: Crowded, at once, when too many wait already and this one may be refused.
        """
        if getattr(self._own, "has_turn", False):
            yield
            return
        self._enter(organization_id, may_be_refused=may_be_refused)
        self._own.has_turn, before = True, self._thread_used()
        try:
            yield
        finally:
            self._own.has_turn = False
            self._leave(organization_id, self._thread_used() - before)

    def _enter(self, organization_id: UUID, *, may_be_refused: bool) -> None:
        with self._lock:
            # Who comes counts from the beginning, so that others make room before its first request is done.
            self._used.setdefault(organization_id, LEAST_SECONDS)
            if self._is_free(organization_id):
                self._at_work[organization_id] += 1
                return
            waiting = self._waiting[organization_id]
            if may_be_refused and len(waiting) >= MOST_WAITING:
                raise Crowded
            turn = threading.Event()
            waiting.append(turn)
        if turn.wait(LONGEST_WAIT_SECONDS):
            return
        with self._lock:
            if turn in waiting:  # else it was given its turn at this very moment
                waiting.remove(turn)
                self._at_work[organization_id] += 1

    def _leave(self, organization_id: UUID, seconds: float) -> None:
        with self._lock:
            self._forget()
            self._used[organization_id] = self._used.get(organization_id, 0.0) + seconds
            self._at_work[organization_id] -= 1
            waiting = self._waiting[organization_id]
            while waiting and self._is_free(organization_id):
                self._at_work[organization_id] += 1
                waiting.popleft().set()
            if not waiting:
                del self._waiting[organization_id]
            if not self._at_work[organization_id]:
                del self._at_work[organization_id]

    def _is_free(self, organization_id: UUID) -> bool:
        """Whether a request of the organization may be worked on now."""
        at_work = self._at_work[organization_id]
        if not at_work:
            return True
        self._forget()
        if len(self._used) == 1:
            return True
        total = sum(self._used.values())
        is_within_its_part = self._used.get(organization_id, 0.0) * len(self._used) <= total
        return at_work < MOST_AT_WORK and (is_within_its_part or total <= BUSY * REMEMBERED_SECONDS)

    def _forget(self) -> None:
        """Let what was used count less the longer ago it was; drop who used next to nothing and has no work here."""
        now = self._clock()
        kept = math.exp((self._counted_at - now) / REMEMBERED_SECONDS)
        self._counted_at = now
        self._used = {
            one: seconds * kept
            for one, seconds in self._used.items()
            if seconds * kept >= LEAST_SECONDS / 2 or self._at_work[one]
        }


turns: Final = Turns()
