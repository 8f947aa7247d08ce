"""A video's subtitles as a document: fetched from its address, then taken in like any file."""

import re
from typing import Protocol

from django.core.files.base import ContentFile
from django.utils.module_loading import import_string

from documents.cleaning import clean_line
from documents.errors import VideoUnreachable

LANGUAGES = ("es", "en", "pt", "fr", "it", "de", "ca")  # the first that the video has
_ADDRESS = re.compile(
    r"https?://(?:(?:www|m|music)\.)?(?:youtube\.com|youtu\.be|youtube-nocookie\.com)/\S+", re.IGNORECASE
)


class Transcript(Protocol):
    """What a video says."""

    title: str
    vtt_text: str


def is_video_address(address: str) -> bool:
    """Whether this is an address of YouTube, as browsers show and share them."""
    return _ADDRESS.fullmatch(address) is not None


def fetched(address: str) -> tuple[str, ContentFile[bytes]]:
    """A video's title (at most 300 characters) and its subtitles as a VTT file.

    Raises: VideoUnreachable, when the network does not lead there; SkillNetError with what to do, when the video is not
    there or has no subtitles.
    """
    try:  # imported here: it brings a library that only this needs
        transcript = import_string("documents.parsing.youtube.fetch_transcript")(address, LANGUAGES)
    except (OSError, ImportError) as error:  # OSError: what the network libraries' errors are made from
        raise VideoUnreachable(str(error)) from error
    return as_file(transcript)


def as_file(transcript: Transcript) -> tuple[str, ContentFile[bytes]]:
    """A transcript's title, on one line and at most 300 characters long, and its subtitles as a file."""
    return clean_line(transcript.title)[:300], ContentFile(transcript.vtt_text.encode())
