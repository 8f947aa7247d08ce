"""Make the vectors of what is served anew with another model, while people go on searching."""

import logging
from typing import Any

from django.core.management.base import CommandParser

from documents import reindexing
from skillnet.backends import ModelChoice, configured_model, get_embedder
from skillnet.commands import ProductCommand, organization_named
from skillnet.models import Organization
from skillnet.tenancy import organization_scope

logger = logging.getLogger(__name__)


class Command(ProductCommand):
    help = "Cambia el modelo con el que se busca por significado, sin dejar de buscar. Si se corta, sigue donde estaba."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--org", metavar="SLUG", help="solo esta organización; sin ella, todas")
        parser.add_argument(
            "--model", metavar="M", help="como se escribiría en EMBEDDING_MODEL; sin él, el configurado"
        )
        parser.add_argument("--dimensions", type=int, help="las que da un servicio; un modelo local sabe las suyas")
        parser.add_argument("--dry-run", action="store_true", help="solo cuenta lo que falta")

    def run(self, **options: Any) -> dict[str, Any]:
        configured = configured_model()
        choice = ModelChoice(
            configured.name if options["model"] is None else options["model"],
            options["dimensions"] or configured.dimensions,
        )
        organizations = (
            [organization_named(options["org"])] if options["org"] else list(Organization.objects.order_by("slug"))
        )
        embedder = get_embedder(choice)
        counted = []
        for organization in organizations:
            if not options["dry_run"]:
                reindexing.begin(organization.pk, choice)
                reindexing.finish(organization.pk)
            with organization_scope(organization.pk):
                state = reindexing.progress(organization.pk, embedder.model_id, embedder.dimensions)
            logger.info(
                "%s: %d of %d chunks have vectors of %s", organization.slug, *self._numbers(state), embedder.model_id
            )
            counted.append({"organization": organization.slug, "chunks": state.chunks, "done": state.done})
        return {
            "chunks": sum(one["chunks"] for one in counted),
            "done": sum(one["done"] for one in counted),
            "model": embedder.model_id,
            "organizations": counted,
        }

    @staticmethod
    def _numbers(state: reindexing.Progress) -> tuple[int, int]:
        return state.done, state.chunks

    def text(self, result: dict[str, Any]) -> str:
        return f"{result['done']} de {result['chunks']} fragmentos tienen vectores de «{result['model']}»."
