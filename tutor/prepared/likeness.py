"""How alike two questions are, by the embedder's vectors (pure).

Source: Khattab and Zaharia, "ColBERT", SIGIR 2020, here both ways: each token of one question against the best of the
other's.
"""

import numpy as np

from skillnet.backends.protocols import PassageEmbedding, Vector


def likeness(one: PassageEmbedding, vector: Vector, tokens: Vector) -> float:
    """A question's embedding beside another's token vectors, as a cosine: the mean of both ways; without tokens on a
    side the cosine of the two whole vectors.
    """
    if not len(one.tokens) or not len(tokens):
        return float(one.vector @ vector)
    cosines = one.tokens @ tokens.T
    return float(cosines.max(axis=1).mean() + cosines.max(axis=0).mean()) / 2


def encode_tokens(tokens: Vector) -> bytes:
    """Token vectors of a question in half precision: a question is short, and all of its tokens count."""
    return tokens.astype("<f2").tobytes()


def decode_tokens(stored: bytes | memoryview | None, dimensions: int) -> Vector:
    """Token vectors, shape (n, dimensions), from their stored form; none (n = 0) where nothing is stored."""
    flat = np.frombuffer(bytes(stored or b""), "<f2").astype(np.float32)
    return flat.reshape(-1, dimensions)
