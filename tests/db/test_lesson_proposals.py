"""A lesson written anew after its manual changed: compared, accepted or discarded, and nothing before that."""

import json
from collections.abc import Iterator, Sequence
from importlib import import_module

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from courses import draft_writing, drafts, jobs, proposal_writing, proposals
from courses.models import Lesson, LessonProposal, Resolution, TouchedLesson
from courses.models.drafts import REWRITING_PATIENCE
from documents.models import Document
from skillnet.backends.protocols import ChatMessage
from skillnet.errors import BackendUnavailable
from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope
from tests.factories import make_document

pytestmark = pytest.mark.django_db


def manual(days: int) -> str:
    filler = "\n".join(f"El encargado revisa el cajón número {n} y lo anota en el libro." for n in range(40))
    return (
        f"# Plazos\nLos cambios se aceptan durante los {days} días siguientes a la compra.\n{filler}\n"
        f"# Garantías\nLa garantía dura lo que dice la ley y se pide con el ticket.\n{filler}"
    )


@pytest.fixture
def document(organization: Organization) -> Document:
    return make_document(organization, "Manual de tienda", manual(30))


@pytest.fixture
def lesson(organization: Organization, document: Document) -> Lesson:
    with organization_scope(organization.pk):
        draft = drafts.propose(organization=organization, title="Tienda", documents=[document], created_by=None)
        drafts.start(draft)
    draft_writing.run(organization.pk, draft.pk)
    with organization_scope(organization.pk):
        return Lesson.objects.get(title="Plazos")


def test_a_proposal_says_what_the_manual_says_now_and_changes_nothing(organization, document, lesson, scope):
    make_document(organization, text=manual(15), version_of=document)
    proposal = proposals.propose(lesson=lesson, created_by=None)
    lesson.refresh_from_db()
    assert "30 días" in lesson.content
    assert "15 días" in proposal.content
    assert "30 días" not in proposal.content
    assert "Garantías" not in proposal.content
    proposals.propose(lesson=lesson, created_by=None)
    assert LessonProposal.objects.count() == 1


def test_accepting_teaches_it_settles_the_notice_and_sends_doubtful_questions_back(
    organization, document, lesson, scope, admin_membership: Membership
):
    old = lesson.quiz_items.get()
    old.is_reviewed = True
    old.save()
    make_document(organization, text=manual(15), version_of=document)
    proposal = proposals.propose(lesson=lesson, created_by=admin_membership.user)
    accepted = proposals.accept(proposal=proposal, accepted_by=admin_membership.user)
    assert "15 días" in accepted.content
    assert accepted.changed_at > lesson.changed_at
    source = accepted.sources.get()
    document.refresh_from_db()
    assert (source.heading_path, source.version_id) == (["Plazos"], document.active_version_id)
    assert TouchedLesson.objects.get(lesson=lesson).resolution == Resolution.REGENERATED
    old.refresh_from_db()
    assert not old.is_reviewed
    assert any("15" in str(item.answer) for item in lesson.quiz_items.all())
    with pytest.raises(proposals.AlreadyDecided):
        proposals.discard(proposal=proposal, discarded_by=admin_membership.user)


def test_discarding_keeps_the_lesson(organization, document, lesson, scope, admin_membership: Membership):
    make_document(organization, text=manual(15), version_of=document)
    proposal = proposals.propose(lesson=lesson, created_by=None)
    proposals.discard(proposal=proposal, discarded_by=admin_membership.user)
    lesson.refresh_from_db()
    assert "30 días" in lesson.content
    assert TouchedLesson.objects.get(lesson=lesson).resolution == Resolution.OPEN


def test_a_lesson_whose_sections_are_gone_cannot_be_written_anew(organization, document, lesson, scope):
    make_document(organization, text="# Otra cosa\nNada de lo anterior sigue aquí.", version_of=document)
    with pytest.raises(proposals.NothingLeft):
        proposals.propose(lesson=lesson, created_by=None)


# --- with a language model


class Writer:
    """A language model that gives one reply, whatever it is asked."""

    model_id, context_tokens = "writer", 16_000

    def __init__(self, reply: object) -> None:
        self._reply = reply

    def stream(
        self, messages: Sequence[ChatMessage], *, max_tokens: int, seconds: float | None = None
    ) -> Iterator[str]:
        if isinstance(self._reply, Exception):
            raise self._reply
        yield json.dumps(self._reply)


