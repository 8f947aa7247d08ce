"""The models in use, chosen by settings, one instance a process."""

import os
import threading
from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from skillnet.backends.protocols import Embedder, LanguageModel
from skillnet.embedded.weights import MODEL_NAME

# Threads of a model that wait for each other must sleep: by default they spin, and on a processor others use too, a
# question then takes seconds. It is read once, when torch is first imported: whoever does has imported this package.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

_creating: Final = threading.RLock()  # `cache` alone lets two threads that come first create two


class ModelChoice(NamedTuple):
    """A model of the configured provider, as EMBEDDING_MODEL and EMBEDDING_DIMENSIONS would name it."""

    name: str
    dimensions: int  # what a service or a fake is to give; a local model knows its own


_choose: Callable[[], ModelChoice | None] = lambda: None  # noqa: E731 - until somebody registers


def register_choice(choose: Callable[[], ModelChoice | None]) -> None:
    """Have `choose` say which model is wanted in the scope that is open; None means the configured one."""
    global _choose
    _choose = choose


def configured_model() -> ModelChoice:
    """The model that SKILLNET_EMBEDDING names."""
    config = settings.SKILLNET_EMBEDDING
    return ModelChoice(config["model"], config["dimensions"])


def get_embedder(choice: ModelChoice | None = None) -> Embedder:
    """The embedder of the organization whose scope is open; outside of any, and for most, the configured one.

    With `choice`, that model's. Nothing is loaded or reached before it is first used.
    """
    wanted = _as_configured(choice or _choose() or configured_model())
    with _creating:
        return _embedder(wanted)


def _as_configured(choice: ModelChoice) -> ModelChoice:
    """The configured choice where another names the same bundled model: it is loaded once a process."""
    configured = configured_model()
    is_same = not configured.name and choice.name == MODEL_NAME and settings.SKILLNET_EMBEDDING["provider"] == "local"
    return configured if is_same else choice


def get_language_model() -> LanguageModel | None:
    """The language model that SKILLNET_LLM names, or None when no endpoint is configured."""
    with _creating:
        return _language_model()


def reset() -> None:
    """Forget both, so that the next call reads the settings again. For tests that change settings."""
    with _creating:
        _embedder.cache_clear()
        _language_model.cache_clear()


@cache
def _embedder(choice: ModelChoice) -> Embedder:
    config = settings.SKILLNET_EMBEDDING
    provider = config["provider"]
    if provider == "local":
        from skillnet.backends.sentence_transformer import LocalEmbedder

        return LocalEmbedder(
            choice.name,
            query_prefix=config.get("query_prefix"),
            passage_prefix=config.get("passage_prefix"),
            batch_size=config["batch_size"],
            threads=config.get("threads", 0),
            precision=config.get("precision", "auto"),
        )
    if provider == "api":
        from skillnet.backends.api_embedder import ApiEmbedder

        return ApiEmbedder(
            base_url=config["base_url"],
            api_key=config["api_key"],
            model=choice.name,
            dimensions=choice.dimensions,
            batch_size=config["batch_size"],
            query_prefix=config.get("query_prefix"),
            passage_prefix=config.get("passage_prefix"),
        )
    if provider == "fake":
        from skillnet.backends.fakes import FakeEmbedder

        return FakeEmbedder(dimensions=choice.dimensions, model_id=choice.name or "fake")
    raise ImproperlyConfigured(f"SKILLNET_EMBEDDING: provider {provider!r} is none of local, api, fake")


@cache
def _language_model() -> LanguageModel | None:
    config = settings.SKILLNET_LLM
    if not config["base_url"] and not config["model"]:
        return None
    from skillnet.backends.chat_http import ChatModel

    return ChatModel(
        base_url=config["base_url"],
        api_key=config["api_key"],
        model=config["model"],
        timeout=config["timeout"],
        first_token_timeout=config["first_token_timeout"],
        reply_timeout=config.get("reply_timeout", 180),
    )
