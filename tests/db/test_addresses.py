"""Every address of an organization, tried by those it is not for."""

import uuid
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from courses import enrolling, studying
from courses.models import (
    Completion,
    Course,
    CourseDraft,
    Lesson,
    LessonProposal,
    LessonSource,
    Module,
    TouchedLesson,
    UpdateNotice,
)
from documents.models import Collection, DocumentVersion
from retrieval.models import Evaluation, EvaluationQuestion, GlossaryEntry
from skillnet.models import Group, GroupMember, Invitation, Notification, Role
from skillnet.tenancy import organization_scope
from tests.factories import make_document, make_member, make_question
from tutor.models import Citation, Conversation, Escalation, FaqEntry, Feedback, Turn


def organization_patterns() -> list[tuple[str, dict[str, type]]]:
    """Route and converters of every address below /o/<slug>/."""

    def walk(patterns, prefix: str, converters: dict) -> Iterator[tuple[str, dict]]:
        for pattern in patterns:
            route, known = prefix + str(pattern.pattern), converters | pattern.pattern.converters
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns, route, known)
            elif isinstance(pattern, URLPattern):
                yield route, known

    return [(route, known) for route, known in walk(get_resolver().url_patterns, "", {}) if route.startswith("o/<slug")]


def address(route: str, converters: dict, slug: str, ids: dict[str, object]) -> str:
    for name, converter in converters.items():
        value = (
            slug if name == "slug" else ids.get(name, 1 if type(converter).__name__ == "IntConverter" else uuid.uuid4())
        )
        route = route.replace(f"<{_kind(converter)}:{name}>", str(value)).replace(f"<{name}>", str(value))
    assert "<" not in route, f"teach this test a value for {route}"
    return "/" + route


def _kind(converter: object) -> str:
    return type(converter).__name__.removesuffix("Converter").lower()


@pytest.fixture
def foreign_ids(other_organization) -> dict[str, object]:
    """Something of everything, in another organization, by the names that addresses use."""
    document = make_document(other_organization, "Salarios", "# Salarios\nEl plus es de 90 euros.")
    member = make_member(other_organization, "otra@otra.example", Role.ADMIN)
    with organization_scope(other_organization.pk):
        version = DocumentVersion.objects.get(document=document)
        course = Course.objects.create(organization=other_organization, title="Curso", slug="curso", status="published")
        module = Module.objects.create(organization=other_organization, course=course, title="M", position=0)
        lesson = Lesson.objects.create(
            organization=other_organization, module=module, title="L", content="Texto", position=0
        )
        source = LessonSource.objects.create(organization=other_organization, lesson=lesson, document=document)
        item = make_question(lesson, document=document)
        attempt = studying.take_quiz(lesson=lesson, user=member.user, given={item.pk: ["150 €"]})
        enrolling.enrol(course=course, user_ids=[member.user_id])
        enrolment = course.enrolments.get()
        studying.mark_done(enrolment=enrolment, lesson=lesson)
        group = Group.objects.create(organization=other_organization, name="Turno")
        assignment = enrolling.assign_to_group(course=course, group=group, assigned_by=None)
        notice = UpdateNotice.objects.create(
            organization=other_organization, course=course, document=document, from_version=version, to_version=version
        )
        touched = TouchedLesson.objects.create(organization=other_organization, notice=notice, lesson=lesson)
        draft = CourseDraft.objects.create(organization=other_organization, course=course, outline={"modules": []})
        proposal = LessonProposal.objects.create(organization=other_organization, lesson=lesson, title="L", content="x")
        glossary = GlossaryEntry.objects.create(organization=other_organization, wordings=["plus", "complemento"])
        group = Group.objects.create(organization=other_organization, name="Cocina")
        place = GroupMember.objects.create(organization=other_organization, group=group, user=member.user)
        invitation = Invitation.objects.create(
            organization=other_organization, email="nueva@otra.example", expires_at=timezone.now() + timedelta(days=1)
        )
        conversation = Conversation.objects.create(organization=other_organization, user=member.user)
        turn = Turn.objects.create(organization=other_organization, conversation=conversation, question="¿Y el plus?")
        citation = Citation.objects.create(
            organization=other_organization,
            turn=turn,
            number=1,
            document=document,
            version=version,
            quote="90 euros",
            passage="El plus es de 90 euros.",
            relevance=1.0,
        )
        escalation = Escalation.objects.create(organization=other_organization, turn=turn)
        feedback = Feedback.objects.create(organization=other_organization, turn=turn, is_useful=False)
        completion = Completion.objects.get()
        notification = Notification.objects.create(
            organization=other_organization,
            user=member.user,
            kind="document.failed",
            matter="version:1",
            subject="Salarios",
            address="/o/otra/documentos/",
            created_at=timezone.now(),
        )
        entry = FaqEntry.objects.create(organization=other_organization, answer="90 euros", owner=member.user)
        collection = Collection.objects.create(organization=other_organization, name="Suya")
        question = EvaluationQuestion.objects.create(
            organization=other_organization, question="¿Y el plus?", document=document
        )
        evaluation = Evaluation.objects.create(organization=other_organization, configurations=["keyword"])
    return {
        "collection_id": collection.pk,
        "notification_id": notification.pk,
        "question_id": question.pk,
        "evaluation_id": evaluation.pk,
        "document_id": document.pk,
        "version_id": version.pk,
        "number": version.number,
        "page": 1,
        "course_id": course.pk,
        "module_id": module.pk,
        "lesson_id": lesson.pk,
        "source_id": source.pk,
        "draft_id": draft.pk,
        "notice_id": notice.pk,
        "touched_id": touched.pk,
        "proposal_id": proposal.pk,
        "glossary_id": glossary.pk,
        "item_id": item.pk,
        "attempt_id": attempt.pk,
        "enrolment_id": enrolment.pk,
        "assignment_id": assignment.pk,
        "completion_id": completion.pk,
        "member_id": member.pk,
        "group_id": group.pk,
        "place_id": place.pk,
        "invitation_id": invitation.pk,
        "conversation_id": conversation.pk,
        "turn_id": turn.pk,
        "citation_id": citation.pk,
        "escalation_id": escalation.pk,
        "feedback_id": feedback.pk,
        "entry_id": entry.pk,
    }


def test_there_are_addresses_to_try():
    assert len(organization_patterns()) > 20


@pytest.mark.parametrize("method", ["get", "post"])
def test_no_address_of_another_organization_answers_an_outsider(
    client_for, admin_membership, other_organization, foreign_ids, method
):
    client = client_for(admin_membership)
    for route, converters in organization_patterns():
        response = getattr(client, method)(address(route, converters, other_organization.slug, foreign_ids))
        assert response.status_code == 404, route


@pytest.mark.parametrize("role", [Role.ADMIN, Role.EDITOR, Role.EMPLOYEE])
@pytest.mark.parametrize("method", ["get", "post"])
def test_no_id_of_another_organization_is_known_in_ones_own(client_for, organization, foreign_ids, role, method):
    client = client_for(make_member(organization, f"{role}@acme.example", role))
    for route, converters in organization_patterns():
        if set(converters) & (set(foreign_ids) - {"number", "page"}):
            response = getattr(client, method)(address(route, converters, organization.slug, foreign_ids))
            assert response.status_code in (404, 405), route


def test_a_stranger_is_sent_to_log_in_from_everywhere(client, organization):
    for route, converters in organization_patterns():
        response = client.get(address(route, converters, organization.slug, {}))
        assert response.status_code == 302, route
        assert response["Location"].startswith("/cuenta/login/"), route
