"""Read files into blocks and print them: no database, one result a file."""

import json
import time
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from documents.parsing.errors import DamagedFile, ParseError
from documents.parsing.sandbox import ParserProcess
from documents.parsing.types import ParsedDocument

_LANGUAGE_SAMPLE = 4000  # characters


class Command(BaseCommand):
    help = "Lee archivos y muestra su estructura, sin base de datos."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--json", action="store_true", help="un solo documento JSON en la salida")

    def handle(self, *_args: Any, files: list[str], json: bool, **_options: Any) -> None:
        with ParserProcess() as parser:
            if json:
                self._print_json([_result(parser, file) for file in files])
            else:
                for file in files:
                    self._print_line(_result(parser, file))

    def _print_json(self, results: list[dict[str, Any]]) -> None:
        self.stdout.write(json.dumps({"files": results}, ensure_ascii=False))

    def _print_line(self, result: dict[str, Any]) -> None:
        name = Path(result["path"]).name
        if result["error"]:
            self.stdout.write(f"{name}: {result['error']['code']}: {result['error']['message']}")
            return
        self.stdout.write(
            _("%(name)s: %(blocks)s bloques, %(pages)s páginas, %(seconds).1f s")
            % {
                "name": name,
                "blocks": len(result["blocks"]),
                "pages": result["page_count"],
                "seconds": result["seconds"],
            }
        )
        for notice in result["warnings"]:
            self.stdout.write(f"  {notice['message']}")


def _result(parser: ParserProcess, file: str) -> dict[str, Any]:
    """One file's entry of the command's output, whether it was read or refused."""
    started = time.monotonic()
    document, error = ParsedDocument(media_type="", blocks=()), None
    try:
        document = parser.parse(Path(file))
    except ParseError as refusal:
        error = {"code": refusal.code, "message": str(refusal.user_message)}
    except OSError:
        message = _("No se puede abrir el archivo. Comprueba que la ruta es correcta y que tienes permiso para leerlo.")
        error = {"code": DamagedFile.code, "message": message}
    seconds = time.monotonic() - started
    return {
        "path": file,
        "media_type": document.media_type,
        "page_count": document.page_count,
        "pages_without_text": list(document.pages_without_text),
        "title": document.title,
        "language": document.language or _language(document),
        "blocks": [block.to_json() for block in document.blocks],
        "warnings": [asdict(notice) for notice in document.warnings],
        "error": error,
        "seconds": round(seconds, 3),
    }


def _language(document: ParsedDocument) -> str | None:
    from skillnet.backends.language import detect_language

    sample: list[str] = []
    length = 0
    for block in document.blocks:
        sample.append(block.text)
        length += len(block.text)
        if length >= _LANGUAGE_SAMPLE:
            break
    text = " ".join(sample)[:_LANGUAGE_SAMPLE]
    return detect_language(text) if text.strip() else None