def said(days: int) -> dict[str, object]:
    text = f"Los cambios se aceptan durante los **{days} días** siguientes a la compra."
    return {"summary": f"Los cambios se aceptan durante {days} días.", "content": text, "questions": []}


def worded(days: int) -> dict[str, object]:
    """The same in words that the manual has not."""
    text = f"Quien compra dispone de **{days} días** desde la compra: durante los siguientes se aceptan los cambios."
    return {"summary": f"Se aceptan cambios durante {days} días.", "content": text, "questions": []}


@pytest.fixture
def use_writer(monkeypatch: pytest.MonkeyPatch):
    woken: list[int] = []
    monkeypatch.setattr(jobs, "rewrite_on_commit", lambda _organization_id, pk: woken.append(pk))

    def use(reply: object) -> list[int]:
        for module in (proposals, proposal_writing):
            monkeypatch.setattr(module, "get_language_model", lambda: Writer(reply))
        return woken

    return use


def proposed(organization: Organization, lesson: Lesson) -> LessonProposal:
    with organization_scope(organization.pk):
        return proposals.propose(lesson=lesson, created_by=None)


def test_a_language_model_puts_a_proposal_into_words_that_its_document_bears_out(
    organization, document, lesson, use_writer
):
    woken = use_writer(said(15))
    make_document(organization, text=manual(15), version_of=document)
    proposal = proposed(organization, lesson)
    assert proposal.is_being_rewritten and "15 días" in proposal.content and "**" not in proposal.content
    assert woken == [proposal.pk]
    proposal_writing.rewrite(organization.pk, proposal.pk)
    with organization_scope(organization.pk):
        proposal.refresh_from_db()
    assert proposal.content == said(15)["content"]
    assert proposal.is_rewritten and not proposal.is_being_rewritten


@pytest.mark.parametrize("reply", [said(90), {"summary": "Sin texto"}, BackendUnavailable("away")])
def test_a_proposal_keeps_its_documents_words_when_the_model_does_not_keep_to_them(
    organization, document, lesson, use_writer, reply
):
    use_writer(reply)
    make_document(organization, text=manual(15), version_of=document)
    proposal = proposed(organization, lesson)
    before = proposal.content
    proposal_writing.rewrite(organization.pk, proposal.pk)
    with organization_scope(organization.pk):
        proposal.refresh_from_db()
    assert (proposal.content, proposal.is_rewritten, proposal.is_being_rewritten) == (before, False, False)


def test_a_proposal_decided_on_while_the_model_wrote_is_left_alone(
    organization, document, lesson, use_writer, admin_membership: Membership
):
    use_writer(said(15))
    make_document(organization, text=manual(15), version_of=document)
    proposal = proposed(organization, lesson)
    with organization_scope(organization.pk):
        proposals.accept(proposal=proposal, accepted_by=admin_membership.user)
    proposal_writing.rewrite(organization.pk, proposal.pk)
    with organization_scope(organization.pk):
        proposal.refresh_from_db()
    assert not proposal.is_rewritten


def test_the_page_waits_for_the_model_and_gives_up_a_rewriting_that_was_lost(
    organization, document, lesson, use_writer, client_for, admin_membership: Membership
):
    use_writer(said(15))
    make_document(organization, text=manual(15), version_of=document)
    proposal = proposed(organization, lesson)
    client = client_for(admin_membership)
    page = reverse("courses:proposal", args=[organization.slug, proposal.pk])
    progress = reverse("courses:rewriting", args=[organization.slug, proposal.pk])
    assert progress in client.get(page).text
    assert client.get(progress).headers.get("HX-Refresh") is None
    with organization_scope(organization.pk):
        LessonProposal.objects.update(rewriting_since=timezone.now() - REWRITING_PATIENCE)
    assert progress not in client.get(page).text
    assert client.get(progress).headers["HX-Refresh"] == "true"
    proposal_writing.rewrite(organization.pk, proposal.pk)
    text = client.get(page).text
    assert "Redactado por un modelo de lenguaje" in text
    assert "<ins>15</ins>" in text and "**" not in text


