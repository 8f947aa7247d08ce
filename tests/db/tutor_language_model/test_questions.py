"""What of a question goes to the search and to the language model."""

import uuid
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from documents.access import Reader
from retrieval.followups import Unanswered
from retrieval.types import SearchScope
from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope
from tests import factories
from tests.db.tutor_language_model.modelling import GOOD, MANUAL, QUESTION, UseModel, ask
from tutor import answering, services
from tutor.models import Turn, TurnStatus
from tutor.turns import TurnTask, answer_turn

pytestmark = pytest.mark.django_db


def test_a_short_document_goes_into_the_prompt_whole(
    organization: Organization, employee_membership: Membership, use_model: UseModel
):
    sections = "\n".join(f"## Apartado {n}\n" + f"Relleno número {n} sobre la tienda. " * 40 for n in range(12))
    factories.make_document(organization, "Manual", f"{MANUAL}\n{sections}")
    model = use_model(GOOD)
    ask(organization, employee_membership)
    prompt = model.requests[0][1].content
    assert all(f"Relleno número {n} sobre" in prompt for n in range(12))


def test_earlier_questions_go_to_the_search_and_what_it_made_of_them_is_stored(
    organization: Organization, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch
):
    factories.make_document(organization, "Manual", MANUAL)
    real, heard = answering.search, []

    def search(*args: Any, history: Sequence[str] = ()) -> Any:
        heard.append(tuple(history))
        return replace(real(*args), searched="¿Cuántos días hay para devolver un regalo?")

    monkeypatch.setattr(answering, "search", search)
    monkeypatch.setattr(answering, "assessed", lambda result, config, embedder: result)
    with organization_scope(organization.pk):
        conversation = services.start_conversation(organization=organization, user=employee_membership.user)
        for question in (QUESTION, "¿Y un regalo?"):
            turn = services.open_turn(conversation=conversation, question=question, submission=uuid.uuid4())
        history = services.earlier_questions(turn)
        claim = services.claim_turn(turn.pk)
    assert claim is not None
    scope = SearchScope(organization.pk, Reader.of(employee_membership))
    list(answer_turn(TurnTask(turn.pk, turn.question, scope, history=history), claim))
    assert heard == [(QUESTION,)]
    with organization_scope(organization.pk):
        assert Turn.objects.get(pk=turn.pk).understood == "¿Cuántos días hay para devolver un regalo?"


@pytest.mark.parametrize(
    ("understood", "evidence", "remembered"),
    [
        ("¿Qué significa la alarma E-402?", True, "¿Qué significa la alarma E-402?"),
        ("¿Qué significa la alarma E-101? ¿Y la E-402?", True, "¿Y la E-402?"),  # its topic is remembered beside it
        ("", True, "la E-402"),
        ("", False, "¿Y la E-402?"),
    ],
)
def test_a_question_that_took_up_the_one_before_is_remembered_as_it_was_understood(
    organization: Organization,
    employee_membership: Membership,
    understood: str,
    evidence: bool,
    remembered: str,
):
    with organization_scope(organization.pk):
        conversation = services.start_conversation(organization=organization, user=employee_membership.user)
        for question in ("¿Y la E-402?", "¿Qué hago?"):
            turn = services.open_turn(conversation=conversation, question=question, submission=uuid.uuid4())
        Turn.objects.exclude(pk=turn.pk).update(status=TurnStatus.DONE, understood=understood, evidence=evidence)
        (earlier,) = services.earlier_questions(turn)
    assert (earlier, isinstance(earlier, Unanswered)) == (remembered, not evidence)
