"""What the apps may ask of a model. Backends implement these; apps never import a model library."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Spans = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class PassageEmbedding:
    """A text as one vector and as one vector per token, both from the same forward pass.

    The model's special tokens and the prefix it needs have no vector here. Tokens past the model's limit have
    none either. A span may be empty: some tokenizers give white space a token of its own.
    """

    vector: Vector  # unit length, shape (dimensions,)
    tokens: Vector  # unit length each, shape (n, dimensions), in reading order
    spans: Spans  # shape (n, 2): each token's start and end in the text given, in characters, end exclusive


class Embedder(Protocol):
    """Turns text into unit vectors, adding the prefixes the model needs. Safe to share between threads."""

    model_id: str  # stored beside every vector; a new id means re-embedding

    @property
    def dimensions(self) -> int: ...

    @property
    def max_tokens(self) -> int:
        """What the model sees of one passage, prefix and special tokens included."""
        ...

    @property
    def supports_tokens(self) -> bool:
        """Whether the `_with_tokens` methods give token vectors. Without them they give none (n = 0)."""
        ...

    def __hash__(self) -> int: ...  # what was asked of it is remembered by it

    def embed_query(self, text: str) -> Vector:
        """Embed a question.

        Returns: one unit vector, shape (dimensions,).
        Raises: BackendUnavailable, when the model cannot be loaded or reached; InvalidEmbedding.
        """
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        """Embed passages for indexing.

        Returns: unit vectors, shape (len(texts), dimensions), in the order given.
        Raises: BackendUnavailable, when the model cannot be loaded or reached; InvalidEmbedding.
        """
        ...

    def embed_query_with_tokens(self, text: str) -> PassageEmbedding:
        """Embed a question for late interaction. Raises: as `embed_query`."""
        ...

    def embed_passages_with_tokens(self, texts: Sequence[str]) -> list[PassageEmbedding]:
        """Embed passages for late interaction, in the order given. Raises: as `embed_passages`."""
        ...

    def count_tokens(self, text: str) -> int:
        """Tokens of `text` as a passage, were there no limit: prefix and special tokens included.

        Raises: BackendUnavailable, when the model cannot be loaded.
        """
        ...


@dataclass(frozen=True, slots=True)
class ChatMessage:
    role: str  # "system", "user" or "assistant"
    content: str


class LanguageModel(Protocol):
    """Writes an answer from messages, a piece at a time. Safe to share between threads."""

    model_id: str
    context_tokens: int

    def stream(
        self, messages: Sequence[ChatMessage], *, max_tokens: int, seconds: float | None = None
    ) -> Generator[str, None, bool]:
        """Yield the reply's text in pieces as it arrives; an empty one says that the wait goes on. With `seconds` it
        is of no use any more after so many in all.

        Returns: whether it is but a beginning, cut off at `max_tokens`.
        Raises: BackendUnavailable, before or between pieces.
        """
        ...
