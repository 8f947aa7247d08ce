"""A video's subtitles as a document: fetched from its address, then taken in like any file."""

from django.core.files.base import ContentFile

from documents.cleaning import clean_line
from documents.parsing.youtube import Transcript, fetch_transcript

LANGUAGES = ("es", "en", "pt", "fr", "it", "de", "ca")  # the first that the video has


def fetched(address: str) -> tuple[str, ContentFile[bytes]]:
    """A video's title (at most 300 characters) and its subtitles as a VTT file.

    Raises: NoTranscript, with what to do, when the network does not lead there, or the video is not there or has no
    subtitles.
    """
    return as_file(fetch_transcript(address, LANGUAGES))


def as_file(transcript: Transcript) -> tuple[str, ContentFile[bytes]]:
    """A transcript's title, on one line and at most 300 characters long, and its subtitles as a file."""
    return clean_line(transcript.title)[:300], ContentFile(transcript.vtt_text.encode())
