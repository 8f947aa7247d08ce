"""Deterministic backends for tests and for work without models."""

import hashlib
import re
import unicodedata
from collections.abc import Generator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from skillnet.backends.protocols import ChatMessage, PassageEmbedding, Vector
from skillnet.errors import BackendUnavailable

_WORD: Final = re.compile(r"\w+")
_SPECIAL_TOKENS: Final = 2  # counted as a real model counts the marks around a text


class FakeEmbedder:
    """A hashed bag of words: each word, accents and case folded, is a fixed random direction.

    Texts that share words are near, others nearly at right angles. Every word is one token.
    """

    supports_tokens = True

    def __init__(self, *, dimensions: int = 384, max_tokens: int = 512, model_id: str = "fake") -> None:
        self.model_id = model_id
        self.dimensions = dimensions
        self.max_tokens = max_tokens

    def embed_query(self, text: str) -> Vector:
        return self._embed(text).vector

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        return np.array([self._embed(text).vector for text in texts], np.float32).reshape(-1, self.dimensions)

    def embed_query_with_tokens(self, text: str) -> PassageEmbedding:
        return self._embed(text)

    def embed_passages_with_tokens(self, texts: Sequence[str]) -> list[PassageEmbedding]:
        return [self._embed(text) for text in texts]

    def count_tokens(self, text: str) -> int:
        return len(_WORD.findall(text)) + _SPECIAL_TOKENS

    def _embed(self, text: str) -> PassageEmbedding:
        words = list(_WORD.finditer(text))[: self.max_tokens - _SPECIAL_TOKENS]
        tokens = np.array([_direction(_folded(word.group()), self.dimensions) for word in words], np.float32).reshape(
            -1, self.dimensions
        )
        total = tokens.sum(axis=0) if words else _direction("", self.dimensions)
        return PassageEmbedding(
            vector=(total / np.linalg.norm(total)).astype(np.float32),
            tokens=tokens,
            spans=np.array([word.span() for word in words], np.int32).reshape(-1, 2),
        )


class FakeLanguageModel:
    """Replies with the pieces given, and keeps what it was asked in `requests` and `max_tokens_asked`.

    With `fails_after` it raises BackendUnavailable once that many pieces are out; with `is_cut_off` its reply is but a
    beginning.
    """

    def __init__(
        self,
        pieces: Sequence[str] = ("Respuesta de prueba.",),
        *,
        fails_after: int | None = None,
        is_cut_off: bool = False,
        model_id: str = "fake",
        context_tokens: int = 16_000,
    ) -> None:
        self.model_id = model_id
        self.context_tokens = context_tokens
        self.requests: list[list[ChatMessage]] = []
        self.max_tokens_asked: list[int] = []
        self._pieces = tuple(pieces)
        self._fails_after = fails_after
        self._is_cut_off = is_cut_off

    def stream(
        self, messages: Sequence[ChatMessage], *, max_tokens: int, seconds: float | None = None
    ) -> Generator[str, None, bool]:
        self.requests.append(list(messages))
        self.max_tokens_asked.append(max_tokens)
        return self._reply()

    def _reply(self) -> Generator[str, None, bool]:
        if self._fails_after is None:
            yield from self._pieces
            return self._is_cut_off
        yield from self._pieces[: self._fails_after]
        raise BackendUnavailable("the fake language model fails as told")


def _folded(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


@lru_cache(maxsize=50_000)
def _direction(word: str, dimensions: int) -> Vector:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "little")
    direction = np.random.default_rng(seed).standard_normal(dimensions)
    return (direction / np.linalg.norm(direction)).astype(np.float32)
