"""Read documents' files again from the start."""

import time
from typing import Any

from django.core.management.base import CommandError, CommandParser

from documents import ingestion
from documents.management.reports import as_text, version_report
from documents.models import Document, DocumentVersion
from documents.services import reingest_version
from skillnet.commands import ProductCommand, organization_named
from skillnet.tenancy import organization_scope


class Command(ProductCommand):
    help = "Vuelve a leer los archivos de uno o de todos los documentos de una organización."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--org", required=True, metavar="SLUG")
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--document", metavar="ID")
        which.add_argument("--all", action="store_true")

    def text(self, result: dict[str, Any]) -> str:
        return as_text(result)

    def run(self, **options: Any) -> dict[str, Any]:
        organization = organization_named(options["org"])
        with organization_scope(organization.pk):
            documents = Document.objects.for_organization(organization).order_by("pk")
            if options["document"]:
                documents = (
                    documents.filter(pk=int(options["document"]))
                    if options["document"].isdecimal()
                    else documents.none()
                )
                if not documents.exists():
                    raise CommandError(f"No existe el documento «{options['document']}» en esta organización.")
            versions = [version for document in documents if (version := document.versions.order_by("-number").first())]
            for version in versions:
                reingest_version(version)
        reports = []
        for version in versions:
            started = time.monotonic()
            ingestion.run(organization.pk, version.pk)
            with organization_scope(organization.pk):
                fresh = DocumentVersion.objects.get(pk=version.pk)
                reports.append(version_report(fresh, fresh.file_name, time.monotonic() - started, None))
        return {"documents": reports}
