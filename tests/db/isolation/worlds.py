"""An organization that has something of everything, recognizable by one word."""

import uuid
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from courses import enrolling, studying
from courses.models import (
    Completion,
    Course,
    CourseDocument,
    CourseDraft,
    Lesson,
    LessonProposal,
    LessonSource,
    Module,
    TouchedLesson,
    UpdateNotice,
)
from documents.models import (
    BlockCorrection,
    Collection,
    DocumentAudience,
    DocumentVersion,
    EmbeddingModel,
    ServingModel,
)
from retrieval.evaluation.runs import MEASURES
from retrieval.models import (
    CollectionCentroid,
    Evaluation,
    EvaluationQuestion,
    EvaluationRun,
    GlossaryEntry,
    SettingsOverride,
)
from skillnet import audit
from skillnet.models import (
    Group,
    GroupMember,
    Invitation,
    InvitationGroup,
    Membership,
    Notification,
    Organization,
    Role,
)
from skillnet.tenancy import organization_scope
from tests.factories import make_document, make_member, make_question
from tutor.models import (
    CachedAnswer,
    Citation,
    Conversation,
    DismissedQuestion,
    Escalation,
    EscalationRecipient,
    FaqEntry,
    FaqSource,
    FaqVariant,
    Feedback,
    LanguageModelUsage,
    OpenQuestion,
    Turn,
    TurnStatus,
)


@dataclass(frozen=True, slots=True)
class World:
    """An organization, its administrator, and the ids of what it has by the names that addresses use.

    `word` stands in every text of it and in nobody else's.
    """

    organization: Organization
    admin: Membership
    word: str
    ids: dict[str, Any]


def make_world(organization: Organization, word: str) -> World:
    """Fill an organization with a row in every table that holds organizations' data."""
    owned = {"organization": organization}
    collection_id, document, admin = _library(organization, word)
    user = admin.user
    logo_id = uuid.uuid4()
    kept = default_storage.save(f"{organization.pk}/{logo_id.hex}.png", ContentFile(word.encode()))
    organization.settings["appearance"] = {"logo": kept}
    organization.save(update_fields=["settings"])
    with organization_scope(organization.pk):
        version = DocumentVersion.objects.get(document=document)
        ServingModel.objects.create(organization=organization)
        course, module, lesson, study = _course(organization, word, document, admin)
        group = Group.objects.create(name=f"Turno {word}", **owned)
        place = GroupMember.objects.create(group=group, user=user, **owned)
        DocumentAudience.objects.create(document=document, group=group, **owned)
        assignment, _new = enrolling.assign_to_group(course=course, group=group, assigned_by=None)
        invitation = Invitation.objects.create(
            email=f"nueva@{organization.slug}.example", expires_at=timezone.now() + timedelta(days=1), **owned
        )
        InvitationGroup.objects.create(invitation=invitation, group=group, **owned)
        audit.record(organization, user, audit.Action.GROUP_CREATED, group)
        notification = Notification.objects.create(
            user=user,
            kind="document.failed",
            matter=f"version:{version.pk}",
            subject=f"Salarios {word}",
            address=f"/o/{organization.slug}/documentos/{document.pk}/",
            created_at=timezone.now(),
            **owned,
        )
        ids = {
            "collection_id": collection_id,
            "document_id": document.pk,
            "version_id": version.pk,
            "number": version.number,
            "page": 1,
            "block": 0,
            "kind": "single_choice",
            "course_id": course.pk,
            "module_id": module.pk,
            "lesson_id": lesson.pk,
            **study,
            "assignment_id": assignment.pk,
            "member_id": admin.pk,
            "group_id": group.pk,
            "place_id": place.pk,
            "invitation_id": invitation.pk,
            "notification_id": notification.pk,
            "logo_id": logo_id,
            **_retrieval(organization, word, document, collection_id),
            **_tutor(organization, word, document, version, course, admin),
        }
    return World(organization, admin, word, ids)


def _library(organization: Organization, word: str) -> tuple[int, Any, Membership]:
    with organization_scope(organization.pk):
        collection = Collection.objects.create(organization=organization, name=f"Colección {word}")
    document = make_document(
        organization,
        f"Salarios {word}",
        f"# Salarios {word}\nEl plus {word} de nocturnidad es de 90 euros al mes.",
        collection=collection,
        tags=[word],
    )
    admin = make_member(organization, f"admin@{organization.slug}.example", Role.ADMIN)
    with organization_scope(organization.pk):
        BlockCorrection.objects.create(
            organization=organization,
            version=DocumentVersion.objects.get(document=document),
            block_index=1,
            before=f"El plus {word}",
            after=f"El plus {word} nuevo",
        )
    return collection.pk, document, admin


