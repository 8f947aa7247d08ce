"""The last check of what an embedder returned."""

import numpy as np
from numpy.typing import ArrayLike

from skillnet.backends.protocols import Vector
from skillnet.errors import InvalidEmbedding


def unit_vectors(raw: ArrayLike, *, count: int, dimensions: int) -> Vector:
    """The vectors as float32 of length one, shape (count, dimensions).

    Raises: InvalidEmbedding, for another shape, NaN, infinity or a vector of length zero.
    """
    try:
        vectors = np.asarray(raw, dtype=np.float32).reshape(count, -1) if count else np.empty((0, dimensions))
    except (TypeError, ValueError) as error:  # ragged rows, or no numbers
        raise InvalidEmbedding(f"{count} vectors of {dimensions} numbers expected: {error}") from error
    if vectors.shape != (count, dimensions):
        raise InvalidEmbedding(f"shape {vectors.shape} instead of {(count, dimensions)}")
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise InvalidEmbedding("a vector holds NaN or infinity, or nothing but zeros")
    unit: Vector = (vectors / lengths).astype(np.float32, copy=False)
    return unit
