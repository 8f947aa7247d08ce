"""How much this process does for one organization at once, so that nobody's flood is everybody's wait."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from uuid import UUID

LONGEST_WAIT_SECONDS: Final = 60.0  # well within what a claim of a question lasts; after it one goes ahead all the same


class Places:
    """So many pieces of work for each organization at once; others of it wait."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self._opening = threading.Lock()
        self._places: dict[UUID, threading.Semaphore] = {}

    @contextmanager
    def of(self, organization_id: UUID) -> Iterator[None]:
        """Wait for one of the organization's places, and hold it. Not inside a transaction nor another of these places,
        and not while text flows to a reader.
        """
        with self._opening:
            places = self._places.setdefault(organization_id, threading.Semaphore(self.at_once))
        has_place = places.acquire(timeout=LONGEST_WAIT_SECONDS)
        try:
            yield
        finally:
            if has_place:
                places.release()


# A process runs one thread of Python at a time, and two passes of the model: more at once are no faster.
ANSWERS: Final = Places(2)
REQUESTS: Final = Places(4)  # these wait for PostgreSQL in between, and a large upload must not hold up all pages
