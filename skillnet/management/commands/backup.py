"""Save everything this installation holds in a folder."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from skillnet.backup import back_up
from skillnet.commands import ProductCommand


class Command(ProductCommand):
    help = "Guarda en una carpeta nueva todo lo que hay: base de datos y archivos. Se puede seguir trabajando."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR")

    def run(self, **options: Any) -> dict[str, Any]:
        try:
            manifest = back_up(options["folder"].absolute())
        except OSError as error:
            raise CommandError(f"No se ha podido escribir en {error.filename}: {error.strerror}.") from error
        return {"files": len(manifest.files), "rows": manifest.row_count, "missing": manifest.missing}

    def text(self, result: dict[str, Any]) -> str:
        said = f"Copia hecha: {result['files']} archivos y {result['rows']} filas."
        if result["missing"]:
            said += f" Faltan {len(result['missing'])} archivos que ya no estaban: {', '.join(result['missing'])}."
        return said
