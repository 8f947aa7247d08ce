"""The screens of update notices: what an admin sees and decides, and what they are told by e-mail."""

import pytest
from django.core import mail as outbox
from django.db import connection
from django.urls import reverse

from courses import draft_writing, drafts, enrolling, jobs, mail, studying
from courses.models import (
    Course,
    CourseStatus,
    Enrolment,
    Lesson,
    LessonProposal,
    Resolution,
    TouchedLesson,
    UpdateNotice,
)
from courses.registry import Dependant, _answers, register_dependants
from documents.models import Document
from skillnet.models import Classification, Membership, Organization, Role
from skillnet.tenancy import organization_scope
from tests.factories import make_document, make_member

pytestmark = pytest.mark.django_db


def manual(days: int) -> str:
    filler = "\n".join(f"El encargado revisa el cajón número {n} y lo anota en el libro." for n in range(40))
    return (
        f"# Plazos\nLos cambios se aceptan durante los {days} días siguientes a la compra.\n{filler}\n"
        f"# Garantías\nLa garantía dura lo que dice la ley y se pide con el ticket.\n{filler}"
    )


@pytest.fixture
def document(organization: Organization) -> Document:
    return make_document(organization, "Manual de devoluciones", manual(30))


@pytest.fixture
def course(organization: Organization, document: Document) -> Course:
    with organization_scope(organization.pk):
        draft = drafts.propose(organization=organization, title="Devoluciones", documents=[document], created_by=None)
        drafts.start(draft)
    draft_writing.run(organization.pk, draft.pk)
    with organization_scope(organization.pk):
        Course.objects.update(status=CourseStatus.PUBLISHED)
        return draft.course


@pytest.fixture
def notice(organization: Organization, document: Document, course: Course) -> UpdateNotice:
    make_document(organization, text=manual(15), version_of=document)
    with organization_scope(organization.pk):
        return UpdateNotice.objects.get()


def address(name: str, organization: Organization, *ids: int) -> str:
    return reverse(f"courses:{name}", args=[organization.slug, *ids])


def touched(organization: Organization) -> TouchedLesson:
    with organization_scope(organization.pk):
        return TouchedLesson.objects.select_related("lesson").get()


def test_a_course_whose_source_changed_says_so_in_the_list_and_on_its_page(
    client_for, admin_membership, organization, notice
):
    client = client_for(admin_membership)
    assert "fuente actualizada — revisar" in client.get(address("list", organization)).text
    page = client.get(address("detail", organization, notice.course_id)).text
    assert "«Manual de devoluciones» se actualizó" in page
    assert address("notice", organization, notice.pk) in page


def test_the_notice_shows_the_change_at_the_lesson_it_touches(client_for, admin_membership, organization, notice):
    page = client_for(admin_membership).get(address("notice", organization, notice.pk)).text
    assert "1 lección afectada" in page
    assert "<del>30</del>" in page
    assert "<ins>15</ins>" in page
    assert "Garantías" not in page


def test_a_lesson_is_regenerated_compared_and_accepted(client_for, admin_membership, organization, notice):
    client = client_for(admin_membership)
    response = client.post(address("regenerate", organization, touched(organization).pk), follow=True)
    assert "<ins>15</ins>" in response.text
    with organization_scope(organization.pk):
        proposal = LessonProposal.objects.get()
        assert "30 días" in Lesson.objects.get(pk=proposal.lesson_id).content
    response = client.post(address("accept_proposal", organization, proposal.pk), follow=True)
    assert response.redirect_chain[-1][0] == address("notice", organization, notice.pk)
    assert touched(organization).resolution == Resolution.REGENERATED
    again = client.post(address("accept_proposal", organization, proposal.pk), follow=True)
    assert "ya se aceptó o se descartó" in again.text
    client.post(address("close_notice", organization, notice.pk))
    assert "fuente actualizada" not in client.get(address("list", organization)).text.lower().split("<table")[1]


