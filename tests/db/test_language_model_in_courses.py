"""A language model that looks for a question in a course, and what courses take of it: quota, tokens, waiting."""

import json
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from courses import draft_writing, drafts, jobs, proposal_writing, proposals
from courses.models import Course, CourseDocument, Enrolment, Lesson, LessonSource, Module
from documents.access import Reader
from documents.models import Document
from retrieval.types import SearchScope
from skillnet.backends.fakes import FakeLanguageModel
from skillnet.backends.protocols import ChatMessage
from skillnet.backends.tokens import count_prompt_tokens
from skillnet.models import Membership, Organization
from skillnet.taking_turns import turns
from skillnet.tenancy import current_organization_id, organization_scope
from tests import factories
from tutor import answering, services, streaming, usage, writing
from tutor.events import Answer, Done, Waited
from tutor.models import Turn, TurnStatus
from tutor.policy import TutorPolicy, store_policy
from tutor.turns import TurnTask, answer_turn

pytestmark = pytest.mark.django_db

MANUAL = "# Plazos\nEl cliente dispone de 30 días naturales para devolver un producto no alimentario con su tique."
QUESTION = "¿Cuántos días naturales hay para devolver un producto no alimentario con tique?"
DRAFT = "El cliente dispone de 30 días naturales para devolver un producto [Fuente 1]."
LESSONS = '{"lecciones": ["1.1"]}'


class Teacher(FakeLanguageModel):
    """Names the first lesson where it is shown a course's tree, else drafts an answer."""

    def __init__(self, *, before_naming: Callable[[], None] | None = None, drafts: str = DRAFT) -> None:
        super().__init__()
        self.tasks: list[str] = []
        self._before_naming = before_naming
        self._draft = drafts

    def _reply(self) -> Iterator[str]:
        if "<indice>" not in self.requests[-1][1].content:
            self.tasks.append("draft")
            yield self._draft
            return
        self.tasks.append("name")
        if self._before_naming is not None:
            self._before_naming()
        yield LESSONS


@pytest.fixture
def manual(organization: Organization) -> Document:
    return factories.make_document(organization, "Manual", MANUAL)


@pytest.fixture
def course(organization: Organization, manual: Document, employee_membership: Membership) -> Course:
    with organization_scope(organization.pk):
        course = Course.objects.create(organization=organization, title="Curso", slug="curso", status="published")
        module = Module.objects.create(organization=organization, course=course, title="Plazos", position=1)
        lesson = Lesson.objects.create(
            organization=organization, module=module, title="Plazos", position=1, content="x"
        )
        LessonSource.objects.create(organization=organization, lesson=lesson, document=manual, heading_path=["Plazos"])
        CourseDocument.objects.create(organization=organization, course=course, document=manual)
        Enrolment.objects.create(organization=organization, course=course, user=employee_membership.user)
    return course


def use(monkeypatch: pytest.MonkeyPatch, model: Any) -> Any:
    for module in (answering, writing):
        monkeypatch.setattr(module, "get_language_model", lambda: model)
    return model


@pytest.fixture
def scope(organization: Organization, employee_membership: Membership, course: Course) -> SearchScope:
    return SearchScope(organization.pk, Reader.of(employee_membership), course_id=course.pk)


@pytest.fixture
def turn(organization: Organization, employee_membership: Membership, course: Course) -> Turn:
    with organization_scope(organization.pk):
        conversation = services.start_conversation(
            organization=organization, user=employee_membership.user, course=course
        )
        return services.open_turn(conversation=conversation, question=QUESTION, submission=uuid.uuid4())


def ask(scope: SearchScope, question: str = QUESTION, **options: Any) -> Answer:
    *_steps, done = answering.answer(question, scope=scope, **options)
    assert isinstance(done, Done)
    return done.answer


def month_of(organization: Organization) -> usage.MonthlyUsage:
    with organization_scope(organization.pk):
        return usage.usage_of(organization.pk)


def claim_of(turn: Turn) -> Any:
    with organization_scope(turn.organization_id):
        return services.claim_turn(turn.pk)


def outcome_of(turn: Turn, scope: SearchScope) -> list[Any]:
    """The pieces and the end of answering a turn."""
    steps = answer_turn(TurnTask(turn.pk, QUESTION, scope), claim_of(turn))
    return [step for step in steps if not isinstance(step, Waited)]


def took(messages: list[ChatMessage]) -> int:
    return sum(count_prompt_tokens(message.content) for message in messages)


# --- of the quota


def test_a_used_up_quota_asks_the_model_nothing_inside_a_course(organization, scope, monkeypatch):
    store_policy(organization, TutorPolicy(monthly_answers=0, general_knowledge=True))
    model = use(monkeypatch, Teacher())
    given = ask(scope)
    assert (given.origin, given.evidence) == ("extractive", True)
    assert ask(scope, "¿Cuál es la capital de Francia?").rung == "none"
    assert model.requests == []
    assert (month_of(organization).answers, month_of(organization).prompt_tokens) == (0, 0)


def test_naming_lessons_counts_as_tokens_and_cost_and_not_as_an_answer(
    organization, scope, monkeypatch, settings: Settings
):
    settings.SKILLNET_LLM_PRICES = {"prompt": 1000.0, "reply": 2000.0, "currency": "EUR"}
    model = use(monkeypatch, Teacher())
    given = ask(scope)
    assert model.tasks == ["name", "draft"]
    assert (given.origin, given.rung) == ("model", "course_tree")
    month = month_of(organization)
    assert month.answers == 1
    assert month.prompt_tokens == took(model.requests[0]) + took(model.requests[1])
    assert month.reply_tokens == count_prompt_tokens(LESSONS) + count_prompt_tokens(DRAFT)
    assert month.cost == Decimal(month.prompt_tokens + 2 * month.reply_tokens) / 1000


