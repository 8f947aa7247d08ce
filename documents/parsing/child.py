"""The process that opens files on behalf of another: one JSON request a line on stdin, JSON answers a line on stdout.

Requests: {"task": "parse", "path", "name", "limits"} and {"task": "draw", "path", "page", "marks", "quote", "limits"}.
Answers: {"progress": [done, all]} any number of times, then {"document"}, {"picture": PNG in base64} or
{"error": {"code", "detail", "message"}}. Started by `documents.parsing.sandbox` with the folder that holds its
input: it shuts itself in there, so that no other file can be opened and no address reached, and keeps to limits on
memory and time.
"""

import base64
import json
import os
import resource
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings

from documents.parsing import ParseLimits, parse
from documents.parsing.confinement import confine
from documents.parsing.errors import ParseError
from documents.parsing.limits import DrawLimits
from documents.parsing.types import ParsedDocument

Message = dict[str, Any]

_PROJECT = Path(__file__).resolve().parents[2]
_FILE_BYTES = 512 * 1024 * 1024  # of one file written here: a converted document at most
_OPEN_FILES = 256


def main() -> None:
    folder = Path(sys.argv[-1])
    _shut_in(folder)
    if not settings.configured:
        settings.configure(USE_I18N=False)  # messages stay in Spanish, their source language
    # Libraries print to stdout now and then: the answers get a descriptor of their own.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def send(message: Message) -> None:
        answers.write(json.dumps(message, ensure_ascii=False).encode("utf-8", "replace").decode() + "\n")
        answers.flush()

    try:
        for line in sys.stdin:
            _serve(json.loads(line), send)
    except BrokenPipeError:  # whoever asked has gone: nothing to say, and nothing to flush on the way out
        _empty(folder)
        os._exit(0)
    _empty(folder)  # who asked may have been killed, and then nobody else does


def _empty(folder: Path) -> None:
    try:
        for left in folder.iterdir():
            shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(missing_ok=True)
    except FileNotFoundError:  # who started this process has removed it already
        return


def _shut_in(folder: Path) -> None:
    """Leave this process its libraries, the code of parsers and `folder`."""
    libraries = [Path(entry) for entry in sys.path if entry and Path(entry).resolve() != _PROJECT]
    tessdata = [Path(os.environ["TESSDATA_PREFIX"])] if "TESSDATA_PREFIX" in os.environ else []
    writable, office = [folder], shutil.which("soffice")
    if office is not None:
        libraries += [Path(office).resolve().parent, Path("/proc")]
        writable.append(Path("/dev/shm"))  # noqa: S108 - LibreOffice's, not ours
    confine(
        readable=[_PROJECT / "documents", _PROJECT / "skillnet", *libraries, *tessdata],
        writable=writable,
        unix_sockets=office is not None,  # LibreOffice finds itself through one
    )
    for what, amount in (
        (resource.RLIMIT_CORE, 0),  # a crash must not leave the document's text on the disk
        (resource.RLIMIT_FSIZE, _FILE_BYTES),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
    ):
        _, hard = resource.getrlimit(what)
        highest = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
        resource.setrlimit(what, (highest, highest))


def _serve(request: dict[str, Any], send: Callable[[Message], None]) -> None:
    task = {"parse": _parse, "draw": _draw}[request["task"]]
    try:
        answer = task(request, send)
    except ParseError as error:
        answer = {"error": {"code": error.code, "detail": str(error), "message": str(error.user_message)}}
    except MemoryError:
        send({"error": {"code": "limit_exceeded", "detail": "out of memory", "message": ""}})
        sys.exit(1)  # what is left of this process's memory is no use to the next file
    send(answer)


def _parse(request: dict[str, Any], send: Callable[[Message], None]) -> Message:
    limits = ParseLimits(**request["limits"])
    _limit_resources(limits)
    document = parse(
        Path(request["path"]),
        name=request["name"],
        limits=limits,
        progress=lambda done, total: send({"progress": [done, total]}),
    )
    return {"document": to_json(document)}


def _draw(request: dict[str, Any], _send: Callable[[Message], None]) -> Message:
    limits = DrawLimits(**request["limits"])
    _limit_resources(limits)
    from documents.parsing.pdf_drawing import draw_page  # here: most formats are parsed without MuPDF

    picture = draw_page(Path(request["path"]), request["page"], request["marks"], limits, quote=request["quote"])
    return {"picture": base64.b64encode(picture).decode()}


def to_json(document: ParsedDocument) -> dict[str, Any]:
    """A parsed document as plain JSON types."""
    return {
        "media_type": document.media_type,
        "page_count": document.page_count,
        "part_count": document.part_count,
        "pages_without_text": list(document.pages_without_text),
        "title": document.title,
        "language": document.language,
        "blocks": [block.to_json() for block in document.blocks],
        "warnings": [asdict(warning) for warning in document.warnings],
    }


def _limit_resources(limits: ParseLimits | DrawLimits) -> None:
    """Cap this process's address space, and its processor time at what it has used plus one request's budget."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime + limits.seconds) + 1
    for what, amount in ((resource.RLIMIT_AS, limits.memory_bytes), (resource.RLIMIT_CPU, seconds)):
        _, hard = resource.getrlimit(what)
        resource.setrlimit(what, (amount if hard == resource.RLIM_INFINITY else min(amount, hard), hard))


if __name__ == "__main__":
    main()
