from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests
from youtube_transcript_api import NoTranscriptFound

from documents.parsing import parse
from documents.parsing.errors import NoTranscript
from documents.parsing.youtube import fetch_transcript, video_id

ADDRESS = "https://www.youtube.com/watch?v=abcdefghijk&t=30s"


@dataclass
class Cue:
    text: str
    start: float
    duration: float


@dataclass
class FakeClient:
    """Answers every video with the cues it has, or with its error."""

    cues: tuple[Cue, ...] = ()
    error: Exception | None = None
    asked: tuple[str, tuple[str, ...]] = ("", ())

    def fetch(self, video_id: str, languages: Iterable[str] = ("en",)) -> list[Cue]:
        self.asked = video_id, tuple(languages)
        if self.error is not None:
            raise self.error
        return list(self.cues)


@pytest.mark.parametrize(
    ("address", "video"),
    [
        (ADDRESS, "abcdefghijk"),
        ("youtu.be/abcdefghijk?si=x", "abcdefghijk"),
        (" https://m.youtube.com/shorts/abcdefghijk ", "abcdefghijk"),
        ("https://www.youtube.com/embed/abcdefghijk", "abcdefghijk"),
        ("https://youtube.com.example.org/watch?v=abcdefghijk", None),
        ("https://www.youtube.com/watch?v=../../etc", None),
        ("file:///etc/passwd", None),
        ("http://[bad", None),
        ("", None),
    ],
)
def test_addresses_name_their_video(address: str, video: str | None):
    assert video_id(address) == video


def test_a_transcript_is_read_like_a_subtitle_file(tmp_path: Path):
    client = FakeClient((Cue("Primero se abre\nla caja <y> se cuenta.", 0.5, 2), Cue("Luego, la puerta.", 3661.25, 2)))
    transcript = fetch_transcript(ADDRESS, client=client)
    assert client.asked == ("abcdefghijk", ("es", "en"))
    assert "abcdefghijk" in transcript.title
    assert "01:01:01.250 --> 01:01:03.250" in transcript.vtt_text
    (tmp_path / "video.vtt").write_text(transcript.vtt_text, encoding="utf-8")
    blocks = parse(tmp_path / "video.vtt").blocks
    assert [block.text for block in blocks] == ["Primero se abre la caja <y> se cuenta.", "Luego, la puerta."]
    assert blocks[1].locator["time"] == "01:01:01"


@pytest.mark.parametrize(
    ("address", "client", "said"),
    [
        ("https://example.org", FakeClient(), "No es la dirección"),
        (ADDRESS, FakeClient(), "no tiene subtítulos"),
        (ADDRESS, FakeClient(error=NoTranscriptFound("abcdefghijk", ["es"], None)), "no tiene subtítulos"),
        (ADDRESS, FakeClient(error=requests.ConnectionError("no route")), "No hemos podido llegar"),
    ],
)
def test_what_cannot_be_had_says_what_to_do(address: str, client: FakeClient, said: str):
    with pytest.raises(NoTranscript) as refused:
        fetch_transcript(address, client=client)
    assert said in str(refused.value.user_message)
