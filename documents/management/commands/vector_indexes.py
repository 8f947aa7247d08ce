"""Which organization is served by which vector index, and building what is missing."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from documents import vector_indexes
from skillnet.commands import ProductCommand
from skillnet.models import Organization


class Command(ProductCommand):
    help = "Dice con qué índice se busca por significado en cada organización; --tend crea los que faltan."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tend", action="store_true", help="crea los que faltan y quita los que sobran")

    def run(self, **options: Any) -> dict[str, Any]:
        if options["tend"]:
            if not vector_indexes.can_tend():
                raise CommandError("Falta DATABASE_OWNER_URL: los índices los crea la dueña de las tablas.")
            vector_indexes.tend()
        todo = vector_indexes.plan()
        known = vector_indexes.existing()
        slugs = dict(Organization.objects.values_list("pk", "slug"))
        wanted = {space.index_name for space in todo.build}
        rows = []
        for space in vector_indexes.spaces():
            index = known.get(space.index_name)
            rows.append(
                {
                    "organization": slugs[space.organization_id],
                    "model_id": str(space.model_id),
                    "chunks": space.chunk_count,
                    "index": index.kind if index and index.is_valid else "exact",
                    "bytes": index.size if index else 0,
                    "wanted": space.index_name in wanted,
                }
            )
        return {"organizations": rows, "to_drop": list(todo.drop)}

    def text(self, result: dict[str, Any]) -> str:
        lines = [f"{'organización':<30} {'fragmentos':>10}  índice"]
        for row in result["organizations"]:
            size = f" ({row['bytes'] / 2**20:.0f} MB)" if row["bytes"] else ""
            pending = " · falta por crear" if row["wanted"] else ""
            lines.append(f"{row['organization']:<30} {row['chunks']:>10}  {row['index']}{size}{pending}")
        if result["to_drop"]:
            lines.append(f"Sobran {len(result['to_drop'])} índices: --tend los quita.")
        return "\n".join(lines)
