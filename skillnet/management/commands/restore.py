"""Bring everything back from a folder that `backup` wrote."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from skillnet.backup import restore
from skillnet.commands import ProductCommand


class Command(ProductCommand):
    help = "Restaura una copia en esta instalación, que debe estar vacía. Para antes el servidor y los trabajadores."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR")
        parser.add_argument("--replace", action="store_true", help="cambia todo lo que hay por lo que hay en la copia")

    def run(self, **options: Any) -> dict[str, Any]:
        try:
            manifest = restore(options["folder"].absolute(), replace=options["replace"])
        except OSError as error:
            raise CommandError(f"No se ha podido usar {error.filename}: {error.strerror}.") from error
        return {"files": len(manifest.files), "rows": manifest.row_count}

    def text(self, result: dict[str, Any]) -> str:
        return f"Restaurado: {result['files']} archivos y {result['rows']} filas."
