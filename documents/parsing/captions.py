"""Transcripts and subtitles (WebVTT, SubRip): speech as paragraphs, each with the time it begins at."""

import html
import re
from dataclasses import dataclass
from pathlib import Path

from documents.cleaning import clean_line
from documents.parsing import media_types
from documents.parsing.assembly import BlockWriter
from documents.parsing.decoding import decode
from documents.parsing.types import BlockKind, ParsedDocument

_TIMES = re.compile(r"^\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})\s*-->\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})")
_VOICE = re.compile(r"<v(?:\.[\w.-]*)?\s+([^>]*)>", re.IGNORECASE)
_TAG = re.compile(r"</?(?:c|i|b|u|v|ruby|rt|lang|font|\d)[^>]*>|\{\\[^}]*\}", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?…][\"»”')\]]*$")
_LONG = 600  # characters: a paragraph this long ends with the sentence
_LONGEST = 1200  # without any full stop it ends here
_PAUSE = 4.0  # seconds of silence that begin a new paragraph


@dataclass(frozen=True, slots=True)
class _Cue:
    start: float
    end: float
    text: str
    voice: str = ""


def parse_captions(path: Path, media_type: str) -> ParsedDocument:
    """Blocks of a VTT or SRT file. `locator` is {"time": "HH:MM:SS"}, when the first words are spoken."""
    text = decode(path.read_bytes()).text.replace("\r\n", "\n").replace("\r", "\n")
    writer = BlockWriter()
    for group in _paragraphs(_cues(text)):
        spoken = " ".join(cue.text for cue in group)
        voice = group[0].voice
        writer.add(
            BlockKind.PARAGRAPH,
            f"{voice}: {spoken}" if voice else spoken,
            locator={"time": _clock(group[0].start)},
        )
    header = re.match(r"\ufeff?WEBVTT[ \t]+-?[ \t]*(.+)", text)
    return ParsedDocument(
        media_type,
        tuple(writer.blocks),
        title=clean_line(header.group(1)) if header and media_type == media_types.VTT else "",
    )


def _cues(text: str) -> list[_Cue]:
    """Cues in order. Notes, styles, regions and cue identifiers are not speech."""
    cues: list[_Cue] = []
    for group in re.split(r"\n[ \t]*\n", text):
        lines = group.strip("\n").split("\n")
        at = next((index for index, line in enumerate(lines[:2]) if _TIMES.match(line)), None)
        if at is None:
            continue
        found = _TIMES.match(lines[at])
        if found is None:
            continue
        raw = " ".join(lines[at + 1 :])
        voice = _VOICE.search(raw)
        words = clean_line(html.unescape(_TAG.sub("", raw)))
        if words and not (cues and words == cues[-1].text):  # rolling captions repeat the line before
            cues.append(_Cue(_seconds(found[1]), _seconds(found[2]), words, clean_line(voice[1]) if voice else ""))
    return cues


def _paragraphs(cues: list[_Cue]) -> list[list[_Cue]]:
    groups: list[list[_Cue]] = []
    length = 0
    for cue in cues:
        last = groups[-1][-1] if groups else None
        ended = last is not None and _SENTENCE_END.search(last.text) is not None
        if (
            last is None
            or cue.voice != last.voice
            or (ended and (length >= _LONG or cue.start - last.end >= _PAUSE))
            or length >= _LONGEST
        ):
            groups.append([])
            length = 0
        groups[-1].append(cue)
        length += len(cue.text) + 1
    return groups


def _seconds(stamp: str) -> float:
    seconds = 0.0
    for part in stamp.replace(",", ".").split(":"):
        seconds = seconds * 60 + float(part)
    return seconds


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole % 3600 // 60:02}:{whole % 60:02}"
