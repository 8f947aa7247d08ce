"""What the pages make of a stored answer: how sure it is of itself, and how its text is shown."""

import pytest

from tutor.models import AnswerOrigin, Turn, TurnStatus
from tutor.reactions import is_in_doubt
from tutor.templatetags.tutor import logged_answer, written_by


def answered(origin: AnswerOrigin, confidence: float, **values: object) -> Turn:
    return Turn(status=TurnStatus.DONE, evidence=True, origin=origin, confidence=confidence, **values)


@pytest.mark.parametrize("evidence", [True, False])
def test_what_the_company_answers_itself_is_never_in_doubt(evidence):
    turn = answered(AnswerOrigin.FAQ, 0.8)
    turn.evidence = evidence
    assert not is_in_doubt(turn)


@pytest.mark.parametrize("origin", [AnswerOrigin.MODEL, AnswerOrigin.EXTRACTIVE, AnswerOrigin.CACHE])
def test_other_answers_are_in_doubt_while_the_search_was_unsure(origin):
    assert is_in_doubt(answered(origin, 0.8))
    assert not is_in_doubt(answered(origin, 0.9))


def test_an_answer_given_again_is_shown_as_it_was_written():
    text = "**No** se puede fumar."
    shown = {}
    for origin in ("model", "extractive"):
        turn = answered(AnswerOrigin.CACHE, 0.9, answer=text, trace={"prepared": {"written_by": origin}})
        assert written_by(turn) == origin
        shown[origin] = logged_answer(turn)
    assert shown["model"] == logged_answer(answered(AnswerOrigin.MODEL, 0.9, answer=text))
    assert "<strong>No</strong>" in shown["model"]
    assert "**No**" in shown["extractive"]
