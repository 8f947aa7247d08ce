"""Videos by their address."""

import sys
from types import ModuleType

import pytest

from documents import transcripts
from documents.errors import VideoUnreachable

ADDRESS = "https://www.youtube.com/watch?v=abcdefghijk"


def install(monkeypatch: pytest.MonkeyPatch, fetch_transcript: object) -> None:
    module = ModuleType("documents.parsing.youtube")
    module.fetch_transcript = fetch_transcript  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)


@pytest.mark.parametrize(
    ("address", "is_video"),
    [
        (ADDRESS, True),
        ("https://youtu.be/abcdefghijk?t=5", True),
        ("http://m.youtube.com/shorts/abcdefghijk", True),
        ("https://youtube.com.example.org/watch?v=a", False),
        ("https://example.com/?https://youtu.be/a", False),
        ("file:///etc/passwd", False),
        ("", False),
    ],
)
def test_only_addresses_of_videos_are_fetched(address: str, is_video: bool) -> None:
    assert transcripts.is_video_address(address) is is_video


def test_spanish_subtitles_are_asked_for_first(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, tuple[str, ...]]] = []

    class Found:
        title = "Cierre\nde caja " + "x" * 400
        vtt_text = "WEBVTT\n"

    def fetch_transcript(address: str, languages: tuple[str, ...]) -> Found:
        asked.append((address, languages))
        return Found()

    install(monkeypatch, fetch_transcript)
    title, file = transcripts.fetched(ADDRESS)
    assert asked[0][0] == ADDRESS
    assert asked[0][1][0] == "es"
    assert title.startswith("Cierre de caja")
    assert len(title) == 300
    assert file.read() == b"WEBVTT\n"


def test_a_network_that_leads_nowhere_is_said_in_plain_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch_transcript(address: str, languages: tuple[str, ...]) -> object:
        raise ConnectionError("name resolution failed")

    install(monkeypatch, fetch_transcript)
    with pytest.raises(VideoUnreachable) as refusal:
        transcripts.fetched(ADDRESS)
    assert "Descarga los subtítulos" in str(refusal.value.user_message)
