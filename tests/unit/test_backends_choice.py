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
from skillnet.backends.packing import pack_linear_layers
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
        all_there.wait(timeout=60)
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


@pytest.fixture
def bfloat16_processor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKILLNET_HOME", str(tmp_path))
    monkeypatch.setattr(precision, "processor_description", lambda: (frozenset({"amx_bf16"}), "a processor"))


@pytest.mark.usefixtures("bfloat16_processor")
def test_precision_is_tried_once_and_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def trial(model: str, threads: int) -> precision.Verdict:
        tried.append(model)
        return precision.choose(2.0, 1.0, 0.9999)

    monkeypatch.setattr(precision, "_try_both", trial)
    assert [precision.best_precision("a/model", "a/model", 0) for _ in range(2)] == ["bfloat16", "bfloat16"]
    assert tried == ["a/model"]


@pytest.mark.usefixtures("bfloat16_processor")
def test_without_a_verdict_the_plain_precision_serves_and_is_not_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def trial(model: str, threads: int) -> precision.Verdict:
        raise OSError("no memory for another process")

    monkeypatch.setattr(precision, "_try_both", trial)
    assert precision.best_precision("a/model", "a/model", 0) == "float32"
    assert not list(tmp_path.rglob("*.json"))


def test_packed_layers_compute_what_the_plain_ones_do() -> None:
    import torch
    from torch import nn
    from transformers.activations import GELUActivation  # type: ignore[attr-defined]

    class FeedForward(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.dense = nn.Linear(24, 48)
            self.intermediate_act_fn = GELUActivation()

        def forward(self, given: torch.Tensor) -> torch.Tensor:
            found: torch.Tensor = self.intermediate_act_fn(self.dense(given))
            return found

    plain = nn.Sequential(FeedForward(), nn.Linear(48, 24, bias=False)).eval()
    given = torch.randn(2, 5, 24)
    with torch.inference_mode():
        before = plain(given)
        packed = pack_linear_layers(plain)
        after = plain(given)
    assert packed in (0, 2)  # none on other processors
    assert torch.allclose(before, after, atol=1e-5)


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
