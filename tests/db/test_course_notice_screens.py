"""The screens of update notices: what an admin sees and decides, and what they are told by e-mail."""

from datetime import timedelta

import pytest
from django.core import mail as outbox
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from courses import draft_writing, drafts, enrolling, jobs, mail, notices, reminders, studying
from courses.models import (
    Course,
    CourseStatus,
    Enrolment,
    Lesson,
    LessonProposal,
    QuizItem,
    Resolution,
    TouchedLesson,
    UpdateNotice,
)
from documents.models import Document
from skillnet.models import Classification, Membership, Organization, Role
from skillnet.tenancy import organization_scope
from tests.factories import make_document, make_member
from tutor.models import CachedAnswer, FaqEntry
from tutor.prepared import services as faq_services

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
    reader = client_for(employee_membership)
    assert "1 lección por releer" in reader.get(reverse("tutor:home", args=[organization.slug])).text


@pytest.mark.parametrize("recertify", [False, True])
def test_who_is_asked_to_reread_is_told_by_e_mail(organization, employee_membership, course, recertify):
    with organization_scope(organization.pk):
        Course.objects.update(recertify_on_change=recertify)
        enrolling.enrol(course=course, user_ids=[employee_membership.user_id])
        enrolment = Enrolment.objects.get()
        for lesson in Lesson.objects.order_by("pk"):
            lesson.quiz_items.all().delete()
            studying.mark_done(enrolment=enrolment, lesson=lesson)
        asked = studying.ask_to_reread(Lesson.objects.get(title="Plazos"))
    reminders.send_all_asked(organization.pk, asked, timezone.now())
    [message] = outbox.outbox
    assert message.to == [employee_membership.user.email]
    assert message.subject == "Tienes lecciones por releer en «Devoluciones»"
    assert address("detail", organization, course.pk) in message.body


def write_faq(organization, document, question: str, quote: str) -> FaqEntry:
    with organization_scope(organization.pk):
        return faq_services.save_entry(
            organization=organization,
            owner=None,
            questions=[question],
            answer="Está en el manual.",
            classification=Classification.INTERNAL,
            sources=[faq_services.bind_source(document, quote)],
        )


def test_frequent_questions_that_rest_on_the_changed_section_are_listed(
    client_for, admin_membership, organization, document, course
):
    entry = write_faq(organization, document, "¿Cuántos días hay?", "Los cambios se aceptan durante los 30 días")
    write_faq(organization, document, "¿Cuánto dura la garantía?", "La garantía dura lo que dice la ley")
    make_document(organization, text=manual(15), version_of=document)
    page = client_for(admin_membership).get(address("notice", organization, touched(organization).notice_id)).text
    assert "¿Cuántos días hay?" in page
    assert reverse("tutor:faq_edit", args=[organization.slug, entry.pk]) in page
    assert "Pregunta frecuente por revisar" in page
    assert "¿Cuánto dura la garantía?" not in page


def test_a_frequent_question_that_one_may_not_read_is_not_listed(client_for, organization, document, course):
    entry = write_faq(organization, document, "¿Cuántos días hay?", "Los cambios se aceptan durante los 30 días")
    with organization_scope(organization.pk):
        FaqEntry.objects.filter(pk=entry.pk).update(classification=Classification.CONFIDENTIAL)
    make_document(organization, text=manual(15), version_of=document)
    editor = make_member(organization, "editora@acme.example", Role.EDITOR, clearance=Classification.INTERNAL)
    page = client_for(editor).get(address("notice", organization, touched(organization).notice_id)).text
    assert "1 lección afectada" in page
    assert "¿Cuántos días hay?" not in page


def remember(organization, document, question: str, heading: str) -> None:
    """Keep an answer that cites one section of a document."""
    with organization_scope(organization.pk):
        CachedAnswer.objects.create(
            organization=organization,
            key=question,
            question=question,
            question_key=question,
            answer={"citations": [{"document_id": document.pk, "heading_path": [heading]}]},
            document_ids=[document.pk],
            answered_at=timezone.now(),
            expires_at=timezone.now() + timedelta(days=7),
        )


def test_answers_that_went_with_the_older_version_are_named_to_administrators_and_counted_for_editors(
    client_for, admin_membership, organization, document, course
):
    remember(organization, document, "¿Hasta cuándo se cambia?", "Plazos")
    remember(organization, document, "¿Qué garantía hay?", "Garantías")
    make_document(organization, text=manual(15), version_of=document)
    where = address("notice", organization, touched(organization).notice_id)
    page = client_for(admin_membership).get(where).text
    assert "1 respuesta del tutor se basaba en lo que ha cambiado" in page
    assert "¿Hasta cuándo se cambia?" in page
    assert "¿Qué garantía hay?" not in page
    editor = make_member(organization, "editora@acme.example", Role.EDITOR)
    page = client_for(editor).get(where).text
    assert "1 respuesta del tutor se basaba" in page
    assert "¿Hasta cuándo se cambia?" not in page


