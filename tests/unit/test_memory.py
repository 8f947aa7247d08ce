"""Memory given back to the system."""

import platform
from pathlib import Path

import pytest

from skillnet.memory import return_free_memory


def _resident_mib() -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS"))


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc keeps what was freed")
def test_freed_pieces_between_used_ones_are_given_back() -> None:
    pieces = [bytearray(60_000) for _ in range(4_000)]  # below the size that is mapped by itself
    kept = pieces[::50]
    del pieces
    before = _resident_mib()
    return_free_memory()
    assert before - _resident_mib() > 100
    assert len(kept) == 80


def test_without_glibc_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "libc_ver", lambda: ("", ""))
    monkeypatch.setattr("ctypes.CDLL", lambda _name: pytest.fail("no C library to ask"))
    return_free_memory()
