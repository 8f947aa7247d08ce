"""The configured embedder as a row that vectors can name."""

from documents.models import EmbeddingModel
from skillnet.backends import get_embedder


def current_model() -> EmbeddingModel:
    """The row of the configured embedder, made if missing. Another number of dimensions is another model."""
    embedder = get_embedder()
    return EmbeddingModel.objects.get_or_create(name=embedder.model_id, dimensions=embedder.dimensions)[0]
