"""What a search did, as it is stored beside its result (pure)."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Trace:
    """The time of each stage in ms, how many candidates it left, and what was out of the ordinary."""

    def __init__(self) -> None:
        self.timings_ms: dict[str, float] = {}
        self.candidates: dict[str, int] = {}
        self.notes: dict[str, Any] = {}
        self._started = time.perf_counter()

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage. One that runs more than once counts with all its runs."""
        started = time.perf_counter()
        yield
        self.timings_ms[name] = self.timings_ms.get(name, 0.0) + (time.perf_counter() - started) * 1000

    def add(self, other: "Trace", *, only_times: bool = False) -> None:
        """Take in what a part of the search did, or, where its outcome was not used, only the time that it took."""
        for name, value in other.timings_ms.items():
            self.timings_ms[name] = self.timings_ms.get(name, 0.0) + value
        if not only_times:
            self.candidates |= other.candidates
            self.notes |= other.notes

    def as_dict(self) -> dict[str, Any]:
        total = (time.perf_counter() - self._started) * 1000
        timings = {name: round(value, 2) for name, value in {**self.timings_ms, "total": total}.items()}
        return {**self.notes, "timings_ms": timings, "candidates": self.candidates}
