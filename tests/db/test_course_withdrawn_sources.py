"""A manual is deleted: which courses and lessons are marked, who is told, and when the mark goes."""

import pytest
from django.test import Client
from django.urls import reverse

from courses.models import Course, CourseDocument, CourseStatus, Lesson, LessonSource, Module
from documents import services
from documents.models import Document
from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope
from tests.factories import make_document

pytestmark = pytest.mark.django_db
MARK = "fuente retirada — revisar"


def make_course(organization: Organization, title: str, document: Document | None, *, is_linked: bool) -> Course:
    course = Course.objects.create(
        organization=organization, title=title, slug=title.lower(), status=CourseStatus.PUBLISHED
    )
    if document is not None and is_linked:
        CourseDocument.objects.create(organization=organization, course=course, document=document)
    module = Module.objects.create(organization=organization, course=course, title="Todo", position=0)
    for position in range(2):
        lesson = Lesson.objects.create(
            organization=organization, module=module, title=f"L{position}", content="Texto", position=position
        )
        if document is not None and position == 0:
            LessonSource.objects.create(organization=organization, lesson=lesson, document=document)
    return course


def told(client: Client) -> str:
    page: str = client.get(reverse("notifications:list", args=["acme"])).text
    return page


@pytest.mark.parametrize("is_linked", [True, False])
def test_what_rests_on_a_deleted_document_is_marked_until_somebody_has_looked(
    client_for, organization, admin_membership: Membership, employee_membership: Membership, is_linked
):
    document = make_document(organization, "Manual secreto", "# Uno\nDos tres cuatro.")
    with organization_scope(organization.pk):
        course = make_course(organization, "Devoluciones", document, is_linked=is_linked)
        other = make_course(organization, "Otro", None, is_linked=False)
    admin, courses = client_for(admin_membership), reverse("courses:list", args=["acme"])
    assert MARK not in admin.get(courses).text
    with organization_scope(organization.pk):
        services.delete_document(document)
    assert admin.get(courses).text.count(MARK) == 1
    editor = admin.get(reverse("courses:editor", args=["acme", course.pk])).text
    assert "se borró un documento" in editor and "Manual secreto" not in editor
    with organization_scope(organization.pk):
        marked = Lesson.objects.filter(source_withdrawn_at__isnull=False)
        assert [(lesson.title, lesson.module.course_id) for lesson in marked] == [("L0", course.pk)]
        other.refresh_from_db()
        assert other.source_withdrawn_at is None
    assert "Fuente retirada: revisa el curso «Devoluciones»." in told(admin)
    assert "Fuente retirada" not in told(client_for(employee_membership))
    admin.post(reverse("courses:note_withdrawal", args=["acme", course.pk]))
    assert MARK not in admin.get(courses).text
    with organization_scope(organization.pk):
        assert not Lesson.objects.filter(source_withdrawn_at__isnull=False).exists()
