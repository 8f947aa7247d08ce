"""What tests of the editor have in common."""

import json

from django.urls import reverse
from django.utils import timezone

from courses.models import Lesson, QuizItem
from skillnet.tenancy import organization_scope

TEXT = "# Caja\nLa caja se abre a las 8:50.\n[p2]\n## Cambio\nEl fondo es de 200 euros.\n# Alarma\nEl código caduca."
LONG_AGO = timezone.datetime(2024, 1, 1, tzinfo=timezone.get_current_timezone())


def address(name, *args):
    return reverse(f"courses:{name}", args=["acme", *args])


def lesson_named(organization, title):
    with organization_scope(organization.pk):
        return Lesson.objects.get(title=title)


def tree(organization, course):
    with organization_scope(organization.pk):
        return [
            [lesson.title for lesson in module.lessons.order_by("position")]
            for module in course.modules.order_by("position")
        ]


def posted(lesson, source=None, **fields):
    """The lesson's form as the page would send it."""
    data = {
        "title": lesson.title,
        "summary": "",
        "content": lesson.content,
        "accion": "guardar",
        "sources-TOTAL_FORMS": 2,
        "sources-INITIAL_FORMS": 1,
        "sources-0-id": source.pk,
        "sources-0-document": source.document_id,
        "sources-0-section": json.dumps(source.heading_path, ensure_ascii=False),
        "sources-0-with_subsections": "on",
        "sources-0-page": source.page,
        "sources-1-with_subsections": "on",
    }
    return data | fields


def make_item(organization, lesson, document, **fields):
    with organization_scope(organization.pk):
        return QuizItem.objects.create(
            organization=organization,
            lesson=lesson,
            **{
                "kind": "single_choice",
                "question": "¿De cuánto es el fondo?",
                "options": ["100 euros", "200 euros"],
                "answer": [1],
                "document": document,
                "heading_path": ["Caja", "Cambio"],
                "quote": "El fondo es de 200 euros.",
                "position": 0,
            }
            | fields,
        )


def reviewed(organization, item):
    with organization_scope(organization.pk):
        item.refresh_from_db()
        return item.is_reviewed
