"""Draft a course from documents, in this process."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from courses import draft_writing, drafts
from courses.models import Course, DraftStatus
from documents.models import Document
from skillnet.commands import ProductCommand, organization_named
from skillnet.models import Organization
from skillnet.tenancy import organization_scope


class Command(ProductCommand):
    help = "Hace un borrador de curso a partir de uno o varios documentos."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--org", required=True, metavar="SLUG")
        parser.add_argument("--document", required=True, nargs="+", action="extend", metavar="ID")
        parser.add_argument("--title", required=True)

    def run(self, **options: Any) -> dict[str, Any]:
        organization = organization_named(options["org"])
        with organization_scope(organization.pk):
            documents = [_document(organization, pk) for pk in dict.fromkeys(options["document"])]
            title = " ".join(options["title"].split())
            if not title:
                raise CommandError("El curso necesita un título: --title «Manejo de la caja».")
            draft = drafts.propose(organization=organization, title=title[:200], documents=documents, created_by=None)
            draft.status = DraftStatus.WRITING  # by this process: no worker is woken up
            draft.save(update_fields=["status"])
        draft_writing.run(organization.pk, draft.pk)
        with organization_scope(organization.pk):
            return _report(draft.course)

    def text(self, result: dict[str, Any]) -> str:
        lines = [f"Curso «{result['course']}»"]
        for module in result["modules"]:
            lines += [module["title"], *(f"  - {lesson['title']}" for lesson in module["lessons"])]
        return "\n".join(lines)


def _document(organization: Organization, pk: str) -> Document:
    documents = Document.objects.for_organization(organization).select_related("active_version")
    found: Document | None = documents.filter(pk=int(pk)).first() if pk.isdecimal() else None
    if found is None:
        raise CommandError(f"No existe el documento «{pk}» en esta organización.")
    return found


def _report(course: Course) -> dict[str, Any]:
    modules = course.modules.order_by("position").prefetch_related("lessons__sources")
    return {
        "course": course.slug,
        "course_id": str(course.pk),
        "modules": [
            {
                "title": module.title,
                "lessons": [
                    {
                        "title": lesson.title,
                        "sources": [
                            {
                                "document_id": str(source.document_id),
                                "heading_path": source.heading_path,
                                "page": source.page,
                            }
                            for source in lesson.sources.all()
                        ],
                    }
                    for lesson in module.lessons.all()
                ],
            }
            for module in modules
        ],
    }