def test_a_ready_answer_asks_the_model_nothing_inside_a_course(scope, monkeypatch, settings: Settings):
    settings.SKILLNET_CACHE_MIN_CONFIDENCE = 0.0
    model = use(monkeypatch, Teacher())
    assert [ask(scope).origin, ask(scope).origin] == ["model", "cache"]
    assert model.tasks == ["name", "draft"]


def test_a_written_course_counts_what_the_model_took_for_it(organization, manual, monkeypatch):
    model = FakeLanguageModel(["No sé."])  # of no use, and paid for all the same
    monkeypatch.setattr(draft_writing, "get_language_model", lambda: model)
    with organization_scope(organization.pk):
        draft = drafts.propose(organization=organization, title="Tienda", documents=[manual], created_by=None)
        drafts.start(draft)
    draft_writing.run(organization.pk, draft.pk)
    month = month_of(organization)
    assert model.requests
    assert (month.answers, month.prompt_tokens) == (0, sum(took(request) for request in model.requests))
    assert month.reply_tokens == len(model.requests) * count_prompt_tokens("No sé.")


def test_a_lesson_written_anew_counts_what_the_model_took_for_it(organization, course, monkeypatch):
    reply = {"summary": "Hay 30 días.", "content": "El cliente dispone de **30 días naturales**.", "questions": []}
    model = FakeLanguageModel([json.dumps(reply)])
    monkeypatch.setattr(jobs, "rewrite_on_commit", lambda *_ids: None)
    for module in (proposals, proposal_writing):
        monkeypatch.setattr(module, "get_language_model", lambda: model)
    with organization_scope(organization.pk):
        proposal = proposals.propose(lesson=Lesson.objects.get(), created_by=None)
    proposal_writing.rewrite(organization.pk, proposal.pk)
    month = month_of(organization)
    assert model.requests
    assert (month.answers, month.prompt_tokens) == (0, sum(took(request) for request in model.requests))


# --- of waiting


def test_no_scope_and_no_turn_is_held_while_the_model_reads_a_courses_tree(scope, monkeypatch):
    held: list[object] = []

    def look() -> None:
        held.append((current_organization_id(), getattr(turns._own, "has_turn", False)))

    use(monkeypatch, Teacher(before_naming=look))
    assert ask(scope).origin == "model"
    assert held == [(None, False)]


def test_a_claim_that_was_lost_meanwhile_asks_the_model_for_no_draft(scope, turn, monkeypatch):
    clock = {"now": timezone.now()}
    monkeypatch.setattr(timezone, "now", lambda: clock["now"])
    other: list[Any] = []

    def another_tab_takes_over() -> None:
        clock["now"] += timedelta(seconds=130)
        other.append(claim_of(turn))

    model = use(monkeypatch, Teacher(before_naming=another_tab_takes_over))
    assert outcome_of(turn, scope) == []
    assert other[0] is not None
    assert model.tasks == ["name"]


def test_a_claim_is_renewed_between_naming_and_drafting(scope, turn, monkeypatch):
    clock = {"now": timezone.now()}
    monkeypatch.setattr(timezone, "now", lambda: clock["now"])
    second: list[Any] = []

    class Slow(Teacher):
        def _reply(self) -> Iterator[str]:
            clock["now"] += timedelta(seconds=70)
            if self.requests[1:]:
                second.append(claim_of(turn))  # 140 s after the first one was made
            yield from super()._reply()

    model = use(monkeypatch, Slow())
    monkeypatch.setattr(streaming, "POLL_SECONDS", 0.0)
    list(streaming.stream(TurnTask(turn.pk, QUESTION, scope), render=lambda _pk: "x"))
    assert second == [None]
    assert model.tasks == ["name", "draft"]
    with organization_scope(turn.organization_id):
        assert Turn.objects.get(pk=turn.pk).status == TurnStatus.DONE


def test_a_search_that_took_long_is_followed_by_a_renewal_as_well(scope, turn, monkeypatch):
    clock = {"now": timezone.now()}
    monkeypatch.setattr(timezone, "now", lambda: clock["now"])
    real = answering.search

    def slow(*args: Any, **kwargs: Any) -> Any:
        clock["now"] += timedelta(seconds=130)
        with organization_scope(turn.organization_id):
            services.claim_turn(turn.pk)
        return real(*args, **kwargs)

    monkeypatch.setattr(answering, "search", slow)
    model = use(monkeypatch, Teacher())
    assert outcome_of(turn, scope) == []
    assert model.tasks == ["name"]


def test_a_model_that_is_late_leaves_the_choice_to_the_words(scope, monkeypatch):
    asked: list[float | None] = []

    class Late(Teacher):
        def stream(self, messages: Any, *, max_tokens: int, seconds: float | None = None) -> Iterator[str]:
            asked.append(seconds)
            return super().stream(messages, max_tokens=max_tokens, seconds=seconds)

    use(monkeypatch, Late())
    ask(scope)
    assert asked[0] is not None and asked[0] <= 5
    assert asked[1] is None


def test_a_question_that_goes_on_with_another_is_named_lessons_for_with_its_topic(scope, monkeypatch):
    model = use(monkeypatch, Teacher())
    ask(scope, "¿Y sin tique?", history=["¿Cómo se devuelve un producto?"])
    assert "¿Cómo se devuelve un producto? ¿Y sin tique?" in model.requests[0][1].content
    ask(scope, "¿Cuántos días naturales hay para devolver un producto?", history=["¿Quién cierra la caja?"])
    naming = [request for request in model.requests if "<indice>" in request[1].content]
    assert "caja" not in naming[1][1].content
