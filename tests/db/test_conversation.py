import pytest

from documents.access import ADMINISTRATION
from retrieval import conversation
from retrieval.followups import Form, Unanswered
from retrieval.pipeline import search
from retrieval.types import SearchConfig, SearchScope
from skillnet.tenancy import organization_scope
from tests.factories import make_document

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def manuals(organization):
    make_document(organization, "Vacaciones", "# Vacaciones\nLas vacaciones de la plantilla duran treinta días.")
    make_document(organization, "Becas", "# Vacaciones de becarios\nLas vacaciones de los becarios duran quince días.")
    make_document(organization, "Cámara", "# Cámara\nEl congelador se mantiene a dieciocho grados bajo cero siempre.")


def ask(organization, question, *history, config=None):
    with organization_scope(organization.pk):
        return search(question, SearchScope(organization.pk, ADMINISTRATION), config, history=history)


TOPIC = "¿Cuánto duran las vacaciones de la plantilla?"


@pytest.mark.parametrize("question", ["¿cuánto tiempo?", "¿y los becarios?"])
def test_a_follow_up_is_searched_with_its_topic(organization, question):
    result = ask(organization, question, TOPIC)
    assert result.question == question
    assert result.searched == f"{TOPIC} {question}"
    assert result.trace["follow_up"]["joined"] is True
    assert "Vacaciones" in result.passages[0].heading_path[0]


@pytest.mark.parametrize(
    "question", ["congelador", "¿Y el congelador se mantiene?", "¿a cuántos grados se mantiene siempre el congelador?"]
)
def test_a_change_of_topic_is_searched_alone(organization, question):
    result = ask(organization, question, TOPIC)
    assert result.searched == question
    assert result.passages == ask(organization, question).passages
    assert result.confidence == ask(organization, question).confidence


def test_a_question_that_names_its_topic_is_searched_once(organization, monkeypatch):
    calls = []
    once = conversation.rank
    monkeypatch.setattr(conversation, "rank", lambda *arguments: calls.append(1) or once(*arguments))
    result = ask(organization, "¿a cuántos grados se mantiene siempre el congelador grande?", TOPIC)
    assert (len(calls), "follow_up" in result.trace) == (1, False)


def test_times_of_both_ways_are_counted(organization):
    trace = ask(organization, "congelador", TOPIC).trace
    assert trace["follow_up"] == {"form": "short", "joined": False}
    assert trace["candidates"] == ask(organization, "congelador").trace["candidates"]


@pytest.mark.parametrize("history", [[""], ["¿?"], ["x " * 5_000], ["\0"], ["¿y eso?"] * 50])
@pytest.mark.parametrize("question", ["", "¿y?", "no", "¿qué es esto?", "y " * 5_000])
def test_no_conversation_is_an_error(organization, question, history):
    assert ask(organization, question, *history).rung in ("chunks", "none")


def test_an_expression_has_no_topic(organization):
    result = ask(organization, "becarios", TOPIC, config=SearchConfig(advanced=True))
    assert result.searched == "becarios"


def test_a_topic_that_nothing_was_found_for_is_not_taken_up_as_surely(organization, monkeypatch):
    forms = []
    monkeypatch.setattr(conversation, "goes_on", lambda form, _alone, _joined: forms.append(form))
    for topic in (TOPIC, Unanswered(TOPIC)):
        assert ask(organization, "¿y los becarios?", topic).trace["follow_up"]["form"] == "open"
    assert forms == [Form.OPEN, Form.SHORT]
