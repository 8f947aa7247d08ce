"""One question, one answer: streams, reconnects, lost readers and failures."""

import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from documents.access import Reader
from documents.models import Document
from retrieval.types import SearchScope
from skillnet import backends
from skillnet.backends.fakes import FakeLanguageModel
from skillnet.errors import BackendUnavailable
from skillnet.models import Membership, Organization
from skillnet.tenancy import current_organization_id, organization_scope
from tests import factories
from tests.model_server import Reply, Script, fails, says, serving
from tutor import answering, services, streaming, writing
from tutor.models import Citation, Turn, TurnStatus
from tutor.turns import TurnTask

LogIn = Callable[[Membership], Client]
QUESTION = "¿Cuántos días naturales hay para devolver un producto no alimentario?"
MANUAL = "# Plazos\nEl cliente dispone de 30 días naturales para devolver un producto no alimentario con su tique."
REPLY = ("El cliente tiene 30 días ", "naturales para devolver", " el producto [Fuente 1].")

pytestmark = pytest.mark.django_db


@pytest.fixture
def manual(organization: Organization) -> Document:
    return factories.make_document(organization, "Manual de devoluciones", MANUAL)


@pytest.fixture
def turn(organization: Organization, employee_membership: Membership, manual: Document) -> Turn:
    with organization_scope(organization.pk):
        conversation = services.start_conversation(organization=organization, user=employee_membership.user)
        return services.open_turn(conversation=conversation, question=QUESTION, submission=uuid.uuid4())


@pytest.fixture(autouse=True)
def every_piece_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "REDRAW_SECONDS", 0.0)
    monkeypatch.setattr(streaming, "POLL_SECONDS", 0.0)


def use_model(monkeypatch: pytest.MonkeyPatch, model: Any) -> Any:
    for module in (answering, writing):
        monkeypatch.setattr(module, "get_language_model", lambda: model)
    return model


def task(turn: Turn, membership: Membership) -> TurnTask:
    return TurnTask(turn.pk, turn.question, SearchScope(turn.organization_id, Reader.of(membership)))


def stored(turn: Turn) -> Turn:
    with organization_scope(turn.organization_id):
        return Turn.objects.get(pk=turn.pk)


def render(turn_id: uuid.UUID) -> str:
    return Turn.objects.get(pk=turn_id).answer


def events(body: bytes) -> list[tuple[str, str]]:
    """Names and data of the server-sent events in `body`, comments left out."""
    found = []
    for block in body.decode().split("\n\n"):
        fields = [line.partition(": ")[::2] for line in block.splitlines()]
        names = [value for name, value in fields if name == "event"]
        if names:
            found.append((names[0], "\n".join(value for name, value in fields if name == "data")))
    return found


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


def test_a_claim_that_led_to_nothing_is_taken_over(
    turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch
):
    use_model(monkeypatch, FakeLanguageModel(REPLY))
    with organization_scope(turn.organization_id):
        assert services.claim_turn(turn.pk)
        assert not services.claim_turn(turn.pk)
        Turn.objects.filter(pk=turn.pk).update(claimed_at=timezone.now() - timedelta(minutes=3))
    got = events(b"".join(streaming.stream(task(turn, employee_membership), render=render)))
    assert got[-1] == ("done", "")
    assert stored(turn).status == TurnStatus.DONE


def test_an_answer_is_stored_once(turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch):
    use_model(monkeypatch, None)
    list(streaming.stream(task(turn, employee_membership), render=render))
    *_, done = answering.answer(QUESTION, scope=task(turn, employee_membership).scope)
    assert isinstance(done, answering.Done)
    with organization_scope(turn.organization_id):
        claim = Turn.objects.get(pk=turn.pk).claimed_at
        assert services.save_answer(turn_id=turn.pk, claim=claim, answer=done.answer) is False
        assert Citation.objects.filter(turn=turn).count() == 1


def test_no_scope_is_open_while_text_flows(
    turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch
):
    use_model(monkeypatch, FakeLanguageModel(REPLY))
    depth = len(connection.savepoint_ids)
    for _event in streaming.stream(task(turn, employee_membership), render=render):
        assert current_organization_id() is None
        assert len(connection.savepoint_ids) == depth


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


def answer_over_http(client: Client, turn: Turn) -> str:
    """The final form of a turn's answer, as a browser gets it."""
    response = client.get(reverse("tutor:stream", args=["acme", turn.pk]))
    return dict(events(b"".join(response.streaming_content)))["final"]


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


class SlowModel(FakeLanguageModel):
    """Moves the clock on before each piece, and lets somebody look on between two pieces."""

    def __init__(self, clock: "Clock", seconds: int, pieces: tuple[str, ...], **kwargs: Any) -> None:
        super().__init__(pieces, **kwargs)
        self._clock = clock
        self._seconds = seconds
        self.between: Callable[[], object] = int

    def _reply(self) -> Iterator[str]:
        for piece in super()._reply():
            self._clock.pass_by(self._seconds)
            self.between()
            yield piece