def _course(organization: Organization, word: str, document: Any, admin: Membership) -> tuple[Any, Any, Any, dict]:
    owned, user = {"organization": organization}, admin.user
    course = Course.objects.create(title=f"Curso {word}", slug=f"curso-{word}", status="published", **owned)
    CourseDocument.objects.create(course=course, document=document, **owned)
    module = Module.objects.create(course=course, title=f"Módulo {word}", position=0, **owned)
    lesson = Lesson.objects.create(module=module, title=f"Lección {word}", content=f"Texto {word}", position=0, **owned)
    source = LessonSource.objects.create(lesson=lesson, document=document, **owned)
    item = make_question(lesson, document=document)
    attempt = studying.take_quiz(lesson=lesson, user=user, given={item.pk: ["150 €"]})
    enrolling.enrol(course=course, user_ids=[user.pk])
    enrolment = course.enrolments.get()
    studying.mark_done(enrolment=enrolment, lesson=lesson)
    version = DocumentVersion.objects.get(document=document)
    notice = UpdateNotice.objects.create(
        course=course, document=document, from_version=version, to_version=version, **owned
    )
    touched = TouchedLesson.objects.create(notice=notice, lesson=lesson, **owned)
    draft = CourseDraft.objects.create(course=course, outline={"modules": []}, **owned)
    proposal = LessonProposal.objects.create(lesson=lesson, title=f"Otra {word}", content=f"Otra {word}", **owned)
    ids = {
        "source_id": source.pk,
        "item_id": item.pk,
        "attempt_id": attempt.pk,
        "enrolment_id": enrolment.pk,
        "completion_id": Completion.objects.get().pk,
        "notice_id": notice.pk,
        "touched_id": touched.pk,
        "draft_id": draft.pk,
        "proposal_id": proposal.pk,
    }
    return course, module, lesson, ids


def _retrieval(organization: Organization, word: str, document: Any, collection_id: int) -> dict[str, Any]:
    owned = {"organization": organization}
    glossary = GlossaryEntry.objects.create(wordings=["plus", f"complemento {word}"], **owned)
    question = EvaluationQuestion.objects.create(question=f"¿Y el plus {word}?", document=document, **owned)
    evaluation = Evaluation.objects.create(configurations=["keyword"], **owned)
    EvaluationRun.objects.create(
        evaluation=evaluation,
        data_set=word,
        fingerprint="x",
        configuration="keyword",
        metrics=dict.fromkeys([*MEASURES, "answered", "refused"], 1.0),
        latency_ms={"p50": 1.0, "p95": 2.0},
        **owned,
    )
    model = EmbeddingModel.objects.all()[0]
    CollectionCentroid.objects.create(
        collection_id=collection_id, model=model, vector=[1.0] + [0.0] * (model.dimensions - 1), state="x", **owned
    )
    SettingsOverride.objects.create(collection_id=collection_id, values={}, **owned)
    return {"glossary_id": glossary.pk, "question_id": question.pk, "evaluation_id": evaluation.pk}


def _tutor(
    organization: Organization, word: str, document: Any, version: Any, course: Any, admin: Membership
) -> dict[str, Any]:
    owned, user = {"organization": organization}, admin.user
    conversation = Conversation.objects.create(user=user, title=f"Plus {word}", course=course, **owned)
    turn = Turn.objects.create(
        conversation=conversation,
        question=f"¿Y el plus {word}?",
        answer=f"90 euros {word} [Fuente 1]",
        status=TurnStatus.DONE,
        submission=uuid4(),
        **owned,
    )
    text = f"El plus {word} de nocturnidad es de 90 euros"
    citation = Citation.objects.create(
        turn=turn, number=1, document=document, version=version, quote=text, passage=text, relevance=1.0, **owned
    )
    escalation = Escalation.objects.create(turn=turn, comment=word, **owned)
    EscalationRecipient.objects.create(escalation=escalation, user=user, **owned)
    feedback = Feedback.objects.create(turn=turn, is_useful=False, comment=word, **owned)
    entry = FaqEntry.objects.create(answer=f"90 euros {word}", owner=user, **owned)
    FaqVariant.objects.create(entry=entry, text=f"¿Y el plus {word}?", key=f"plus {word}", **owned)
    FaqSource.objects.create(entry=entry, number=1, document=document, version=version, quote=text, **owned)
    OpenQuestion.objects.create(turn=turn, **owned)
    DismissedQuestion.objects.create(digest=word, **owned)
    LanguageModelUsage.objects.create(month=timezone.localdate().replace(day=1), **owned)
    now = timezone.now()
    CachedAnswer.objects.create(
        key=word,
        question=f"¿Y el plus {word}?",
        question_key=f"plus {word}",
        answer={"text": word},
        answered_at=now,
        expires_at=now + timedelta(days=1),
        **owned,
    )
    return {
        "conversation_id": conversation.pk,
        "turn_id": turn.pk,
        "citation_id": citation.pk,
        "escalation_id": escalation.pk,
        "feedback_id": feedback.pk,
        "entry_id": entry.pk,
    }
