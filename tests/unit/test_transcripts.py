"""Videos by their address."""

from collections.abc import Sequence

import pytest

from documents import transcripts
from documents.parsing.youtube import Transcript

ADDRESS = "https://www.youtube.com/watch?v=abcdefghijk"


def test_spanish_subtitles_are_asked_for_first(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []

    def fetch_transcript(address: str, languages: Sequence[str]) -> Transcript:
        asked.append((address, languages[0]))
        return Transcript("Cierre\nde caja " + "x" * 400, "WEBVTT\n")

    monkeypatch.setattr(transcripts, "fetch_transcript", fetch_transcript)
    title, file = transcripts.fetched(ADDRESS)
    assert asked == [(ADDRESS, "es")]
    assert title.startswith("Cierre de caja")
    assert len(title) == 300
    assert file.read() == b"WEBVTT\n"