class Clock:
    def __init__(self) -> None:
        self.now = timezone.now()

    def pass_by(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(timezone, "now", lambda: clock.now)
    return clock


def test_a_slow_answer_keeps_its_claim_while_pieces_come(
    turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch, clock: Clock
):
    model = use_model(monkeypatch, SlowModel(clock, 50, REPLY * 2))
    claims: list[object] = []

    def claim_it_too() -> None:
        with organization_scope(turn.organization_id):
            claims.append(services.claim_turn(turn.pk))

    model.between = claim_it_too
    got = events(b"".join(streaming.stream(task(turn, employee_membership), render=render)))
    assert claims == [None] * 6
    assert got[-1] == ("done", "")
    assert (stored(turn).status, stored(turn).origin) == (TurnStatus.DONE, "model")


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


def test_while_a_model_thinks_the_claim_is_kept_the_stream_lives_and_no_thought_is_shown(
    turn: Turn, employee_membership: Membership, monkeypatch: pytest.MonkeyPatch, clock: Clock
):
    thoughts = ("<think>", "Serán 60 días, ", "o quizá ", "90.", "</think>\n")
    model = use_model(monkeypatch, SlowModel(clock, 50, (*thoughts, *REPLY)))
    claims: list[object] = []

    def claim_it_too() -> None:
        with organization_scope(turn.organization_id):
            claims.append(services.claim_turn(turn.pk))

    model.between = claim_it_too
    body = list(streaming.stream(task(turn, employee_membership), render=render))
    assert claims == [None] * (len(thoughts) + len(REPLY))
    assert body.count(streaming.ALIVE) == 1 + len(thoughts)  # the search is done, then it thinks
    assert b"".join(body).count(b"event: answer") == len(REPLY)
    assert not any(word in b"".join(body).decode() for word in ("think", "60", "90"))
    assert stored(turn).answer == "El cliente tiene 30 días naturales para devolver el producto [Fuente 1]."


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


def overtake(turn: Turn, clock: Clock) -> None:
    """Somebody else takes the turn over, once, and answers it."""
    clock.pass_by(121)
    with organization_scope(turn.organization_id):
        if (claim := services.claim_turn(turn.pk)) is not None:
            services.fail_turn(turn_id=turn.pk, claim=claim, reason="La otra respuesta.")


@pytest.mark.parametrize("fails_after", [None, 1])
def test_who_lost_the_claim_overwrites_nothing(
    turn: Turn,
    employee_membership: Membership,
    monkeypatch: pytest.MonkeyPatch,
    clock: Clock,
    fails_after: int | None,
):
    model = use_model(monkeypatch, SlowModel(clock, 1, REPLY, fails_after=fails_after))
    model.between = lambda: overtake(turn, clock)
    got = events(b"".join(streaming.stream(task(turn, employee_membership), render=render)))
    assert got[-2:] == [("final", "La otra respuesta."), ("done", "")]
    assert stored(turn).answer == "La otra respuesta."
    with organization_scope(turn.organization_id):
        assert not Citation.objects.exists()


def test_a_late_failure_does_not_undo_an_answer(turn: Turn, clock: Clock):
    with organization_scope(turn.organization_id):
        lost = services.claim_turn(turn.pk)
        assert lost is not None
        overtake(turn, clock)
        assert services.fail_turn(turn_id=turn.pk, claim=lost, reason="Demasiado tarde.") is False
        assert services.renew_claim(turn.pk, lost) is None
    assert stored(turn).answer == "La otra respuesta."


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


def test_a_greeting_is_answered_without_a_search_and_leaves_no_gap(
    organization: Organization,
    employee_membership: Membership,
    manual: Document,
    client_for: LogIn,
    monkeypatch: pytest.MonkeyPatch,
):
    def no_search(*_arguments: Any, **_options: Any) -> None:
        raise AssertionError("a greeting was searched for")

    monkeypatch.setattr(answering, "search", no_search)
    with organization_scope(organization.pk):
        conversation = services.start_conversation(organization=organization, user=employee_membership.user)
        greeting = services.open_turn(conversation=conversation, question="¡Hola, buenas!", submission=uuid.uuid4())
    list(streaming.stream(task(greeting, employee_membership), render=render))
    answered = stored(greeting)
    assert answered.status == TurnStatus.DONE
    assert answered.answer.startswith("Hola.")
    with organization_scope(organization.pk):
        assert not Turn.objects.unanswered().exists()
    page = reverse("tutor:conversation", args=["acme", conversation.pk])
    shown = client_for(employee_membership).get(page).content.decode()
    assert "Escribe tu pregunta" in shown
    assert "¿Te ha servido?" not in shown
    assert "Avisar a mi responsable" not in shown


def test_what_follows_a_greeting_does_not_go_on_with_it(
    organization: Organization, employee_membership: Membership, manual: Document, monkeypatch: pytest.MonkeyPatch
):
    given: list[list[str]] = []
    search = answering.search

    def watched(question: str, *arguments: Any, history: list[str], **options: Any) -> Any:
        given.append(history)
        return search(question, *arguments, history=history, **options)

    monkeypatch.setattr(answering, "search", watched)
    scope = SearchScope(organization.pk, Reader.of(employee_membership))
    list(answering.answer("¿Y el plazo?", scope=scope, history=["¿Cómo se devuelve?", "muchas gracias"]))
    assert given == [["¿Cómo se devuelve?"]]
