"""A manual is deleted: which courses and lessons are marked, who is told, and when the mark goes."""

import pytest
from django.test import Client
from django.urls import reverse

from courses import proposals, telling
from courses.models import (
    Course,
    CourseDocument,
    CourseDraft,
    CourseStatus,
    DraftStatus,
    Enrolment,
    Lesson,
    LessonSource,
    Module,
    UpdateNotice,
)
from documents import services
from documents.models import Document
from skillnet.models import Membership, Notification, Organization
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
    assert "Devoluciones" in admin.get(reverse("courses:notices", args=["acme"])).text
    home = admin.get(reverse("dashboard:home", args=["acme"])).text
    assert "1 curso con una fuente retirada" in home and ", 1 fuente por revisar" in home
    assert "Fuente retirada: revisa el curso «Devoluciones»." in told(admin)
    assert "Fuente retirada" not in told(client_for(employee_membership))
    admin.post(reverse("courses:note_withdrawal", args=["acme", course.pk]))
    assert MARK not in admin.get(courses).text
    assert "Nada por revisar" in admin.get(reverse("courses:notices", args=["acme"])).text
    assert "fuente retirada" not in admin.get(reverse("dashboard:home", args=["acme"])).text
    with organization_scope(organization.pk):
        assert not Lesson.objects.filter(source_withdrawn_at__isnull=False).exists()


def test_who_takes_the_course_is_told_on_the_lesson(
    client_for, organization, admin_membership: Membership, employee_membership: Membership
):
    document = make_document(organization, "Manual secreto", "# Uno\nDos tres cuatro.")
    with organization_scope(organization.pk):
        course = make_course(organization, "Devoluciones", document, is_linked=True)
        Enrolment.objects.create(organization=organization, course=course, user=employee_membership.user)
        touched, untouched = Lesson.objects.filter(module__course=course).order_by("position")
        services.delete_document(document)
    employee = client_for(employee_membership)
    pages = [employee.get(reverse("courses:lesson", args=["acme", lesson.pk])).text for lesson in (touched, untouched)]
    assert ["se ha retirado; se está revisando" in page for page in pages] == [True, False]
    assert "Manual secreto" not in pages[0]
    client_for(admin_membership).post(reverse("courses:note_withdrawal", args=["acme", course.pk]))
    assert "se ha retirado" not in employee.get(reverse("courses:lesson", args=["acme", touched.pk])).text


def test_a_lesson_written_anew_loses_its_mark_and_the_course_with_its_last_one(
    client_for, organization, admin_membership: Membership
):
    withdrawn, kept = (
        make_document(organization, title, "# Uno\nDos tres cuatro cinco.") for title in ("Viejo", "Nuevo")
    )
    with organization_scope(organization.pk):
        course = make_course(organization, "Devoluciones", withdrawn, is_linked=True)
        lessons = list(Lesson.objects.filter(module__course=course).order_by("position"))
        for lesson in lessons:
            for document in (withdrawn, kept):
                LessonSource.objects.get_or_create(organization=organization, lesson=lesson, document=document)
        services.delete_document(withdrawn)
    for left, lesson in zip((1, 0), lessons, strict=True):
        with organization_scope(organization.pk):
            proposal = proposals.propose(lesson=lesson, created_by=None)
            proposals.accept(proposal=proposal, accepted_by=admin_membership.user)
            course.refresh_from_db()
            assert Lesson.objects.filter(source_withdrawn_at__isnull=False).count() == left
            assert (course.source_withdrawn_at is not None) is bool(left)
            assert Notification.objects.unread().exists() is bool(left)


def test_a_lesson_that_lost_nothing_leaves_its_courses_mark(organization, scope, admin_membership: Membership):
    withdrawn, kept = (
        make_document(organization, title, "# Uno\nDos tres cuatro cinco.") for title in ("Viejo", "Nuevo")
    )
    course = make_course(organization, "Devoluciones", None, is_linked=False)
    CourseDocument.objects.create(organization=organization, course=course, document=withdrawn)
    lesson = Lesson.objects.filter(module__course=course).first()
    LessonSource.objects.create(organization=organization, lesson=lesson, document=kept)
    services.delete_document(withdrawn)
    proposals.accept(proposal=proposals.propose(lesson=lesson, created_by=None), accepted_by=admin_membership.user)
    course.refresh_from_db()
    assert course.source_withdrawn_at is not None


def test_a_deleted_course_takes_along_what_people_were_told_of_it(
    client_for, organization, admin_membership: Membership, employee_membership: Membership
):
    document = make_document(organization, "Manual", "# Uno\nDos tres cuatro.")
    with organization_scope(organization.pk):
        course, other = (make_course(organization, title, document, is_linked=True) for title in ("Uno", "Otro"))
        for one in (course, other):
            telling.tell_of_withdrawal(one)
            draft = CourseDraft.objects.create(
                organization=organization, course=one, status=DraftStatus.DONE, created_by=admin_membership.user
            )
            telling.tell_of_draft(draft)
            telling.tell_assigned(one, [employee_membership.user_id])
            telling.tell_of_notice(
                UpdateNotice.objects.create(
                    organization=organization,
                    course=one,
                    document=document,
                    from_version=document.active_version,
                    to_version=document.active_version,
                )
            )
        assert Notification.objects.filter(subject="Uno").count() == 4
    client_for(admin_membership).post(reverse("courses:delete", args=["acme", course.pk]))
    with organization_scope(organization.pk):
        assert not Notification.objects.filter(subject="Uno").exists()
        assert Notification.objects.filter(subject="Otro").count() == 4