def test_every_page_counts_what_is_to_be_reviewed(client_for, admin_membership, organization, notice):
    client = client_for(admin_membership)
    home = reverse("tutor:home", args=[organization.slug])
    assert "1 fuente por revisar" in client.get(home).text
    assert "1 lección por decidir" in client.get(address("detail", organization, notice.course_id)).text
    client.post(address("close_notice", organization, notice.pk), {"confirmado": "1"})
    assert "por revisar" not in client.get(home).text


def is_open(organization: Organization, notice: UpdateNotice) -> bool:
    with organization_scope(organization.pk):
        return UpdateNotice.objects.open().filter(pk=notice.pk).exists()


def test_closing_with_lessons_to_decide_on_asks_first_and_names_them(
    client_for, admin_membership, organization, notice
):
    client = client_for(admin_membership)
    client.post(address("regenerate", organization, touched(organization).pk))
    where = address("close_notice", organization, notice.pk)
    asked = client.post(where, follow=True)
    assert asked.redirect_chain == [(where, 302)]
    assert touched(organization).lesson.title in asked.text
    assert "su borrador está sin comparar" in asked.text
    assert "Cerrar así" in asked.text
    assert is_open(organization, notice)
    client.post(where, {"confirmado": "1"})
    assert not is_open(organization, notice)


def test_closing_with_nothing_to_decide_on_asks_nothing(client_for, admin_membership, organization, notice):
    client, one = client_for(admin_membership), touched(organization)
    client.post(address("dismiss", organization, one.pk), {f"l{one.pk}-reason": "No habla de plazos."})
    where = address("close_notice", organization, notice.pk)
    with organization_scope(organization.pk):
        QuizItem.objects.update(is_reviewed=True)
    assert client.get(where).headers["Location"] == address("notice", organization, notice.pk)
    assert "espera tu revisión" not in client.post(where, follow=True).text
    assert not is_open(organization, notice)


def test_closing_says_which_questions_still_wait(client_for, admin_membership, organization, notice):
    closed = client_for(admin_membership).post(
        address("close_notice", organization, notice.pk), {"confirmado": "1"}, follow=True
    )
    assert "1 pregunta espera tu revisión." in closed.text


def test_a_page_that_is_not_there_counts_nothing(client_for, admin_membership, organization, notice):
    missing = client_for(admin_membership).get(address("detail", organization, 10**9))
    assert missing.status_code == 404
    assert "por revisar" not in missing.text


def test_lessons_of_a_module_are_regenerated_together(client_for, admin_membership, organization, document, course):
    with organization_scope(organization.pk):
        module_id = Lesson.objects.get(title="Plazos").module_id
        Lesson.objects.update(module_id=module_id)
    text = manual(15).replace("La garantía dura", "La garantía legal dura")
    make_document(organization, text=text, version_of=document)
    with organization_scope(organization.pk):
        found = UpdateNotice.objects.get()
    client = client_for(admin_membership)
    where = address("regenerate_module", organization, found.pk, module_id)
    assert where in client.get(address("notice", organization, found.pk)).text
    page = client.post(where, follow=True).text
    assert "2 borradores listos para comparar" in page
    assert page.count("Comparar el borrador") == 2
    assert where not in page


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


def test_employees_see_that_the_source_is_under_review_until_it_is_settled(
    client_for, organization, employee_membership, admin_membership, course, notice
):
    line = "La fuente de esta lección ha cambiado; se está revisando."
    mark = touched(organization)
    with organization_scope(organization.pk):
        QuizItem.objects.update(is_reviewed=True)
        other = Lesson.objects.exclude(pk=mark.lesson_id).first()
        enrolling.enrol(course=course, user_ids=[employee_membership.user_id])
    client = client_for(employee_membership)
    pages = [address(name, organization, mark.lesson_id) for name in ("lesson", "quiz")]
    assert [line in client.get(page).text for page in pages] == [True, True]
    assert line not in client.get(address("lesson", organization, other.pk)).text
    with organization_scope(organization.pk):
        notices.resolve(touched=mark, resolution=Resolution.NOT_NEEDED, resolved_by=admin_membership.user)
    assert [line in client.get(page).text for page in pages] == [False, False]