@pytest.mark.parametrize("written", [0, 2])
def test_a_draft_counts_what_somebody_wrote_that_it_would_drop(
    client_for, organization, admin_membership, document, lesson, written
):
    make_document(organization, text=manual(15), version_of=document)
    own = [f"Imagina que viene el cliente número {n} con una tetera rota." for n in range(written)]
    with organization_scope(organization.pk):
        lesson.content = "\n\n".join([*own, lesson.content])
        lesson.save()
        proposal = proposals.propose(lesson=lesson, created_by=None)
    page = client_for(admin_membership).get(reverse("courses:proposal", args=["acme", proposal.pk])).text
    assert ("2 párrafos de esta lección no salen de sus documentos" in page) is bool(written)
    assert ("lo escribió alguien" in page or "los escribió alguien" in page) is bool(written)


def test_a_language_models_words_are_nobodys_own(
    organization, document, use_writer, client_for, admin_membership: Membership
):
    """Neither in a lesson of the first draft, nor in one that was accepted."""
    own = "Imagina que viene la señora Paz con una tetera rota."
    use_writer(worded(30))
    with organization_scope(organization.pk):
        draft = drafts.propose(organization=organization, title="Tienda", documents=[document], created_by=None)
        drafts.start(draft)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(draft_writing, "get_language_model", lambda: Writer(worded(30)))
        draft_writing.run(organization.pk, draft.pk)
    with organization_scope(organization.pk):
        lesson = Lesson.objects.get(title="Plazos")
    assert "treinta" not in lesson.content and worded(30)["content"] == lesson.content

    def warned(proposal: LessonProposal) -> bool:
        page: str = client_for(admin_membership).get(reverse("courses:proposal", args=["acme", proposal.pk])).text
        return "no sale de sus documentos" in page or "no salen de sus documentos" in page

    make_document(organization, text=manual(15), version_of=document)
    use_writer(worded(15))
    first = proposed(organization, lesson)
    assert not warned(first)
    proposal_writing.rewrite(organization.pk, first.pk)
    with organization_scope(organization.pk):
        lesson = proposals.accept(proposal=first, accepted_by=admin_membership.user)
        assert lesson.content == worded(15)["content"]
    make_document(organization, text=manual(20), version_of=document)
    assert not warned(proposed(organization, lesson))
    with organization_scope(organization.pk):
        lesson.content = f"{lesson.content}\n\n{own}"
        lesson.save()
        last = LessonProposal.objects.get(status="proposed")
    assert warned(last)
    with organization_scope(organization.pk):
        proposals.discard(proposal=last, discarded_by=admin_membership.user)
    assert not warned(last)


def test_earlier_lessons_are_known_to_be_composed_unless_somebody_edited_them(
    organization, document, lesson, scope, admin_membership: Membership
):
    other = Lesson.objects.get(title="Garantías")
    proposal = proposals.propose(lesson=other, created_by=None)
    proposals.accept(proposal=proposal, accepted_by=admin_membership.user)
    Lesson.objects.filter(pk=other.pk).update(content="Lo de antes y algo más.")
    edited = Lesson.objects.create(
        organization=organization, module=lesson.module, title="A mano", content="A mano.", position=9
    )
    Lesson.objects.update(composed="")
    fill = import_module("courses.migrations.0136_lessons_known_to_be_composed").FILL
    with connection.cursor() as cursor:
        cursor.execute(fill)
    known = dict(Lesson.objects.values_list("pk", "composed"))
    assert known == {lesson.pk: lesson.content, other.pk: proposal.content, edited.pk: ""}


def test_what_nobody_added_asks_for_no_document(organization, document, lesson, scope, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert proposals.own_lines(lesson, lesson.content.splitlines()) == []


def test_rows_of_a_drafted_table_are_shown_by_their_cells(client_for, organization, admin_membership, lesson):
    with organization_scope(organization.pk):
        proposal = proposals.propose(lesson=lesson, created_by=None)
        proposal.content = "| Importe | Decide |\n| --- | --- |\n| Hasta 50 € | Tú |"
        proposal.save()
    page = client_for(admin_membership).get(reverse("courses:proposal", args=["acme", proposal.pk])).text
    assert '<span class="diff__cell">Hasta 50 €</span><span class="diff__cell">Tú</span>' in page
    assert "| Hasta" not in page
