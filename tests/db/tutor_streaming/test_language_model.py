"""Answers that a language model writes while they are sent, and what stands in for it."""

import uuid
from collections.abc import Iterator

import pytest
from django.urls import reverse
from pytest_django import Settings

from skillnet import backends
from skillnet.backends.fakes import FakeLanguageModel
from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope
from tests.db.asking import QUESTION, LogIn
from tests.db.tutor_streaming.watching import REPLY, answer_over_http, events, render, stored, task, use_model
from tests.model_server import Reply, Script, fails, says, serving
from tutor import services, streaming
from tutor.models import Turn, TurnStatus

pytestmark = pytest.mark.django_db


def test_a_model_that_fails_at_once_is_replaced_unseen(
    turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch
):
    use_model(monkeypatch, FakeLanguageModel(REPLY, fails_after=0))
    list(streaming.stream(task(turn, employee_membership), render=render))
    assert stored(turn).origin == "extractive"
    assert stored(turn).trace["is_replacement"] is False


def test_a_model_that_fails_half_way_is_replaced_and_the_reader_told(
    client_for: LogIn, turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch
):
    use_model(monkeypatch, FakeLanguageModel(REPLY, fails_after=2))
    response = client_for(employee_membership).get(reverse("tutor:stream", args=["acme", turn.pk]))
    got = dict(events(b"".join(response.streaming_content)))
    assert stored(turn).origin == "extractive"
    assert stored(turn).answer.startswith("El cliente dispone de 30 días naturales")
    assert "La redacción se ha interrumpido" in got["final"]


def test_a_model_that_cites_nothing_gives_no_answer(
    turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch
):
    use_model(monkeypatch, FakeLanguageModel(["Son sesenta días, ", "te lo aseguro [Fuente 9]."]))
    list(streaming.stream(task(turn, employee_membership), render=render))
    assert stored(turn).evidence is False
    assert "sesenta" not in stored(turn).answer


@pytest.fixture
def endpoint(settings: Settings) -> Iterator[Script]:
    """A chat server that the settings name, as those of an installation do."""
    with serving() as script:
        settings.SKILLNET_LLM = {**settings.SKILLNET_LLM, "base_url": script.url, "model": "m", "timeout": 30}
        backends.reset()
        yield script
    backends.reset()


def test_a_turn_is_written_by_the_server_that_the_settings_name_and_false_markers_vanish(
    client_for: LogIn, turn: Turn, employee_membership: Membership, endpoint: Script
):
    endpoint.replies = [says("El cliente dispone ", "de 30 días naturales [Fuente 9] [Fuen", "te 1].")]
    final = answer_over_http(client_for(employee_membership), turn)
    answered = stored(turn)
    assert (answered.status, answered.origin, answered.evidence) == (TurnStatus.DONE, "model", True)
    assert answered.answer == "El cliente dispone de 30 días naturales [Fuente 1]."
    assert "Redactada automáticamente" in final
    assert "Fuente 9" not in final
    (request,) = endpoint.requests
    assert QUESTION in request["messages"][1]["content"]
    assert "30 días naturales" in request["messages"][1]["content"]


@pytest.mark.parametrize(
    ("replies", "is_told"),
    [
        ([says("El cliente dispone ", "de 60 días", finish=False)], True),
        ([says("El cliente dispone ", "de 60 días", reason="content_filter")], True),
        ([says("El cliente dispone ", "de 60 días", reason="length")], True),
        ([says()], False),
        ([says("<think>¿60 días?", reason="length")], False),
        ([fails(400)], False),
    ],
    ids=["broken-off", "filtered-half-way", "cut-off-in-its-first-sentence", "empty", "only-thoughts", "refused"],
)
def test_a_turn_whose_server_fails_gets_the_documents_own_sentences(
    client_for: LogIn,
    turn: Turn,
    employee_membership: Membership,
    endpoint: Script,
    replies: list[Reply],
    is_told: bool,
):
    endpoint.replies = replies
    final = answer_over_http(client_for(employee_membership), turn)
    answered = stored(turn)
    assert (answered.status, answered.origin, answered.evidence) == (TurnStatus.DONE, "extractive", True)
    assert answered.answer.startswith("El cliente dispone de 30 días naturales")
    assert ("La redacción se ha interrumpido" in final) is is_told
    assert "60 días" not in final
    assert len(endpoint.requests) == 1


def test_without_evidence_the_model_is_not_asked(
    organization: Organization, turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch
):
    model = use_model(monkeypatch, FakeLanguageModel(REPLY))
    with organization_scope(organization.pk):
        other = services.open_turn(
            conversation=turn.conversation, question="¿Qué tiempo hace en Mongolia?", submission=uuid.uuid4()
        )
    list(streaming.stream(task(other, employee_membership), render=render))
    assert model.requests == []
    assert stored(other).evidence is False


def test_a_model_that_is_silent_keeps_the_stream_alive_and_shows_nothing(
    turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_model(monkeypatch, FakeLanguageModel(["", "", *REPLY, ""]))
    sent = list(streaming.stream(task(turn, employee_membership), render=render))
    first = next(at for at, one in enumerate(sent) if one.startswith(b"event: answer"))
    assert sent[1:first] == [streaming.ALIVE] * 3  # the search is done, then twice silence
    assert events(streaming.ALIVE) == []
    assert [name for name, _data in events(b"".join(sent))] == ["answer"] * 3 + ["final", "done"]
    assert stored(turn).origin == "model"


def test_a_model_that_was_silent_and_failed_took_nothing_back(
    turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_model(monkeypatch, FakeLanguageModel(["", *REPLY], fails_after=1))
    body = b"".join(streaming.stream(task(turn, employee_membership), render=render))
    assert [name for name, _data in events(body)][-2:] == ["final", "done"]
    assert (stored(turn).origin, stored(turn).trace["is_replacement"]) == ("extractive", False)
