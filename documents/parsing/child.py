"""The process that parses on behalf of another: one JSON request a line on stdin, one JSON answer a line on stdout.

Requests: {"path", "name", "limits"}. Answers: {"progress": [done, all]} any number of times, then {"document"} or
{"error": {"code", "detail", "message"}}. Started by `documents.parsing.sandbox`, with limits on memory and time.
"""

import json
import os
import resource
import sys
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from django.conf import settings

from documents.parsing import ParseLimits, parse
from documents.parsing.errors import ParseError
from documents.parsing.types import ParsedDocument


def main() -> None:
    if not settings.configured:
        settings.configure(USE_I18N=False)  # messages stay in Spanish, their source language
    # Libraries print to stdout now and then: the answers get a descriptor of their own.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        _serve(json.loads(line), answers)


def _serve(request: dict[str, Any], answers: IO[str]) -> None:
    limits = ParseLimits(**request["limits"])
    _limit_resources(limits)

    def send(message: dict[str, Any]) -> None:
        answers.write(json.dumps(message, ensure_ascii=False).encode("utf-8", "replace").decode() + "\n")
        answers.flush()

    try:
        document = parse(
            Path(request["path"]),
            name=request["name"],
            limits=limits,
            progress=lambda done, total: send({"progress": [done, total]}),
        )
    except ParseError as error:
        send({"error": {"code": error.code, "detail": str(error), "message": str(error.user_message)}})
    except MemoryError:
        send({"error": {"code": "limit_exceeded", "detail": "out of memory", "message": ""}})
        sys.exit(1)  # what is left of this process's memory is no use to the next file
    else:
        send({"document": to_json(document)})


def to_json(document: ParsedDocument) -> dict[str, Any]:
    """A parsed document as plain JSON types."""
    return {
        "media_type": document.media_type,
        "page_count": document.page_count,
        "pages_without_text": list(document.pages_without_text),
        "title": document.title,
        "language": document.language,
        "blocks": [block.to_json() for block in document.blocks],
        "warnings": [asdict(warning) for warning in document.warnings],
    }


def _limit_resources(limits: ParseLimits) -> None:
    """Cap this process's address space, and its processor time at what it has used plus one file's budget."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime + limits.seconds) + 1
    for what, amount in ((resource.RLIMIT_AS, limits.memory_bytes), (resource.RLIMIT_CPU, seconds)):
        _, hard = resource.getrlimit(what)
        resource.setrlimit(what, (amount if hard == resource.RLIM_INFINITY else min(amount, hard), hard))


if __name__ == "__main__":
    main()
