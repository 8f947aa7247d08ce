"""Ready answers within a conversation, where a question may go on with another."""

from dataclasses import replace
from typing import Any

import pytest

from retrieval.followups import Form
from skillnet.taking_turns import turns
from skillnet.tenancy import organization_scope
from tests.db.ready_answers.preparing import QUESTION, ask, cached_count, make_entry, reader_scope
from tutor import answering
from tutor.prepared import lookup, matching
from tutor.prepared.lookup import prepared_answer

pytestmark = pytest.mark.django_db


EARLIER = ["¿Cómo se devuelve un producto sin tique?"]


@pytest.mark.parametrize(
    ("wording", "asked", "is_answered"),
    [
        ("¿Cuál es el horario de la tienda?", "cual es el horario de la tienda", True),
        ("¿Cómo pido las vacaciones?", "¿Cómo pido las vacaciones?", True),
        ("¿Cómo pido las vacaciones?", "¿Cómo se piden las vacaciones?", False),  # who knows what it goes on with
        ("¿Cuánto tarda?", "¿Cuánto tarda?", False),
        ("¿Y en verano?", "¿Y en verano?", False),
    ],
)
def test_within_a_conversation_a_short_question_is_answered_by_an_entry_of_the_same_words(
    organization, manual, monkeypatch, wording, asked, is_answered
):
    monkeypatch.setattr(matching, "calibrations", lambda: {"fake": matching.Calibration(0.1)})
    make_entry(organization, manual, questions=[wording])
    answer = ask(reader_scope(organization), asked, history=EARLIER)
    assert (answer.origin == "faq") == is_answered
    assert ask(reader_scope(organization), asked, history=EARLIER, is_fresh=True).origin != "faq"


def test_a_short_question_of_a_conversation_is_not_kept_and_offers_the_nearest_entries(
    organization, manual, monkeypatch
):
    monkeypatch.setattr(matching, "calibrations", lambda: {"fake": matching.Calibration(related_distance=0.9)})
    entry = make_entry(organization, manual, questions=["¿Cuándo caduca la tarjeta regalo?"])
    answer = ask(reader_scope(organization), "¿Caduca la tarjeta?", history=EARLIER)
    assert answer.trace["related"] == [entry.pk]
    ask(reader_scope(organization), "¿Quién da el tique?", history=EARLIER)
    assert cached_count(organization) == 0


def test_what_goes_on_with_its_topic_is_offered_the_entries_near_to_both(organization, manual, monkeypatch):
    monkeypatch.setattr(matching, "calibrations", lambda: {"fake": matching.Calibration(related_distance=0.9)})
    near = make_entry(organization, manual, questions=["¿Cuándo caduca la tarjeta regalo?"])
    real = answering.search

    def search(*args: Any, **kwargs: Any) -> Any:
        found = real(*args, **kwargs)
        return replace(found, evidence=False, confidence=0.1, searched="¿Cuándo caduca la tarjeta? ¿Y la de socio?")

    monkeypatch.setattr(answering, "search", search)
    monkeypatch.setattr(answering, "assessed", lambda result, config, embedder: result)
    with_vectors = lookup.question_with_tokens
    has_turn = []

    def noted(*arguments: Any) -> Any:
        has_turn.append(getattr(turns._own, "has_turn", False))
        return with_vectors(*arguments)

    monkeypatch.setattr(lookup, "question_with_tokens", noted)
    answer = ask(reader_scope(organization), "¿Y la de socio?", history=["¿Cuándo caduca la tarjeta?"])
    assert (answer.origin, answer.trace["related"]) == ("none", [near.pk])
    assert has_turn == [True]
    assert cached_count(organization) == 0


@pytest.mark.parametrize("form", [Form.EMPTY, Form.OPEN])
def test_a_question_that_depends_on_the_conversation_is_neither_found_nor_kept(organization, manual, form):
    make_entry(organization, manual)
    with organization_scope(organization.pk):
        prepared = prepared_answer(QUESTION, reader_scope(organization), form=form)
    assert (prepared.answer, prepared.key, prepared.related) == (None, "", ())
