"""Questions and short texts as vectors, each embedded once though several readers ask for it."""

from functools import lru_cache

from skillnet.backends.protocols import Embedder, PassageEmbedding, Vector

KEPT = 64  # the latest; a search of a course asks for the same one up to three times


@lru_cache(KEPT)
def question_vector(embedder: Embedder, question: str) -> Vector:
    """The question as one unit vector, shape (dimensions,). Raises: as `Embedder.embed_query`."""
    return embedder.embed_query(question)


@lru_cache(KEPT)
def question_with_tokens(embedder: Embedder, question: str) -> PassageEmbedding:
    """The question with its token vectors, which callers share: nobody can write to them.

    Raises: as `Embedder.embed_query`.
    """
    embedding = embedder.embed_query_with_tokens(question)
    for shared in (embedding.vector, embedding.tokens, embedding.spans):
        shared.setflags(write=False)
    return embedding


@lru_cache(KEPT)
def text_vectors(embedder: Embedder, texts: tuple[str, ...]) -> Vector:
    """Texts as unit vectors, shape (len(texts), dimensions), which callers share: nobody can write to them.

    Raises: as `Embedder.embed_passages`.
    """
    vectors = embedder.embed_passages(texts)
    vectors.setflags(write=False)
    return vectors
