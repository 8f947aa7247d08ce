"""What those who manage an organization see first: how it stands, and what waits for them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, TruncDate
from django.utils import timezone

from courses.models import Course, CourseStatus, UpdateNotice
from documents.listing import STATES, newest_versions
from documents.models import Document
from skillnet.models import Invitation, Membership, Organization, Role
from tutor.inbox import escalations_for, feedback_for
from tutor.models import ANSWERED, UNANSWERED, WITH_SOURCE, Feedback, Turn, TurnStatus
from tutor.question_chart import DayOfQuestions

CHART_DAYS = 14
RECENT_DAYS = 7
SHOWN_NOTICES = 5


@dataclass(frozen=True, slots=True)
class DocumentFigures:
    ready: int
    underway: int
    in_trouble: int

    @property
    def total(self) -> int:
        return self.ready + self.underway + self.in_trouble


@dataclass(frozen=True, slots=True)
class QuestionFigures:
    """The questions of some days, and how many of the answers rated meanwhile were useful to people."""

    answered: int
    unanswered: int
    with_source: int  # of those answered: what a company answers itself may have none
    useful: int = 0
    rated: int = 0

    @property
    def total(self) -> int:
        return self.answered + self.unanswered

    @property
    def percent_with_source(self) -> int | None:
        """Of a hundred questions, those answered with a source; None without questions."""
        return round(100 * self.with_source / self.total) if self.total else None


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for somebody who manages, by kind."""

    notices: int
    questions: int  # passed on to them
    documents: int  # that could not be read
    feedback: int = 0
    withdrawn: int = 0  # courses that have lost a source
    gaps: int = 0  # questions without an answer, those of the same words counted once

    @property
    def total(self) -> int:
        return self.notices + self.withdrawn + self.questions + self.documents + self.feedback + self.gaps


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """What a new organization does before SkillNet is of use to it."""

    has_document: bool
    has_question: bool
    has_course: bool
    has_people: bool

    @property
    def done(self) -> int:
        return sum((self.has_document, self.has_question, self.has_course, self.has_people))

    @property
    def are_done(self) -> bool:
        return self.done == 4


def documents_of(membership: Membership) -> DocumentFigures:
    """How many of the documents that a member may know of are ready, being read, or in trouble."""
    versions = newest_versions(Document.objects.open_to(membership)).order_by()
    counted = Counter(dict(versions.values_list("status").annotate(Count("pk"))))

    def having(*states: str) -> int:
        return sum(counted[status] for state in states for status in STATES[state][1])

    return DocumentFigures(having("listos", "avisos"), having("en-curso"), having("problemas"))


def days_of(organization: Organization, today: date | None = None) -> list[DayOfQuestions]:
    """The questions of each of the last days, the oldest first, those without any included."""
    today = today or timezone.localdate()
    first = today - timedelta(days=CHART_DAYS - 1)
    asked = (
        _since(Turn.objects.for_organization(organization), first)
        .annotate(day=TruncDate("asked_at"))
        .order_by()
        .values_list("day")
        .annotate(
            answered=Count("pk", filter=ANSWERED),
            unanswered=Count("pk", filter=UNANSWERED),
            with_source=Count("pk", filter=WITH_SOURCE),
        )
    )
    counted = {day: counts for day, *counts in asked}
    days = (first + timedelta(days=offset) for offset in range(CHART_DAYS))
    return [DayOfQuestions(day, *counted.get(day, ())) for day in days]


def questions_of(organization: Organization, days: Sequence[DayOfQuestions]) -> QuestionFigures:
    """The last days' questions together, and what people thought of their answers."""
    recent = days[-RECENT_DAYS:]
    rated = Feedback.objects.for_organization(organization).filter(given_at__date__gte=recent[0].day)
    feedback = rated.aggregate(rated=Count("pk"), useful=Count("pk", filter=Q(is_useful=True)))
    return QuestionFigures(
        answered=sum(day.answered for day in recent),
        unanswered=sum(day.unanswered for day in recent),
        with_source=sum(day.with_source for day in recent),
        useful=feedback["useful"],
        rated=feedback["rated"],
    )


def _since(turns: QuerySet[Turn], first: date) -> QuerySet[Turn]:
    midnight = timezone.make_aware(datetime.combine(first, time.min))
    return turns.filter(asked_at__gte=midnight, status=TurnStatus.DONE)


def notices_of(membership: Membership) -> list[UpdateNotice]:
    """The update notices that wait for a review, about documents that a member may read, the latest first."""
    found = UpdateNotice.objects.open().open_to(membership).select_related("course", "document")
    return list(found.order_by("-created_at", "-pk"))


def waiting_for(membership: Membership, *, notices: int, documents: int, gaps: int = 0) -> Waiting:
    """What waits for a member who manages, with what the page has counted already."""
    questions, feedback, withdrawn = Organization.objects.values_list(
        _count(escalations_for(membership).filter(handled_at__isnull=True)),
        _count(feedback_for(membership)),
        _count(Course.objects.for_organization(membership.organization_id).having_lost_a_source()),
    ).get(pk=membership.organization_id)
    return Waiting(
        notices=notices, questions=questions, documents=documents, feedback=feedback, withdrawn=withdrawn, gaps=gaps
    )


def _count(rows: QuerySet[Any]) -> Coalesce:
    """How many rows of one organization there are, as a part of a query that asks for more."""
    counted = rows.order_by().values("organization").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted), 0)


def first_steps_of(organization: Organization, documents: DocumentFigures) -> FirstSteps:
    """How far a new organization is."""
    others = Membership.objects.active().filter(organization=OuterRef("pk")).exclude(role=Role.ADMIN)
    asked, published, joined, invited = Organization.objects.values_list(
        Exists(Turn.objects.filter(organization=OuterRef("pk"))),
        Exists(Course.objects.filter(organization=OuterRef("pk"), status=CourseStatus.PUBLISHED)),
        Exists(others),
        Exists(Invitation.objects.filter(organization=OuterRef("pk"))),
    ).get(pk=organization.pk)
    return FirstSteps(documents.ready > 0, asked, published, joined or invited)
