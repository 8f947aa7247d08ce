"""Who answers a turn: one at a time, for as long as it takes."""

from datetime import timedelta

import pytest
from django.utils import timezone

from skillnet.backends.fakes import FakeLanguageModel
from skillnet.models import Membership
from skillnet.tenancy import organization_scope
from tests.db.asking import QUESTION
from tests.db.tutor_streaming.watching import REPLY, Clock, SlowModel, events, render, stored, task, use_model
from tutor import answering, services, streaming
from tutor.models import Citation, Turn, TurnStatus

pytestmark = pytest.mark.django_db


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
