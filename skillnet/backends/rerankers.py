"""Models that read a question and a passage together: a cross-encoder on this machine, or a reranking service.

Both give one number a passage; the higher, the better it answers. Numbers compare within one call only.
"""

import json
import math
import threading
import urllib.parse
import urllib.request
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Protocol

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from skillnet.errors import BackendUnavailable

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

PROTOCOLS: Final = ("cohere", "jina")


class PassageScorer(Protocol):
    def scores(self, question: str, passages: Sequence[str]) -> list[float]:
        """How well each passage answers, in the order given. Raises: BackendUnavailable."""
        ...


def get_passage_scorer(kind: str) -> PassageScorer:
    """The scorer that SKILLNET_RERANK describes; `kind` is "cross_encoder" or "api".

    Nothing is loaded or reached before it is first used. Raises: ImproperlyConfigured, when a setting is missing.
    """
    config = settings.SKILLNET_RERANK
    if not config["model"]:
        raise ImproperlyConfigured("SKILLNET_RERANK names no model (RERANK_MODEL)")
    if kind == "cross_encoder":
        return _cross_encoder(config["model"])
    if not config["base_url"]:
        raise ImproperlyConfigured("SKILLNET_RERANK has no address (RERANK_BASE_URL)")
    return ApiScorer(
        base_url=config["base_url"],
        api_key=config["api_key"],
        model=config["model"],
        protocol=config["protocol"],
        timeout=config["timeout"],
    )


class CrossEncoderScorer:
    """Any sentence-transformers cross-encoder with one output: a folder or a hub name. Loaded once, when first used."""

    def __init__(self, model: str) -> None:
        self._name = model
        self._model: CrossEncoder | None = None
        self._loading = threading.Lock()

    def scores(self, question: str, passages: Sequence[str]) -> list[float]:
        if not passages:
            return []
        model = self._load()
        predicted = model.predict([(question, passage) for passage in passages], show_progress_bar=False)
        values = [float(value) for value in predicted.reshape(len(passages), -1)[:, -1]]
        return _checked(values, len(passages))

    def _load(self) -> "CrossEncoder":
        with self._loading:
            if self._model is None:
                try:
                    from sentence_transformers import CrossEncoder

                    self._model = CrossEncoder(self._name, device="cpu")
                except (OSError, ValueError, RuntimeError, LookupError, ImportError) as error:
                    # The libraries raise any of these for a missing, damaged or foreign folder.
                    raise BackendUnavailable(f"cross-encoder {self._name}: {error}") from error
            return self._model


class ApiScorer:
    """A reranking service that speaks Cohere's protocol (/v2/rerank) or Jina's (/v1/rerank).

    `base_url` ends before the version: https://api.cohere.com, https://api.jina.ai.
    """

    def __init__(self, *, base_url: str, api_key: str, model: str, protocol: str, timeout: float) -> None:
        if protocol not in PROTOCOLS:
            raise ImproperlyConfigured(f"SKILLNET_RERANK: protocol {protocol!r} is none of {', '.join(PROTOCOLS)}")
        if urllib.parse.urlsplit(base_url).scheme not in {"http", "https"}:
            raise ImproperlyConfigured(f"SKILLNET_RERANK: {base_url!r} is no web address")
        self._address = base_url.rstrip("/") + ("/v2/rerank" if protocol == "cohere" else "/v1/rerank")
        self._api_key = api_key
        self._model = model
        self._is_jina = protocol == "jina"
        self._timeout = timeout

    def scores(self, question: str, passages: Sequence[str]) -> list[float]:
        if not passages:
            return []
        body: dict[str, Any] = {
            "model": self._model,
            "query": question,
            "documents": list(passages),
            "top_n": len(passages),
        }
        if self._is_jina:
            body["return_documents"] = False
        try:
            values = {int(row["index"]): float(row["relevance_score"]) for row in self._asked(body)["results"]}
        except (OSError, ValueError, KeyError, TypeError) as error:  # OSError: no connection, a status, time is up
            raise BackendUnavailable(f"reranking by {self._address}: {error}") from error
        return _checked([values.get(index, math.nan) for index in range(len(passages))], len(passages))

    def _asked(self, body: dict[str, Any]) -> Any:
        request = urllib.request.Request(  # noqa: S310 - the scheme was checked
            self._address,
            data=json.dumps(body).encode(),
            headers={
                "Authorization": f"Bearer {self._api_key}",
                "Content-Type": "application/json",
                "Accept": "application/json",
            },
        )
        with urllib.request.urlopen(request, timeout=self._timeout) as response:  # noqa: S310 - the scheme was checked
            return json.load(response)


@cache
def _cross_encoder(model: str) -> CrossEncoderScorer:
    return CrossEncoderScorer(model)


def _checked(values: list[float], count: int) -> list[float]:
    if len(values) != count or not all(map(math.isfinite, values)):
        raise BackendUnavailable("the reranker gave no number for some passages")
    return values
