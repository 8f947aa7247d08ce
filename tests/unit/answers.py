"""Answers composed of passages without a database or a model, for tests."""

from retrieval.types import Passage
from skillnet.backends.fakes import FakeEmbedder
from tutor.drafting import Draft
from tutor.extractive import compose
from tutor.relevance import unit_matches
from tutor.scoring import score_units


def answer(question: str, *passages: Passage) -> Draft:
    choices = score_units(question, passages, unit_matches(question, passages, FakeEmbedder()))
    return compose(question, passages, choices, [0.9] * len(passages))
