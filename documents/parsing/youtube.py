"""Transcripts of YouTube videos, as WebVTT text that `documents.parsing` reads like any subtitle file."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import parse_qs, urlsplit

from documents.cleaning import clean_line
from documents.parsing.errors import NoTranscript

_SECONDS = 15.0  # for one request
_ID = re.compile(r"[\w-]{11}")
_HOSTS = {"youtube.com", "www.youtube.com", "m.youtube.com", "music.youtube.com", "www.youtube-nocookie.com"}
_PATHS = {"embed", "shorts", "live", "v"}


@dataclass(frozen=True, slots=True)
class Transcript:
    """A video's spoken words. `vtt_text` is a whole WebVTT file."""

    title: str
    vtt_text: str


class Snippet(Protocol):
    """Words of one cue; times in seconds."""

    text: str
    start: float
    duration: float


class Client(Protocol):
    """What is used of `youtube_transcript_api.YouTubeTranscriptApi`."""

    def fetch(self, video_id: str, languages: Iterable[str] = ...) -> Iterable[Any]: ...


def fetch_transcript(
    address: str, languages: Sequence[str] = ("es", "en"), *, client: Client | None = None
) -> Transcript:
    """The transcript of the video at `address`, in the first of `languages` that it has.

    Only YouTube is asked, whatever the address says. The service tells no title: it names the video's id.
    Raises: NoTranscript, with what to do in `user_message`.
    """
    video = video_id(address)
    if video is None:
        raise NoTranscript("no address of a video", user_message=NoTranscript.not_an_address)
    import requests  # here: only who adds a video needs the network
    from youtube_transcript_api import RequestBlocked, YouTubeRequestFailed, YouTubeTranscriptApiException

    try:
        snippets = list((client or _client()).fetch(video, languages=languages))
    except (RequestBlocked, YouTubeRequestFailed, requests.RequestException) as error:
        raise NoTranscript(f"{video}: {type(error).__name__}", user_message=NoTranscript.unreachable) from error
    except YouTubeTranscriptApiException as error:
        raise NoTranscript(f"{video}: {type(error).__name__}") from error
    vtt = as_vtt(snippets)
    if "-->" not in vtt:
        raise NoTranscript(f"{video}: no words")
    return Transcript(f"YouTube {video}", vtt)


def video_id(address: str) -> str | None:
    """The video that a YouTube address of any of the usual forms names; None for other text."""
    address = address.strip()
    try:
        parts = urlsplit(address if "://" in address else f"https://{address}")
        host = (parts.hostname or "").lower()
    except ValueError:  # an address with broken brackets
        return None
    steps = [step for step in parts.path.split("/") if step]
    found = ""
    if host == "youtu.be" and steps:
        found = steps[0]
    elif host in _HOSTS and steps[:1] == ["watch"]:
        found = parse_qs(parts.query).get("v", [""])[0]
    elif host in _HOSTS and len(steps) > 1 and steps[0] in _PATHS:
        found = steps[1]
    return found if _ID.fullmatch(found) else None


def as_vtt(snippets: Iterable[Snippet]) -> str:
    """The cues as a WebVTT file."""
    cues = ["WEBVTT"]
    for snippet in snippets:
        words = clean_line(snippet.text).replace("-->", "→").replace("&", "&amp;").replace("<", "&lt;")
        if words:
            cues.append(f"{_time(snippet.start)} --> {_time(snippet.start + snippet.duration)}\n{words}")
    return "\n\n".join(cues) + "\n"


def _time(seconds: float) -> str:
    milliseconds = round(max(seconds, 0.0) * 1000)
    minutes, rest = divmod(milliseconds, 60_000)
    return f"{minutes // 60:02}:{minutes % 60:02}:{rest // 1000:02}.{rest % 1000:03}"


def _client() -> Client:
    import requests
    from youtube_transcript_api import YouTubeTranscriptApi

    class Session(requests.Session):
        """A session whose requests end."""

        def request(self, *args: Any, **options: Any) -> Any:
            return super().request(*args, **{"timeout": _SECONDS, **options})

    return YouTubeTranscriptApi(http_client=Session())