def test_keeping_a_lesson_wants_a_reason(client_for, admin_membership, organization, notice):
    client = client_for(admin_membership)
    one = touched(organization)
    where = address("dismiss", organization, one.pk)
    refused = client.post(where, {f"l{one.pk}-reason": "  "})
    assert refused.status_code == 422
    assert touched(organization).resolution == Resolution.OPEN
    client.post(where, {f"l{one.pk}-reason": "El curso no habla de plazos."})
    one = touched(organization)
    assert (one.resolution, one.reason, one.resolved_by_id) == (
        Resolution.NOT_NEEDED,
        "El curso no habla de plazos.",
        admin_membership.user_id,
    )


def test_those_who_did_the_lesson_are_asked_to_read_it_again(
    client_for, admin_membership, employee_membership, organization, course, document
):
    with organization_scope(organization.pk):
        enrolling.enrol(course=course, user_ids=[employee_membership.user_id])
        enrolment = Enrolment.objects.get()
        studying.mark_done(enrolment=enrolment, lesson=Lesson.objects.get(title="Plazos"))
    make_document(organization, text=manual(15), version_of=document)
    client = client_for(admin_membership)
    one = touched(organization)
    page = client.get(address("notice", organization, one.notice_id)).text
    assert "Pedir relectura a 1 persona" in page
    response = client.post(address("ask_to_reread", organization, one.pk), follow=True)
    assert "Se lo hemos pedido a 1 persona" in response.text
    with organization_scope(organization.pk):
        assert studying.progress_of(enrolment).to_reread == 1


def test_what_else_rests_on_the_changed_section_is_listed(client_for, admin_membership, organization, notice):
    asked = []

    def answer(organization_id, document_id, paths):
        asked.append((organization_id, document_id, set(paths)))
        return [Dependant("Pregunta frecuente", "¿Cuántos días hay?", "/o/acme/faq/1/")]

    register_dependants(answer)
    try:
        page = client_for(admin_membership).get(address("notice", organization, notice.pk)).text
    finally:
        _answers.remove(answer)
    assert asked == [(organization.pk, notice.document_id, {("Plazos",)})]
    assert "¿Cuántos días hay?" in page


def test_a_notice_about_a_document_one_may_not_read_is_not_there(client_for, organization, notice):
    with organization_scope(organization.pk):
        Document.objects.update(classification=Classification.CONFIDENTIAL)
    editor = make_member(organization, "editora@acme.example", Role.EDITOR, clearance=Classification.INTERNAL)
    client = client_for(editor)
    assert client.get(address("notice", organization, notice.pk)).status_code == 404
    assert "Manual de devoluciones" not in client.get(address("notices", organization)).text
    assert client.post(address("regenerate", organization, touched(organization).pk)).status_code == 404


def test_employees_have_no_notices(client_for, employee_membership, organization, notice):
    client = client_for(employee_membership)
    assert client.get(address("notices", organization)).status_code in (403, 404)


def test_the_administration_is_told_once_by_e_mail(
    organization, admin_membership: Membership, employee_membership, notice
):
    with organization_scope(organization.pk):
        assert mail.announce(notice) == 1
        assert mail.announce(notice) == 0
    [message] = outbox.outbox
    assert message.to == [admin_membership.user.email]
    assert 'El documento "Manual de devoluciones" se actualizó.' in message.body
    assert 'El curso "Devoluciones" podría necesitar revisión.' in message.body
    assert address("notice", organization, notice.pk) in message.body
    assert message.alternatives[0][1] == "text/html"


def test_a_notice_nobody_was_told_of_is_found_again(organization, notice, monkeypatch):
    woken = []
    monkeypatch.setattr(jobs, "_enqueue", lambda work, *ids: woken.append((work, ids)))
    jobs.requeue_lost()
    assert woken == []
    with organization_scope(organization.pk), connection.cursor() as cursor:
        cursor.execute("UPDATE courses_updatenotice SET created_at = now() - interval '1 hour'")
    jobs.requeue_lost()
    assert woken == [(jobs.announce, (organization.pk, notice.pk))]
