"""Ask the tutor from the command line, one question or a file of them."""

import uuid
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from django.core.management.base import CommandError, CommandParser

from courses.models import Course
from documents.access import ADMINISTRATION, Reader
from retrieval.types import SearchScope
from skillnet.commands import ProductCommand, member_named, organization_named, read_questions
from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope
from tutor import services
from tutor.answering import COURTESY
from tutor.events import Answer, CitedPassage, Done, Failed
from tutor.models import AnswerOrigin, Conversation
from tutor.turns import TurnTask, answer_turn

WRONG_USE = 2
_LOST = Failed("claim_lost", "La respuesta ha tardado demasiado y se ha dado en otro lugar: mira la conversación.")


@dataclass(frozen=True, slots=True)
class _Asker:
    """Who asks, where, and in which conversation: a new one for each question when none is named."""

    organization: Organization
    membership: Membership | None
    course: Course | None
    conversation: Conversation | None

    @property
    def scope(self) -> SearchScope:
        reader = ADMINISTRATION if self.membership is None else Reader.of(self.membership)
        return SearchScope(self.organization.pk, reader, course_id=self.course.pk if self.course else None)


class Command(ProductCommand):
    help = "Pregunta al tutor y muestra la respuesta con sus fuentes."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("question", nargs="?", metavar="QUESTION")
        parser.add_argument("--questions", type=Path, metavar="FILE.jsonl", help="una pregunta por línea")
        parser.add_argument("--org", required=True, metavar="SLUG")
        parser.add_argument("--course", metavar="SLUG", help="pregunta solo en los documentos de este curso")
        parser.add_argument("--user", metavar="EMAIL", help="pregunta en nombre de esta persona")
        parser.add_argument("--conversation", metavar="ID", help="sigue esta conversación")

    def run(self, **options: Any) -> dict[str, Any]:
        questions = _questions(options["question"], options["questions"])
        organization = organization_named(options["org"])
        membership = member_named(organization, options["user"]) if options["user"] else None
        with organization_scope(organization.pk):
            conversation = _conversation(options["conversation"], membership)
            course = _course(options["course"], organization, membership)
        if conversation is not None:
            course = course or conversation.course
        asker = _Asker(organization, membership, course, conversation)
        return {"answers": [_ask(asker, question) for question in questions]}

    def text(self, result: dict[str, Any]) -> str:
        return "\n\n".join(_as_text(one) for one in result["answers"])

    def check_result(self, result: dict[str, Any]) -> None:
        failed = sum("error" in one for one in result["answers"])
        if failed:
            raise CommandError(f"Sin responder: {failed} de {len(result['answers'])}. Inténtalo de nuevo.")


def _questions(question: str | None, path: Path | None) -> list[str]:
    if (question is None) == (path is None):
        raise CommandError("Escribe una pregunta o indica --questions, una de las dos.", returncode=WRONG_USE)
    texts = [question or ""] if path is None else read_questions(path)
    if not all(text.strip() for text in texts):
        raise CommandError("Hay una pregunta vacía.", returncode=WRONG_USE)
    return [text.strip() for text in texts]


def _course(slug: str | None, organization: Organization, membership: Membership | None) -> Course | None:
    if not slug:
        return None
    courses = Course.objects.for_organization(organization)
    if membership is not None:
        courses = courses.open_to(membership)
    course: Course | None = courses.filter(slug=slug).first()
    if course is None:
        raise CommandError(f"No existe el curso «{slug}» o esa persona no puede abrirlo.")
    return course


def _conversation(conversation_id: str | None, membership: Membership | None) -> Conversation | None:
    if not conversation_id:
        return None
    user_id = membership.user_id if membership else None
    found: Conversation | None
    try:
        found = Conversation.objects.select_related("course").get(pk=uuid.UUID(conversation_id))
    except (ValueError, Conversation.DoesNotExist):
        found = None
    if found is None or found.user_id != user_id:
        raise CommandError(f"No existe la conversación «{conversation_id}» de esa persona.")
    return found


def _ask(asker: _Asker, question: str) -> dict[str, Any]:
    with organization_scope(asker.organization.pk):
        conversation = asker.conversation or services.start_conversation(
            organization=asker.organization,
            user=asker.membership.user if asker.membership else None,
            course=asker.course,
        )
        turn = services.open_turn(conversation=conversation, question=question, submission=uuid.uuid4())
        history = services.earlier_questions(turn)
        claim = services.claim_turn(turn.pk)
    assert claim is not None  # nobody else knows the turn yet
    started = perf_counter()
    events = list(answer_turn(TurnTask(turn.pk, question, asker.scope, history=history), claim))
    milliseconds = round((perf_counter() - started) * 1000, 1)
    outcome = events[-1] if events else _LOST
    if isinstance(outcome, Done):
        return _report(question, outcome.answer, conversation, milliseconds)
    return _failure(question, outcome if isinstance(outcome, Failed) else _LOST, conversation, milliseconds)


def _report(question: str, given: Answer, conversation: Conversation, milliseconds: float) -> dict[str, Any]:
    return {
        "question": question,
        "answer": given.text,
        "evidence": bool(given.evidence),  # a greeting, which asks for none, has none
        "rung": "none" if given.rung == COURTESY else given.rung,
        "confidence": round(given.confidence, 4),
        "language": given.language or "es",
        "from": str(given.origin or AnswerOrigin.NONE),
        "citations": [_citation(cited) for cited in given.citations],
        "conversation": str(conversation.pk),
        "timings_ms": given.trace.get("timings_ms", {"total": milliseconds}),
    }


def _failure(question: str, failure: Failed, conversation: Conversation, milliseconds: float) -> dict[str, Any]:
    """The report of a question that got no answer: the same keys, and what went wrong."""
    nothing = Answer(
        text=failure.message,
        evidence=False,
        confidence=0.0,
        rung="none",
        origin=AnswerOrigin.NONE,
        language="",
    )
    return {**_report(question, nothing, conversation, milliseconds), "error": failure.code}


def _citation(cited: CitedPassage) -> dict[str, Any]:
    return {
        "n": cited.number,
        "document_id": str(cited.document_id),
        "document": cited.document_title,
        "version": cited.version_number,
        "heading_path": list(cited.heading_path),
        "page": cited.page,
        "locator": dict(cited.locator),
        "quote": cited.quote,
        "relevance": cited.relevance,
    }


def _as_text(one: dict[str, Any]) -> str:
    sources = [
        f"[Fuente {cited['n']}: {' > '.join([cited['document'], *cited['heading_path']])}"
        + (f", pág. {cited['page']}]" if cited["page"] else "]")
        for cited in one["citations"]
    ]
    return "\n".join([one["question"], "", one["answer"], *([""] if sources else []), *sources])
