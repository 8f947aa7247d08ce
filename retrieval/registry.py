"""What search must ask of apps above it: they register their answers when they are ready."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from django.db.models import QuerySet

from retrieval.evaluation.answers import Given
from retrieval.types import SearchConfig, SearchResult, SearchScope, Section
from skillnet.models import Membership

DocumentIds = QuerySet[Any, Any] | list[int]


@dataclass(frozen=True, slots=True)
class CourseScope:
    """How to find a course that a member may open by its slug, and the ids of the documents it uses (one column)."""

    course_named: Callable[[UUID, str, Membership | None], int | None]
    document_ids: Callable[[UUID, int], DocumentIds]
    title: Callable[[UUID, int], str | None] = lambda _organization_id, _course_id: None


_course_scopes: list[CourseScope] = []


def register_course_scope(answer: CourseScope) -> None:
    """Let searches be limited to a course. The app that knows courses calls this once."""
    _course_scopes.append(answer)


def course_named(organization_id: UUID, slug: str, membership: Membership | None = None) -> int | None:
    """The id of an organization's course; None when there is no such course or `membership` may not open it."""
    return _course_scopes[0].course_named(organization_id, slug, membership) if _course_scopes else None


def course_document_ids(organization_id: UUID, course_id: int) -> DocumentIds:
    """Ids of the documents of a course; none when the course is not the organization's."""
    return _course_scopes[0].document_ids(organization_id, course_id) if _course_scopes else []


def course_title(organization_id: UUID, course_id: int) -> str | None:
    """The title of an organization's course; None when there is no such course."""
    return _course_scopes[0].title(organization_id, course_id) if _course_scopes else None


_recent_questions: list[Callable[[UUID, int], list[str]]] = []


def register_recent_questions(answer: Callable[[UUID, int], list[str]]) -> None:
    """Tell this app how to find what an organization's people asked last, at most so many."""
    _recent_questions.append(answer)


def recent_questions(organization_id: UUID, limit: int) -> list[str]:
    """What people asked last, each question once, newest first."""
    return _recent_questions[0](organization_id, limit) if _recent_questions else []


@dataclass(frozen=True, slots=True)
class Guidance:
    """Where to look in a course: what the open lesson rests on, and the lessons that its tree names for a question.

    Sections name their documents. Either may be empty.
    """

    lesson: tuple[Section, ...] = ()
    tree: tuple[Section, ...] = ()


class Navigation(Protocol):
    """Walks the tree of a course instead of searching through its documents."""

    def __call__(
        self,
        organization_id: UUID,
        course_id: int,
        question: str,
        lesson_id: int | None = None,
        lessons: Sequence[int] | None = None,
    ) -> Guidance:
        """Where the course speaks of a question; nothing when its tree says nothing about it. `lessons` are those that
        are known to; without them it finds some itself.

        Called inside the organization's scope, with any course and lesson id.
        """
        ...


_navigations: list[Navigation] = []


def register_navigation(navigation: Navigation) -> None:
    """Let questions inside a course be looked for in its tree first. The app that knows courses calls this once."""
    _navigations.append(navigation)


def navigate(
    organization_id: UUID,
    course_id: int,
    question: str,
    lesson_id: int | None = None,
    lessons: Sequence[int] | None = None,
) -> Guidance:
    """Where a course speaks of a question; nothing while nobody has registered."""
    return _navigations[0](organization_id, course_id, question, lesson_id, lessons) if _navigations else Guidance()


class Answering(Protocol):
    """Answers questions from what a search found, as people are answered by whoever registered it."""

    def threshold(self) -> float:
        """The confidence from which it answers, in [0, 1]."""
        ...

    def __call__(self, result: SearchResult, scope: SearchScope, config: SearchConfig) -> Given:
        """What it says to the question of a search, its answer or that there is none. It stores nothing and asks no
        language model. Call inside the organization's scope.
        """
        ...


_answering: list[Answering] = []


def register_answering(answering: Answering) -> None:
    """Let evaluations measure answers beside searches. The app that answers calls this once."""
    _answering.append(answering)


def answering() -> Answering | None:
    """Who answers questions; None while nobody has registered."""
    return _answering[0] if _answering else None
