"""The embedder over HTTP: any server with OpenAI's /v1/embeddings."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import openai

from skillnet import metrics
from skillnet.backends.openai_client import openai_client
from skillnet.backends.prefixes import Prefixes, known_prefixes
from skillnet.backends.protocols import PassageEmbedding, Vector
from skillnet.backends.tokens import count_prompt_tokens
from skillnet.backends.vectors import unit_vectors
from skillnet.errors import BackendUnavailable

READ_SECONDS: Final = 60.0
RETRIES: Final = 2  # after the first try; the client waits ever longer, or as long as the server asks
MAX_TOKENS: Final = 512


class ApiEmbedder:
    """Embeds by asking a server. It gives no token vectors: `supports_tokens` is false.

    `base_url` ends where /embeddings is added, usually in /v1. `dimensions` is what the model returns;
    anything else is refused. Tokens are counted as cl100k_base does, which for models with another tokenizer
    is near, not exact.
    """

    supports_tokens = False
    max_tokens = MAX_TOKENS

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        model: str,
        dimensions: int,
        batch_size: int = 32,
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
        read_seconds: float = READ_SECONDS,
    ) -> None:
        self._prefixes = (known_prefixes(model) or Prefixes()).replaced(query_prefix, passage_prefix)
        self._client = openai_client(base_url=base_url, api_key=api_key, read_seconds=read_seconds, max_retries=RETRIES)
        self._batch_size = batch_size
        self.model_id = model
        self.dimensions = dimensions

    def embed_query(self, text: str) -> Vector:
        vector: Vector = self._embed([self._prefixes.query + text])[0]
        return vector

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        return self._embed([self._prefixes.passage + text for text in texts])

    def embed_query_with_tokens(self, text: str) -> PassageEmbedding:
        return self._without_tokens(self.embed_query(text))

    def embed_passages_with_tokens(self, texts: Sequence[str]) -> list[PassageEmbedding]:
        return [self._without_tokens(vector) for vector in self.embed_passages(texts)]

    def count_tokens(self, text: str) -> int:
        return count_prompt_tokens(self._prefixes.passage + text)

    def _without_tokens(self, vector: Vector) -> PassageEmbedding:
        return PassageEmbedding(vector, np.empty((0, self.dimensions), np.float32), np.empty((0, 2), np.int32))

    def _embed(self, texts: Sequence[str]) -> Vector:
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        for start in range(0, len(texts), self._batch_size):
            batch = texts[start : start + self._batch_size]
            vectors[start : start + len(batch)] = self._ask(batch)
        return vectors

    def _ask(self, texts: Sequence[str]) -> Vector:
        try:
            response = self._client.embeddings.create(
                model=self.model_id,
                input=list(texts),
                encoding_format="float",  # the client's own choice, base64, is unknown to many servers
            )
            rows = sorted(response.data, key=lambda row: row.index)
        except (openai.OpenAIError, ValueError, TypeError) as error:
            # The client checks no types: a 200 that holds no JSON or no list ends in one of the last two.
            metrics.MODEL_FAILURES.labels("embedder").inc()
            raise BackendUnavailable(f"embeddings from {self._client.base_url}: {error}") from error
        return unit_vectors([row.embedding for row in rows], count=len(texts), dimensions=self.dimensions)
