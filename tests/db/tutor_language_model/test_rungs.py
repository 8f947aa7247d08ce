"""What is tried below the search: whole documents of one's courses, then general knowledge."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from courses.models import Enrolment
from documents.access import Reader
from retrieval.types import SearchScope
from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope
from tests import factories
from tests.db.tutor_language_model.modelling import (
    CATALOGUE,
    MANUAL,
    QUESTION,
    UNKNOWN,
    Scripted,
    UseModel,
    ask,
    enrol,
    set_policy,
    unsure,
)
from tutor import answering
from tutor.answering import answer
from tutor.clearness import CLEAR_CONFIDENCE
from tutor.events import Done, Restarted
from tutor.policy import TutorPolicy
from tutor.prompts import NO_EVIDENCE

pytestmark = pytest.mark.django_db


def test_general_knowledge_needs_permission_and_is_no_evidence(
    organization: Organization, employee_membership: Membership, use_model: UseModel
):
    factories.make_document(organization, "Manual", MANUAL)
    model = use_model("París es la capital de Francia [Fuente 1].")
    refused = ask(organization, employee_membership, "¿Cuál es la capital de Francia?")
    assert (refused.rung, model.requests) == ("none", [])
    set_policy(organization, TutorPolicy(general_knowledge=True))
    given = ask(organization, employee_membership, "¿Cuál es la capital de Francia?")
    assert (given.rung, given.evidence, given.origin, given.citations) == ("general", False, "model", ())
    assert given.text == "París es la capital de Francia."
    assert "días naturales" not in model.requests[0][1].content


def test_general_knowledge_that_knows_nothing_is_no_answer(
    organization: Organization, employee_membership: Membership, use_model: UseModel
):
    set_policy(organization, TutorPolicy(general_knowledge=True))
    use_model(NO_EVIDENCE)
    assert ask(organization, employee_membership, "¿Qué día cobra mi jefe?").rung == "none"


def test_when_search_is_unsure_a_document_of_ones_courses_is_looked_through(
    organization: Organization, employee_membership: Membership, use_model: UseModel, monkeypatch: pytest.MonkeyPatch
):
    enrol(organization, employee_membership, factories.make_document(organization, "Archivo", CATALOGUE))
    unsure(monkeypatch)
    use_model("Lleva un sello azul con la letra P [Fuente 1].")
    given = ask(organization, employee_membership, UNKNOWN)
    assert (given.rung, given.evidence, given.citations[0].document_title) == ("full_text", True, "Archivo")


def test_documents_outside_ones_courses_are_not_looked_through(
    organization: Organization, employee_membership: Membership, use_model: UseModel, monkeypatch: pytest.MonkeyPatch
):
    factories.make_document(organization, "Archivo", CATALOGUE)
    unsure(monkeypatch)
    model = use_model("Lleva un sello azul [Fuente 1].")
    assert ask(organization, employee_membership, UNKNOWN).rung == "none"
    assert model.requests == []


def test_text_of_a_rung_that_failed_is_withdrawn_before_the_next_one_speaks(
    organization: Organization, employee_membership: Membership, use_model: UseModel, monkeypatch: pytest.MonkeyPatch
):
    enrol(organization, employee_membership, factories.make_document(organization, "Archivo", CATALOGUE))
    unsure(monkeypatch)
    use_model("El sello es dorado y lo guarda un notario de Cuenca [Fuente 1].")
    scope = SearchScope(organization.pk, Reader.of(employee_membership))
    steps = list(answer(UNKNOWN, scope=scope))
    assert isinstance(steps[-2], Restarted)
    assert isinstance(steps[-1], Done) and steps[-1].answer.evidence is False


NOT_BORNE_OUT = "El plazo es de 900 días y lo firma un notario de Cuenca [Fuente 1]."


@pytest.mark.parametrize("nothing", [NO_EVIDENCE, NOT_BORNE_OUT, "I have no information about this."])
def test_a_sure_search_in_which_the_model_finds_nothing_is_no_dead_end(
    organization: Organization, employee_membership: Membership, use_script: Callable[..., Scripted], nothing: str
):
    factories.make_document(organization, "Manual", MANUAL)
    set_policy(organization, TutorPolicy(general_knowledge=True))
    model = use_script(nothing, "Suelen ser 14 días naturales.")
    scope = SearchScope(organization.pk, Reader.of(employee_membership))
    steps = list(answer(QUESTION, scope=scope))
    assert isinstance(steps[-1], Done)
    given = steps[-1].answer
    assert (given.rung, given.text, given.evidence) == ("general", "Suelen ser 14 días naturales.", False)
    assert len(model.requests) == 2
    assert any(isinstance(step, Restarted) for step in steps)
    assert "dropped_claims" not in given.trace


def test_after_a_sure_search_a_document_of_ones_courses_is_looked_through_and_its_source_is_not_called_clear(
    organization: Organization,
    employee_membership: Membership,
    use_script: Callable[..., Scripted],
    monkeypatch: pytest.MonkeyPatch,
):
    manual = factories.make_document(organization, "Manual", MANUAL)
    enrol(organization, employee_membership, factories.make_document(organization, "Archivo", CATALOGUE))
    real = answering.search

    def search(*args: Any, **kwargs: Any) -> Any:
        found = real(*args, **kwargs)
        passages = tuple(one for one in found.passages if one.document_id == manual.pk)
        return replace(found, passages=passages, evidence=True, confidence=0.95)

    monkeypatch.setattr(answering, "search", search)
    monkeypatch.setattr(answering, "assessed", lambda result, config, embedder: result)
    use_script(NO_EVIDENCE, "Lleva un sello azul con la letra P [Fuente 1].")
    question = f"{UNKNOWN} ¿Y qué plazo hay para devolver un producto?"
    given = ask(organization, employee_membership, question)
    assert (given.rung, given.evidence, given.citations[0].document_title) == ("full_text", True, "Archivo")
    assert given.confidence < CLEAR_CONFIDENCE


def test_a_document_that_the_model_has_read_whole_is_not_put_to_it_again(
    organization: Organization, employee_membership: Membership, use_script: Callable[..., Scripted]
):
    enrol(organization, employee_membership, factories.make_document(organization, "Manual", MANUAL))
    model = use_script(NO_EVIDENCE)
    assert ask(organization, employee_membership).rung == "none"
    assert len(model.requests) == 1


def test_without_a_lower_rung_what_was_said_and_not_borne_out_stays_unsaid(
    organization: Organization, employee_membership: Membership, use_script: Callable[..., Scripted]
):
    factories.make_document(organization, "Manual", MANUAL)
    model = use_script(NOT_BORNE_OUT)
    given = ask(organization, employee_membership)
    assert (given.rung, given.evidence, len(model.requests)) == ("none", False, 1)
    assert given.confidence < CLEAR_CONFIDENCE


def test_the_lower_rungs_are_asked_with_the_topic(
    organization: Organization, employee_membership: Membership, use_model: UseModel, monkeypatch: pytest.MonkeyPatch
):
    catalogue = f"{CATALOGUE} Para los becarios el sello es verde."
    enrol(organization, employee_membership, factories.make_document(organization, "Archivo", catalogue))
    topic = "¿Qué sello lleva la carpeta de permisos del trimestre?"
    real = answering.search

    def search(*args: Any, **kwargs: Any) -> Any:
        found = real(*args, **kwargs)
        return replace(found, evidence=False, confidence=0.1, searched=f"{topic} ¿y para los becarios?")

    monkeypatch.setattr(answering, "search", search)
    monkeypatch.setattr(answering, "assessed", lambda result, config, embedder: result)
    set_policy(organization, TutorPolicy(general_knowledge=True))
    model = use_model("Para los becarios el sello es verde [Fuente 1].")
    scope = SearchScope(organization.pk, Reader.of(employee_membership))
    *_steps, done = answer("¿y para los becarios?", scope=scope, history=[topic])
    assert isinstance(done, Done) and done.answer.rung == "full_text"
    with organization_scope(organization.pk):
        Enrolment.objects.all().delete()
    list(answer("¿y para los becarios?", scope=scope, history=[topic]))
    assert topic in model.requests[-1][1].content
