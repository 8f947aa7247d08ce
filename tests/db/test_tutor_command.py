"""`ask` on the command line."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from retrieval.pipeline import search
from skillnet.errors import BackendUnavailable
from skillnet.models import Classification, Membership, Organization
from skillnet.tenancy import organization_scope
from tests import factories
from tutor import answering
from tutor.models import Conversation, Turn

MANUAL = "# Plazos\nEl cliente dispone de 30 días naturales para devolver un producto no alimentario con su tique."
QUESTION = "¿Cuántos días naturales hay para devolver un producto no alimentario?"

pytestmark = pytest.mark.django_db


def ask(*args: str) -> list[dict[str, Any]]:
    out = StringIO()
    call_command("ask", *args, "--org", "acme", "--json", stdout=out)
    answers: list[dict[str, Any]] = json.loads(out.getvalue())["answers"]
    return answers


def test_an_answer_has_every_key_of_the_contract(organization: Organization):
    document = factories.make_document(organization, "Manual", MANUAL)
    (given,) = ask(QUESTION)
    assert given["evidence"] is True
    assert (given["from"], given["rung"], given["language"]) == ("extractive", "chunks", "es")
    assert "30 días naturales" in given["answer"]
    (cited,) = given["citations"]
    assert (cited["n"], cited["document_id"], cited["document"]) == (1, str(document.pk), "Manual")
    assert (cited["version"], cited["heading_path"], cited["page"]) == (1, ["Plazos"], 1)
    assert cited["quote"] in MANUAL
    assert 0 <= cited["relevance"] <= 1
    assert {"locator", "relevance"} <= cited.keys()
    assert {"confidence", "conversation", "timings_ms", "question"} <= given.keys()


def test_a_file_of_questions_is_answered_line_by_line(organization: Organization, tmp_path: Path):
    factories.make_document(organization, "Manual", MANUAL)
    file = tmp_path / "preguntas.jsonl"
    file.write_text(f'{{"question": "{QUESTION}"}}\n\n{{"question": "¿Qué tiempo hace en Mongolia?"}}\n', "utf-8")
    assert [one["evidence"] for one in ask("--questions", str(file))] == [True, False]
    with organization_scope(organization.pk):
        assert Conversation.objects.filter(user=None).count() == 2


@pytest.mark.parametrize("courtesy", ["Hola", "¡Muchas gracias!", "vale"])
def test_a_courtesy_among_questions_keeps_to_the_contract_and_loses_no_answer(
    organization: Organization, tmp_path: Path, courtesy: str
):
    factories.make_document(organization, "Manual", MANUAL)
    file = tmp_path / "preguntas.jsonl"
    file.write_text("\n".join(json.dumps({"question": text}) for text in (QUESTION, courtesy, QUESTION)), "utf-8")
    first, given, last = ask("--questions", str(file))
    assert (first["evidence"], last["evidence"]) == (True, True)
    assert (given["evidence"], given["rung"], given["from"]) == (False, "none", "none")
    assert (given["language"], given["citations"]) == ("es", [])
    assert given["answer"]
    assert given["timings_ms"].keys() == {"total"}
    assert given.keys() == first.keys()
    assert ask(courtesy)[0]["answer"] == given["answer"]


def test_a_conversation_goes_on_when_it_is_named(organization: Organization, employee_membership: Membership):
    factories.make_document(organization, "Manual", MANUAL)
    email = employee_membership.user.email
    (first,) = ask(QUESTION, "--user", email)
    (second,) = ask(QUESTION, "--user", email, "--conversation", first["conversation"])
    assert second["conversation"] == first["conversation"]
    with organization_scope(organization.pk):
        assert Turn.objects.filter(conversation_id=first["conversation"]).count() == 2


def test_a_person_is_told_nothing_of_what_they_may_not_read(
    organization: Organization, employee_membership: Membership
):
    factories.make_document(organization, "Manual", MANUAL, classification=Classification.CONFIDENTIAL)
    (given,) = ask(QUESTION, "--user", employee_membership.user.email)
    assert (given["evidence"], given["citations"], given["from"]) == (False, [], "none")
    assert ask(QUESTION)[0]["evidence"] is True  # the organization's administration may


def test_one_question_that_fails_loses_neither_the_others_nor_its_turn(
    organization: Organization, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    factories.make_document(organization, "Manual", MANUAL)
    file = tmp_path / "preguntas.jsonl"
    file.write_text(f'{{"question": "¿Esto rompe algo?"}}\n{{"question": "{QUESTION}"}}\n', "utf-8")

    def sometimes(question: str, *args: Any, **kwargs: Any) -> Any:
        if "rompe" in question:
            raise BackendUnavailable("down")
        return search(question, *args, **kwargs)

    monkeypatch.setattr(answering, "search", sometimes)
    out = StringIO()
    with pytest.raises(CommandError, match="Sin responder: 1 de 2") as raised:
        call_command("ask", "--questions", str(file), "--org", "acme", "--json", stdout=out)
    assert raised.value.returncode == 1
    failed, given = json.loads(out.getvalue())["answers"]
    assert (failed["error"], failed["evidence"], failed["citations"]) == ("backend_unavailable", False, [])
    assert "servicio necesario" in failed["answer"]
    assert given["evidence"] is True
    assert given.keys() == failed.keys() - {"error"}
    assert (failed["rung"], failed["from"], failed["language"]) == ("none", "none", "es")
    assert failed["timings_ms"]["total"] >= 0
    with organization_scope(organization.pk):
        assert set(Turn.objects.values_list("status", flat=True)) == {"failed", "done"}


def test_a_line_ends_at_its_line_break_only(organization: Organization, tmp_path: Path):
    file = tmp_path / "preguntas.jsonl"
    file.write_bytes('{"question": "uno\u2028dos"}\r\n{"question": "tres"}\r\n'.encode())
    assert [one["question"] for one in ask("--questions", str(file))] == ["uno\u2028dos", "tres"]


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["¿Qué?", "--user", "nadie@acme.example"], 1),
        (["¿Qué?", "--course", "ninguno"], 1),
        (["¿Qué?", "--conversation", "no-es-una"], 1),
        (["¿Qué?", "--questions", "x.jsonl"], 2),
        (["--questions", "no-existe.jsonl"], 1),
        ([], 2),
        (["  "], 2),
    ],
)
def test_what_cannot_be_done_is_said_with_its_exit_status(
    organization: Organization, arguments: list[str], status: int
):
    with pytest.raises(CommandError) as raised:
        ask(*arguments)
    assert raised.value.returncode == status
