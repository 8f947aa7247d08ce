"""How many questions of one organization this process works on at once, so that nobody's flood is everybody's wait."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from uuid import UUID

AT_ONCE: Final = 2  # more are no faster: a process runs one thread of Python at a time, and two passes of the model
LONGEST_WAIT_SECONDS: Final = 60.0  # well within what a claim of a question lasts; after it one goes ahead all the same

_opening = threading.Lock()
_places: dict[UUID, threading.Semaphore] = {}


@contextmanager
def place_of(organization_id: UUID) -> Iterator[None]:
    """Wait for one of the organization's places, and hold it. Not while text flows nor inside a transaction, which both
    may take long without work for this process; nor inside another place.
    """
    with _opening:
        places = _places.setdefault(organization_id, threading.Semaphore(AT_ONCE))
    has_place = places.acquire(timeout=LONGEST_WAIT_SECONDS)
    try:
        yield
    finally:
        if has_place:
            places.release()
