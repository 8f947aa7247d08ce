"""A chunk's token vectors in the form in which they are stored (pure).

One row for every two tokens: their mean, as 8-bit integers, and where the two stand in the chunk's text. Against all
tokens as floats that is an eighth of the bytes and, mixed with the other signals, the same ranking; the figures are in
benchmarks/README.md.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from skillnet.backends.protocols import PassageEmbedding, Spans, Vector

TOKENS_A_ROW: Final = 2
_SPAN_BYTES: Final = 8  # start and end, little-endian 32-bit integers


@dataclass(frozen=True, slots=True, eq=False)
class TokenVectors:
    """What is kept of a text's tokens: unit vectors, shape (n, dimensions), and their spans, shape (n, 2).

    Spans count the characters of the chunk's text, end exclusive.
    """

    vectors: Vector
    spans: Spans


def encode(embedding: PassageEmbedding, *, offset: int = 0) -> bytes:
    """The stored form of a passage's token vectors; empty bytes when it has none.

    `offset` is where the chunk's own text begins in the text that was embedded. What stands before it, the names of
    document and section, is left out: all neighbours have those words, and search is no better with them.
    """
    own = embedding.spans[:, 1] > offset
    tokens, spans = embedding.tokens[own], np.maximum(embedding.spans[own] - offset, 0)
    count = len(tokens)
    if not count:
        return b""
    firsts = np.arange(0, count, TOKENS_A_ROW)
    lasts = np.minimum(firsts + TOKENS_A_ROW, count) - 1
    sums = np.add.reduceat(tokens, firsts, axis=0)
    # Only the direction counts: every row uses the whole range of its integers.
    largest = np.maximum(np.abs(sums).max(axis=1, keepdims=True), np.finfo(np.float32).tiny)
    rows = np.rint(sums / largest * 127).astype(np.int8)
    places = np.stack([spans[firsts, 0], spans[lasts, 1]], axis=1).astype("<i4")
    return bytes(places.tobytes() + rows.tobytes())


def decode(stored: bytes, dimensions: int) -> TokenVectors:
    """Token vectors from their stored form. Raises: ValueError, when it is not that of a model of `dimensions`."""
    count, rest = divmod(len(stored), dimensions + _SPAN_BYTES)
    if rest:
        raise ValueError(f"{len(stored)} bytes hold no token vectors of {dimensions} dimensions")
    spans = np.frombuffer(stored, "<i4", count * 2).reshape(count, 2).astype(np.int32)
    integers: NDArray[np.int8] = np.frombuffer(stored, np.int8, offset=count * _SPAN_BYTES).reshape(count, dimensions)
    rows = integers.astype(np.float32)
    rows /= np.maximum(np.sqrt(np.einsum("ij,ij->i", rows, rows)), 1.0)[:, None]
    return TokenVectors(rows, spans)
