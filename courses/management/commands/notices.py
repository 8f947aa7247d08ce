"""The update notices of an organization's courses."""

from typing import Any

from django.core.management.base import CommandParser

from courses.models import UpdateNotice
from skillnet.commands import ProductCommand, organization_named
from skillnet.tenancy import organization_scope


class Command(ProductCommand):
    help = "Muestra los avisos de fuentes actualizadas de los cursos de una organización."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--org", required=True, metavar="SLUG")

    def run(self, **options: Any) -> dict[str, Any]:
        organization = organization_named(options["org"])
        with organization_scope(organization.pk):
            notices = (
                UpdateNotice.objects.for_organization(organization)
                .select_related("course", "document", "from_version", "to_version")
                .prefetch_related("touched_lessons__lesson")
                .order_by("pk")
            )
            return {"notices": [_report(notice) for notice in notices]}

    def text(self, result: dict[str, Any]) -> str:
        lines = [
            f"{notice['course']}: «{notice['document']}» v{notice['from_version']} → v{notice['to_version']}, "
            f"{len(notice['changes'])} secciones cambiadas, {len(notice['lessons'])} lecciones afectadas "
            f"({notice['status']})"
            for notice in result["notices"]
        ]
        return "\n".join(lines) or "Ningún curso tiene fuentes actualizadas por revisar."


def _report(notice: UpdateNotice) -> dict[str, Any]:
    return {
        "id": str(notice.pk),
        "course": notice.course.slug,
        "document_id": str(notice.document_id),
        "document": notice.document.title,
        "from_version": notice.from_version.number,
        "to_version": notice.to_version.number,
        "changes": notice.changes,
        "lessons": [
            {
                "lesson_id": str(touched.lesson_id),
                "title": touched.lesson.title,
                "is_orphaned": touched.is_orphaned,
                "resolution": touched.resolution,
                "changes": touched.changes,
            }
            for touched in notice.touched_lessons.all()
        ],
        "status": notice.status,
    }
