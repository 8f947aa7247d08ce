"""Other ways to search the same passages with the same weights, each as its makers show it."""

from collections.abc import Sequence
from typing import Protocol

import bm25s
import numpy as np
import Stemmer
from django.db import connections
from haystack import Document, Pipeline
from haystack.components.joiners import DocumentJoiner
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore
from numpy.typing import NDArray
from sentence_transformers import SentenceTransformer
from txtai import Embeddings

from retrieval.evaluation.dataset import Row

TOP_K = 10
QUERY = "query: "  # what e5 was trained with


class System(Protocol):
    name: str

    def search(self, question: str) -> Sequence[str]:
        """Ids of the best passages, best first, at most TOP_K. Embedding the question is part of it."""


def text_of(row: Row) -> str:
    """A passage as every system here gets it: its text. A title before it lowers the vector searches' figures."""
    return row.text


class PgvectorCosine:
    """A table with a vector column, ordered by cosine distance: exact, no index. Made as the owner of the database:
    the product's own role may make no tables.
    """

    name = "pgvector, cosine"

    def __init__(self, rows: Sequence[Row], vectors: NDArray[np.float32], model: SentenceTransformer) -> None:
        self._model = model
        with connections["owner"].cursor() as cursor:
            cursor.execute("CREATE TEMP TABLE side_by_side (id text PRIMARY KEY, embedding vector(384))")
            cursor.executemany(
                "INSERT INTO side_by_side VALUES (%s, %s::vector)",
                [(row.id, str(vector.tolist())) for row, vector in zip(rows, vectors, strict=True)],
            )

    def search(self, question: str) -> Sequence[str]:
        vector = self._model.encode(QUERY + question, normalize_embeddings=True, show_progress_bar=False)
        with connections["owner"].cursor() as cursor:
            cursor.execute(
                "SELECT id FROM side_by_side ORDER BY embedding <=> %s::vector, id LIMIT %s",
                [str(vector.tolist()), TOP_K],
            )
            return [row[0] for row in cursor.fetchall()]


class Bm25s:
    """The package's own defaults, with its Spanish stop words and a Spanish stemmer."""

    name = "bm25s"

    def __init__(self, rows: Sequence[Row]) -> None:
        self._ids = [row.id for row in rows]
        self._stemmer = Stemmer.Stemmer("spanish")
        self._index = bm25s.BM25()
        self._index.index(self._tokens([text_of(row) for row in rows]), show_progress=False)

    def _tokens(self, texts: list[str]) -> "bm25s.tokenization.Tokenized":
        return bm25s.tokenize(texts, stopwords="es", stemmer=self._stemmer, show_progress=False)

    def search(self, question: str) -> Sequence[str]:
        found, scores = self._index.retrieve(self._tokens([question]), k=TOP_K, show_progress=False)
        return [self._ids[at] for at, score in zip(found[0], scores[0], strict=True) if score > 0]


class Haystack:
    """Both in-memory retrievers, joined by reciprocal ranks."""

    name = "haystack, hybrid"

    def __init__(self, rows: Sequence[Row], vectors: NDArray[np.float32], model: SentenceTransformer) -> None:
        self._model = model
        store = InMemoryDocumentStore(embedding_similarity_function="cosine")
        store.write_documents(
            [
                Document(id=row.id, content=text_of(row), embedding=vector.tolist())
                for row, vector in zip(rows, vectors, strict=True)
            ]
        )
        self._pipeline = Pipeline()
        self._pipeline.add_component("words", InMemoryBM25Retriever(store, top_k=30))
        self._pipeline.add_component("meaning", InMemoryEmbeddingRetriever(store, top_k=30))
        self._pipeline.add_component("joiner", DocumentJoiner(join_mode="reciprocal_rank_fusion", top_k=TOP_K))
        self._pipeline.connect("words", "joiner")
        self._pipeline.connect("meaning", "joiner")

    def search(self, question: str) -> Sequence[str]:
        vector = self._model.encode(QUERY + question, normalize_embeddings=True, show_progress_bar=False).tolist()
        found = self._pipeline.run({"words": {"query": question}, "meaning": {"query_embedding": vector}})
        return [document.id for document in found["joiner"]["documents"]]


class Txtai:
    """A hybrid index: dense vectors and the package's BM25, half and half."""

    name = "txtai, hybrid"

    def __init__(self, rows: Sequence[Row], vectors: NDArray[np.float32], model: SentenceTransformer) -> None:
        known = {text_of(row): vector for row, vector in zip(rows, vectors, strict=True)}

        def embedded(texts: Sequence[str]) -> NDArray[np.float32]:
            if all(text in known for text in texts):
                return np.array([known[text] for text in texts])
            return model.encode([QUERY + text for text in texts], normalize_embeddings=True, show_progress_bar=False)

        self._embeddings = Embeddings(method="external", transform=embedded, hybrid=True)
        self._embeddings.index([(row.id, text_of(row), None) for row in rows])

    def search(self, question: str) -> Sequence[str]:
        return [str(found[0]) for found in self._embeddings.search(question, TOP_K)]
