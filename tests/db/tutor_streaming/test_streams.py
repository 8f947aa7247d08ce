"""The events of one answer: as it grows, for who comes back or leaves, and after errors."""

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.urls import reverse

from skillnet.backends.fakes import FakeLanguageModel
from skillnet.errors import BackendUnavailable
from skillnet.models import Membership
from skillnet.tenancy import current_organization_id, organization_scope
from tests.db.asking import LogIn
from tests.db.tutor_streaming.watching import (
    REPLY,
    Clock,
    SlowModel,
    answer_over_http,
    events,
    render,
    stored,
    task,
    use_model,
)
from tutor import answering, streaming
from tutor.models import Citation, Turn, TurnStatus

pytestmark = pytest.mark.django_db


def test_the_answer_grows_then_its_final_form_comes_then_the_end(
    turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch
):
    use_model(monkeypatch, FakeLanguageModel(REPLY))
    got = events(b"".join(streaming.stream(task(turn, employee_membership), render=render)))
    assert [name for name, _ in got] == ["answer", "answer", "answer", "final", "done"]
    assert "30 días naturales para devolver" in got[1][1]
    assert "Fuente" not in got[2][1]  # sources are shown once they are checked
    assert got[3][1] == "El cliente tiene 30 días naturales para devolver el producto [Fuente 1]."
    assert stored(turn).origin == "model"


def test_the_stream_may_not_be_buffered_changed_or_kept(client_for: LogIn, employee_membership: Membership, turn: Turn):
    response = client_for(employee_membership).get(reverse("tutor:stream", args=["acme", turn.pk]))
    assert response["Content-Type"] == "text/event-stream"
    assert response["Cache-Control"] == "no-cache, no-transform"
    assert response["X-Accel-Buffering"] == "no"
    assert "Content-Length" not in response
    assert events(b"".join(response.streaming_content))[-1] == ("done", "")


def test_a_reconnect_replays_the_answer_and_asks_the_model_once(
    turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch
):
    model = use_model(monkeypatch, FakeLanguageModel(REPLY))
    first = events(b"".join(streaming.stream(task(turn, employee_membership), render=render)))
    second = events(b"".join(streaming.stream(task(turn, employee_membership), render=render)))
    assert [name for name, _ in second] == ["final", "done"]
    assert second[0] == first[-2]
    assert len(model.requests) == 1
    with organization_scope(turn.organization_id):
        assert Citation.objects.filter(turn=turn).count() == 1


def test_a_second_tab_waits_for_the_first_and_shows_its_answer(
    turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch
):
    model = use_model(monkeypatch, FakeLanguageModel(REPLY))
    first = streaming.stream(task(turn, employee_membership), render=render)
    second = streaming.stream(task(turn, employee_membership), render=render)
    while not (seen := next(first)).startswith(b"event: answer"):
        assert seen
    assert next(second).startswith(b"retry: 3000\n\n")
    assert next(second) == b": en curso\n\n"
    list(first)
    assert [name for name, _ in events(b"".join(second))] == ["final", "done"]
    assert len(model.requests) == 1


def test_a_reader_who_leaves_does_not_stop_the_answer_from_being_stored(
    turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch
):
    model = use_model(monkeypatch, FakeLanguageModel(REPLY))
    body = streaming.stream(task(turn, employee_membership), render=render)
    while not next(body).startswith(b"event: answer"):
        continue
    body.close()  # what the server does when the connection is lost
    assert stored(turn).status == TurnStatus.DONE
    assert stored(turn).answer.endswith("[Fuente 1].")
    assert len(model.requests) == 1


def test_no_scope_is_open_while_text_flows(
    turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch
):
    use_model(monkeypatch, FakeLanguageModel(REPLY))
    depth = len(connection.savepoint_ids)
    for _event in streaming.stream(task(turn, employee_membership), render=render):
        assert current_organization_id() is None
        assert len(connection.savepoint_ids) == depth


