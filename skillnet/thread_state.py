"""What Django remembers of the request that a thread serves (language, time zone, addresses), kept without a lock."""

import threading
from types import ModuleType
from typing import Final

from django.urls import base
from django.utils import timezone
from django.utils.translation import trans_real

REMEMBERED: Final[tuple[tuple[ModuleType, str], ...]] = (
    (trans_real, "_active"),
    (timezone, "_active"),
    (base, "_prefixes"),
    (base, "_urlconfs"),
)


def keep_per_thread() -> None:
    """Replace Django's own places for it, which all threads share one lock to read, by places of each thread.

    A page asks for its language some thousand times. With dozens of threads, one that has to let another run while it
    holds the lock makes all others queue, and from then on each of those thousand reads waits for its turn: four fifths
    of the time of fifty people asking at once went there. Only for servers that give a request a thread of its own, as
    WSGI servers do: tasks of one event loop would see each other's language. Raises: AttributeError for a
    Django that has no such place.
    """
    for module, name in REMEMBERED:
        getattr(module, name)  # a Django that keeps it elsewhere is noticed at the start
        setattr(module, name, threading.local())
