"""Which backends the settings choose, and how the local one chooses its precision."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from skillnet import backends
from skillnet.backends import precision
from skillnet.backends.api_embedder import ApiEmbedder
from skillnet.backends.chat_http import ChatModel
from skillnet.backends.fakes import FakeEmbedder
from skillnet.backends.sentence_transformer import LocalEmbedder

EMBEDDING = {
    "provider": "local",
    "model": "",
    "base_url": "",
    "api_key": "",
    "batch_size": 8,
    "dimensions": 384,
}
LLM = {"base_url": "", "api_key": "", "model": "", "timeout": 5, "first_token_timeout": 2}


@pytest.fixture(autouse=True)
def _chosen_anew() -> Iterator[None]:
    backends.reset()
    yield
    backends.reset()


@pytest.mark.parametrize(
    ("config", "kind"),
    [
        ({"provider": "local"}, LocalEmbedder),
        ({"provider": "fake"}, FakeEmbedder),
        ({"provider": "api", "base_url": "http://localhost:1/v1", "model": "m"}, ApiEmbedder),
    ],
)
def test_the_provider_names_the_embedder(settings: Settings, config: dict[str, str], kind: type) -> None:
    settings.SKILLNET_EMBEDDING = EMBEDDING | config
    assert isinstance(backends.get_embedder(), kind)


def test_an_unknown_provider_is_a_configuration_error(settings: Settings) -> None:
    settings.SKILLNET_EMBEDDING = EMBEDDING | {"provider": "otro"}
    with pytest.raises(ImproperlyConfigured, match="otro"):
        backends.get_embedder()


def test_every_thread_gets_the_same_embedder(settings: Settings) -> None:
    settings.SKILLNET_EMBEDDING = EMBEDDING
    all_there = threading.Barrier(4)

    def ask(_number: int) -> object:
        all_there.wait(timeout=5)
        return backends.get_embedder()

    with ThreadPoolExecutor(4) as threads:
        assert len({id(embedder) for embedder in threads.map(ask, range(4))}) == 1


def test_without_an_endpoint_there_is_no_language_model(settings: Settings) -> None:
    settings.SKILLNET_LLM = LLM
    assert backends.get_language_model() is None


def test_a_configured_endpoint_is_the_language_model(settings: Settings) -> None:
    settings.SKILLNET_LLM = LLM | {"base_url": "http://localhost:1/v1", "model": "gpt-4o"}
    model = backends.get_language_model()
    assert isinstance(model, ChatModel)
    assert model.context_tokens == 128_000
    assert backends.get_language_model() is model


@pytest.mark.parametrize(
    ("float32", "bfloat16", "cosine", "chosen"),
    [
        (2.0, 1.0, 0.9999, "bfloat16"),
        (1.0, 2.0, 0.9999, "float32"),
        (1.0, 0.99, 0.9999, "float32"),
        (2.0, 1.0, 0.99, "float32"),
        (2.0, 1.0, float("nan"), "float32"),
    ],
)
def test_bfloat16_must_be_faster_and_mean_the_same(float32: float, bfloat16: float, cosine: float, chosen: str) -> None:
    assert precision.choose(float32, bfloat16, cosine).precision == chosen


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", json.dumps({"precision": "bfloat16", "unknown": 1})])
def test_a_damaged_verdict_counts_as_none(tmp_path: Path, content: str) -> None:
    path = tmp_path / "verdict.json"
    path.write_text(content, encoding="utf-8")
    assert precision.read_verdict(path) is None


def test_a_verdict_is_kept_for_one_processor_library_and_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKILLNET_HOME", str(tmp_path))
    verdict = precision.choose(2.0, 1.0, 0.9999)
    precision.write_verdict(precision.verdict_path("this machine"), verdict)
    assert precision.read_verdict(precision.verdict_path("this machine")) == verdict
    assert precision.read_verdict(precision.verdict_path("another machine")) is None