@pytest.mark.django_db(transaction=True)  # the end of a request closes connections
def test_a_lost_connection_goes_through_the_middleware_and_the_answer_is_stored_all_the_same(
    client_for: LogIn, turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch
):
    model = use_model(monkeypatch, FakeLanguageModel(REPLY))
    client = client_for(employee_membership)
    response = client.get(reverse("tutor:stream", args=["acme", turn.pk]))
    body = iter(response.streaming_content)
    while not next(body).startswith(b"event: answer"):
        continue
    assert stored(turn).status == TurnStatus.ANSWERING
    response.close()  # as a server does when the connection is lost
    assert (stored(turn).status, stored(turn).origin) == (TurnStatus.DONE, "model")
    assert "30 días naturales" in answer_over_http(client, turn)
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    ("error", "said"), [(BackendUnavailable("down"), "servicio necesario"), (ZeroDivisionError(), "responder")]
)
def test_the_closing_event_is_sent_after_any_error_and_the_turn_says_why(
    turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
):
    def broken(*args: Any, **kwargs: Any) -> Iterator[Any]:
        raise error

    monkeypatch.setattr(answering, "search", broken)
    got = events(b"".join(streaming.stream(task(turn, employee_membership), render=render)))
    assert [name for name, _ in got] == ["final", "done"]
    assert said in got[0][1]
    assert stored(turn).status == TurnStatus.FAILED


def test_a_proxy_that_gathers_4_kilobytes_passes_the_first_words_on_before_the_next_ones(
    turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch, clock: Clock
):
    model = use_model(monkeypatch, SlowModel(clock, 1, REPLY))
    sent = bytearray()
    passed_on: list[bytes] = []
    model.between = lambda: passed_on.append(bytes(sent[: len(sent) // 4096 * 4096]))
    for piece in streaming.stream(task(turn, employee_membership), render=render):
        sent += piece
    before_the_first, before_the_second, *_later = passed_on
    assert b"retry" in before_the_first
    assert "El cliente tiene 30 días".encode() in before_the_second


@pytest.mark.parametrize("error", [Turn.DoesNotExist(), ValueError("a broken template"), DatabaseError()])
def test_the_closing_event_is_sent_when_the_answer_cannot_be_shown(
    turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch, error: Exception
):
    def broken(turn_id: uuid.UUID) -> str:
        raise error

    use_model(monkeypatch, None)
    got = events(b"".join(streaming.stream(task(turn, employee_membership), render=broken)))
    assert [name for name, _ in got][-2:] == ["final", "done"]
    assert "Recarga la página" in got[-2][1]
    assert stored(turn).status == TurnStatus.DONE


def test_a_turn_deleted_meanwhile_is_not_waited_for(
    turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch
):
    use_model(monkeypatch, FakeLanguageModel(REPLY))
    body = streaming.stream(task(turn, employee_membership), render=render)
    while not next(body).startswith(b"event: answer"):
        continue
    with organization_scope(turn.organization_id):
        Turn.objects.filter(pk=turn.pk).delete()
    got = events(b"".join(body))
    assert [name for name, _ in got][-2:] == ["final", "done"]


def test_a_reader_who_leaves_at_any_event_ends_the_stream(
    turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch
):
    use_model(monkeypatch, FakeLanguageModel(REPLY))
    length = len(list(streaming.stream(task(turn, employee_membership), render=render)))
    for read in range(1, length):
        body = streaming.stream(task(turn, employee_membership), render=render)
        for _event, _count in zip(body, range(read), strict=False):
            continue
        body.close()  # raises when an event follows
    assert stored(turn).status == TurnStatus.DONE


def test_event_data_keeps_every_line(turn: Turn):
    assert streaming.event("answer", "<p>a</p>\r\n<p>b</p>") == b"event: answer\ndata: <p>a</p>\ndata: <p>b</p>\n\n"
    assert streaming.event("done", "") == b"event: done\ndata: \n\n"
