"""Requeue what is due and close what is stuck."""

from typing import Any

from documents.sweeper import sweep
from skillnet.commands import ProductCommand


class Command(ProductCommand):
    help = "Reanuda el trabajo pendiente y cierra lo que lleva demasiado tiempo parado."

    def run(self, **options: Any) -> dict[str, Any]:
        return sweep()

    def text(self, result: dict[str, Any]) -> str:
        return f"Reanudadas: {result['requeued']}. Cerradas: {result['closed']}."
