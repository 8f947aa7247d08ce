"""Courses drafted from documents, written by a worker or by the command."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from courses import draft_writing, drafts, jobs
from courses.models import Course, CourseDraft, CourseStatus, DraftStatus, Lesson
from documents.models import Document
from skillnet.backends.fakes import FakeLanguageModel
from skillnet.models import Membership, Notification, Organization
from skillnet.tenancy import organization_scope
from tests.factories import make_document

pytestmark = pytest.mark.django_db


def section(name: str) -> str:
    return f"# {name}\n" + "\n".join(
        f"El encargado revisa {name.lower()} número {n} y lo anota en el libro antes de las 22 horas."
        for n in range(25)
    )


@pytest.fixture
def document(organization: Organization) -> Document:
    return make_document(organization, "Manual de tienda", "\n".join(map(section, ("Caja", "Alarma", "Almacén"))))


@pytest.fixture
def draft(organization: Organization, document: Document, admin_membership: Membership) -> CourseDraft:
    with organization_scope(organization.pk):
        return drafts.propose(
            organization=organization, title="Tienda", documents=[document], created_by=admin_membership.user
        )


def test_a_proposal_is_a_course_that_nobody_sees_yet(organization, document, draft, scope):
    assert draft.status == DraftStatus.OUTLINED
    assert draft.course.status == CourseStatus.DRAFT
    assert [module["title"] for module in draft.outline["modules"]] == ["Caja", "Alarma", "Almacén"]
    assert list(draft.course.documents.all()) == [document]
    assert not Lesson.objects.exists()


def test_documents_without_text_are_refused(organization, scope):
    empty = Document.objects.create(organization=organization, title="Sin leer")
    with pytest.raises(drafts.NothingToDraft):
        drafts.propose(organization=organization, title="Nada", documents=[empty], created_by=None)
    assert not Course.objects.exists()


def test_a_worker_writes_every_lesson_once_with_its_source(organization, document, draft):
    with organization_scope(organization.pk):
        drafts.start(draft)
        drafts.start(draft)
    draft_writing.run(organization.pk, draft.pk)
    draft_writing.run(organization.pk, draft.pk)
    with organization_scope(organization.pk):
        draft.refresh_from_db()
        assert (draft.status, draft.progress_done, draft.progress_total) == (DraftStatus.DONE, 3, 3)
        lessons = list(Lesson.objects.order_by("module__position", "position"))
        assert [lesson.title for lesson in lessons] == ["Caja", "Alarma", "Almacén"]
        assert all("anota en el libro" in lesson.content and lesson.summary for lesson in lessons)
        source = lessons[1].sources.get()
        assert (source.document, source.heading_path, source.version) == (document, ["Alarma"], document.active_version)


def test_whoever_asked_for_lessons_finds_that_they_are_written_until_they_look(
    organization, draft, admin_membership, client_for
):
    with organization_scope(organization.pk):
        drafts.start(draft)
    draft_writing.run(organization.pk, draft.pk)
    with organization_scope(organization.pk):
        told = Notification.objects.get()
        assert (told.user, told.kind, told.subject) == (admin_membership.user, "course.written", "Tienda")
    assert "Las lecciones están escritas" in client_for(admin_membership).get(told.address).text
    with organization_scope(organization.pk):
        assert Notification.objects.get().read_at is not None


def test_a_draft_cut_off_half_way_goes_on_where_it_stood(organization, draft):
    with organization_scope(organization.pk):
        drafts.start(draft)
        assert draft_writing.write_next(draft.pk)
    draft_writing.run(organization.pk, draft.pk)
    with organization_scope(organization.pk):
        assert Lesson.objects.count() == 3


def test_a_draft_that_never_comes_forward_is_closed_and_can_be_tried_again(organization, draft, scope):
    drafts.start(draft)
    for _try in range(draft_writing.MAX_TRIES + 1):
        draft_writing.count_try(draft.pk)
    draft.refresh_from_db()
    assert draft.status == DraftStatus.FAILED
    assert "Vuelve a intentarlo" in draft.error_message
    assert Notification.objects.get().kind == "course.not_written"
    drafts.start(draft)
    assert draft.status == DraftStatus.QUEUED


def test_a_lost_draft_is_found_again(organization, draft, monkeypatch):
    woken = []
    monkeypatch.setattr(jobs, "enqueue", lambda *ids: woken.append(ids))
    with organization_scope(organization.pk):
        drafts.start(draft)
    jobs.requeue_lost()
    assert woken == []  # it has only just been queued
    with organization_scope(organization.pk):
        CourseDraft.objects.update(step_at="2020-01-01T00:00:00Z")
    jobs.requeue_lost()
    assert woken == [(organization.pk, draft.pk)]


def test_the_command_drafts_and_prints_the_course(organization, document):
    out = StringIO()
    call_command("draft_course", org="acme", document=[str(document.pk)], title="Tienda", json=True, stdout=out)
    result = json.loads(out.getvalue())
    assert result["course"] == "tienda"
    assert [module["title"] for module in result["modules"]] == ["Caja", "Alarma", "Almacén"]
    [source] = result["modules"][0]["lessons"][0]["sources"]
    assert source == {"document_id": str(document.pk), "heading_path": ["Caja"], "page": 1}


def test_the_command_knows_no_document_of_another_organization(other_organization, document):
    with pytest.raises(CommandError, match="No existe el documento"):
        call_command("draft_course", org="otra", document=[str(document.pk)], title="Tienda")


def test_a_language_model_rewrites_lessons_and_its_questions_wait_for_review(organization, draft, monkeypatch):
    passage = "El encargado revisa caja número 3 y lo anota en el libro antes de las 22 horas."
    question = {"kind": "fill", "question": "Se anota antes de las ____ horas.", "answer": ["22"], "quote": passage}
    reply = {
        "summary": "El encargado revisa y anota.",
        "content": "El encargado lo anota en el libro antes de las **22 horas**.",
        "questions": [question],
    }
    monkeypatch.setattr(draft_writing, "get_language_model", lambda: FakeLanguageModel([json.dumps(reply)]))
    with organization_scope(organization.pk):
        drafts.start(draft)
    draft_writing.run(organization.pk, draft.pk)
    with organization_scope(organization.pk):
        lesson = Lesson.objects.get(title="Caja")
        assert lesson.content == reply["content"]
        item = lesson.quiz_items.get()
        assert (item.is_reviewed, item.answer, item.heading_path) == (False, ["22"], ["Caja"])
        # The passage speaks of the till alone: the other lessons keep no question that is not theirs.
        others = Lesson.objects.exclude(pk=lesson.pk)
        assert not any(item.quote == passage for other in others for item in other.quiz_items.all())


def test_a_process_that_knows_nothing_of_chapters_can_still_store_a_draft():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_default FROM information_schema.columns"
            " WHERE table_name = 'courses_coursedraft' AND column_name = 'chapters'"
        )
        assert cursor.fetchone()[0] is not None
