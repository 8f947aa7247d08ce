"""Embedders as rows that vectors can name."""

from documents.models import EmbeddingModel
from skillnet.backends import get_embedder


def model_of(name: str, dimensions: int) -> EmbeddingModel:
    """The row of a model, made if missing."""
    return EmbeddingModel.objects.get_or_create(name=name, dimensions=dimensions)[0]


def current_model() -> EmbeddingModel:
    """The row of the embedder in use, made if missing. Another number of dimensions is another model."""
    embedder = get_embedder()
    return model_of(embedder.model_id, embedder.dimensions)
