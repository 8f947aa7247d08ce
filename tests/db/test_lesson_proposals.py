"""A lesson written anew after its manual changed: compared, accepted or discarded, and nothing before that."""

import pytest

from courses import draft_writing, drafts, proposals
from courses.models import Lesson, LessonProposal, Resolution, TouchedLesson
from documents.models import Document
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
