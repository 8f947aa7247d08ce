"""What several files of unit tests share."""

import pytest

from skillnet.backends.sentence_transformer import LocalEmbedder


@pytest.fixture(scope="session")
def local_embedder() -> LocalEmbedder:
    """The bundled model, loaded once a run; in a precision that needs no trial beforehand."""
    return LocalEmbedder(precision="float32")
