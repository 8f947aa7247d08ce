"""Language models that reply what a test says."""

from collections.abc import Callable

import pytest

from skillnet.backends.fakes import FakeLanguageModel
from tests.db.tutor_language_model.modelling import Scripted, UseModel
from tutor import answering, writing


@pytest.fixture
def use_model(monkeypatch: pytest.MonkeyPatch) -> UseModel:
    def use(*pieces: str, **options: int) -> FakeLanguageModel:
        model = FakeLanguageModel(pieces, **options)
        for module in (answering, writing):
            monkeypatch.setattr(module, "get_language_model", lambda: model)
        return model

    return use


@pytest.fixture
def use_script(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Scripted]:
    def use(*replies: str) -> Scripted:
        model = Scripted(*replies)
        for module in (answering, writing):
            monkeypatch.setattr(module, "get_language_model", lambda: model)
        return model

    return use
