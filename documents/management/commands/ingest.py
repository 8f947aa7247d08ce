"""Take files in and make them searchable, here and now or through the queue."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.management.base import CommandError, CommandParser

from documents import ingestion
from documents.management.reports import as_text, refusal_report, version_report
from documents.models import Audience, Collection, Document, DocumentVersion
from documents.services import UploadOutcome, upload_document, upload_version
from skillnet.commands import ProductCommand, organization_named
from skillnet.errors import SkillNetError
from skillnet.models import Classification, Group, Organization
from skillnet.tenancy import organization_scope

CLASSIFICATIONS = {
    "pública": Classification.PUBLIC,
    "publica": Classification.PUBLIC,
    "interna": Classification.INTERNAL,
    "confidencial": Classification.CONFIDENTIAL,
}
QUEUE_POLL_SECONDS = 0.5


class Command(ProductCommand):
    help = "Incorpora archivos a una organización y termina cuando todos están listos o rechazados."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
        parser.add_argument("--org", required=True, metavar="SLUG")
        parser.add_argument("--collection", help="nombre de la colección; se crea si no existe")
        parser.add_argument("--classification", choices=sorted(CLASSIFICATIONS), default="interna")
        parser.add_argument("--audience", default="everyone", help="everyone, courses o el nombre de un grupo")
        parser.add_argument(
            "--replace", metavar="DOCUMENT_ID", help="sube el archivo como nueva versión de este documento"
        )
        parser.add_argument("--queue", action="store_true", help="deja el trabajo a los procesos de trabajo")

    def run(self, **options: Any) -> dict[str, Any]:
        if options["replace"] and len(options["paths"]) != 1:
            raise CommandError("--replace admite un solo archivo.", returncode=2)
        organization = organization_named(options["org"])
        uploads = [self._upload(organization, path, options) for path in options["paths"]]
        return {"documents": list(self._finish(organization, uploads, queued=options["queue"]))}

    def text(self, result: dict[str, Any]) -> str:
        return as_text(result)

    def _upload(
        self, organization: Organization, path: Path, options: dict[str, Any]
    ) -> tuple[Path, UploadOutcome | dict[str, Any]]:
        try:
            with path.open("rb") as handle, organization_scope(organization.pk):
                file: File[bytes] = File(handle, name=path.name)
                if options["replace"]:
                    document = self._document(options["replace"])
                    return path, upload_version(document=document, uploaded_by=None, file=file, name=path.name)
                audience, groups = self._audience(organization, options["audience"])
                collection = (
                    Collection.objects.get_or_create(organization=organization, name=options["collection"])[0]
                    if options["collection"]
                    else None
                )
                return path, upload_document(
                    organization=organization,
                    uploaded_by=None,
                    file=file,
                    name=path.name,
                    collection=collection,
                    classification=CLASSIFICATIONS[options["classification"]],
                    audience=audience,
                    groups=groups,
                )
        except SkillNetError as error:
            return path, refusal_report(str(path), error.code, str(error.user_message))
        except OSError as error:
            return path, refusal_report(str(path), "damaged", f"No se puede abrir el archivo: {error.strerror}.")

    @staticmethod
    def _document(document_id: str) -> Document:
        try:
            return Document.objects.get(pk=int(document_id))
        except (ValueError, Document.DoesNotExist):
            raise CommandError(f"No existe el documento «{document_id}» en esta organización.") from None

    @staticmethod
    def _audience(organization: Organization, name: str) -> tuple[str, list[Group]]:
        if name in (Audience.EVERYONE, Audience.COURSES):
            return name, []
        group = Group.objects.for_organization(organization).filter(name=name).first()
        if group is None:
            raise CommandError(f"No existe el grupo «{name}» en esta organización.")
        return Audience.GROUPS, [group]

    def _finish(
        self, organization: Organization, uploads: list[tuple[Path, UploadOutcome | dict[str, Any]]], *, queued: bool
    ) -> Iterator[dict[str, Any]]:
        for path, outcome in uploads:
            if isinstance(outcome, dict):
                yield outcome
                continue
            started = time.monotonic()
            if queued:
                self._wait(organization, outcome.version)
            else:
                ingestion.run(organization.pk, outcome.version.pk)
            with organization_scope(organization.pk):
                version = DocumentVersion.objects.get(pk=outcome.version.pk)
                duplicate = outcome.duplicate_of.pk if outcome.duplicate_of else None
                yield version_report(version, str(path), time.monotonic() - started, duplicate)

    @staticmethod
    def _wait(organization: Organization, version: DocumentVersion) -> None:
        while True:
            with organization_scope(organization.pk):
                if DocumentVersion.objects.get(pk=version.pk).is_final:
                    return
            time.sleep(QUEUE_POLL_SECONDS)
