"""The local embedder: a sentence-transformers model on this machine, by default the bundled one."""

import logging
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from skillnet.backends.precision import forward, load_model
from skillnet.backends.prefixes import Prefixes, known_prefixes
from skillnet.backends.protocols import PassageEmbedding, Spans, Vector
from skillnet.backends.vectors import unit_vectors
from skillnet.embedded.errors import EmbeddedError
from skillnet.embedded.weights import BUNDLED, MODEL_NAME
from skillnet.errors import BackendUnavailable

if TYPE_CHECKING:  # torch takes seconds to import: only a process that embeds pays for it
    from sentence_transformers import SentenceTransformer
    from tokenizers import Encoding, Tokenizer

logger = logging.getLogger(__name__)

BUNDLED_DIMENSIONS: Final = 384
MAX_TOKENS: Final = 512  # of the bundled model; longer passages than that blur, so larger models get no more
TOKENS_A_PASS: Final = 2_048  # padded; larger passes are no faster on a CPU and keep a question waiting
# Two, so that a question does not wait for a document's passages. More give no more a second, and every
# thread that calls torch gets a team of threads of its own.
PASSES_AT_ONCE: Final = 2


@dataclass(frozen=True, slots=True)
class _Loaded:
    model: "SentenceTransformer"
    tokenizer: "Tokenizer"  # never truncates; never changed after loading, so threads may share it
    prefixes: Prefixes
    pad_id: int
    dimensions: int
    max_tokens: int


class LocalEmbedder:
    """Embeds in this process. Cheap to create: the model is loaded once, when first needed.

    `model` is a folder or a hub name; empty means the bundled multilingual-e5-small, which never touches the
    network. Prefixes follow the model (e5 by name, else its own prompts) unless given. `threads` is torch's
    number of threads in one pass, 0 for torch's own choice. `precision` is "float32", "bfloat16", or "auto":
    bfloat16 where this processor computes faster and as well with it.
    """

    supports_tokens = True

    def __init__(
        self,
        model: str = "",
        *,
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
        batch_size: int = 32,
        threads: int = 0,
        precision: str = "auto",
    ) -> None:
        self._name = model
        self.model_id = (Path(model).name if Path(model).is_dir() else model) or MODEL_NAME
        self._given_prefixes = (query_prefix, passage_prefix)
        self._batch_size = batch_size
        self._threads = threads
        self._precision = precision
        self._loaded: _Loaded | None = None
        self._loading = threading.Lock()
        # A queue and no semaphore: whoever asks first is served first, so no question starves under load.
        self._passes = ThreadPoolExecutor(PASSES_AT_ONCE, thread_name_prefix="embedding")

    @property
    def dimensions(self) -> int:
        return BUNDLED_DIMENSIONS if self._name in BUNDLED else self._load().dimensions

    @property
    def max_tokens(self) -> int:
        return MAX_TOKENS if self._name in BUNDLED else self._load().max_tokens

    def embed_query(self, text: str) -> Vector:
        vector: Vector = self._embed([text], self._load().prefixes.query)[0]
        return vector

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        return self._embed(texts, self._load().prefixes.passage)

    def embed_query_with_tokens(self, text: str) -> PassageEmbedding:
        return self._embed_with_tokens([text], self._load().prefixes.query)[0]

    def embed_passages_with_tokens(self, texts: Sequence[str]) -> list[PassageEmbedding]:
        return self._embed_with_tokens(texts, self._load().prefixes.passage)

    def count_tokens(self, text: str) -> int:
        loaded = self._load()
        return len(loaded.tokenizer.encode(loaded.prefixes.passage + text))

    def warm_up(self) -> None:
        """Load the model now, so that the first question does not wait. Raises: BackendUnavailable."""
        self.embed_query("")

    def _embed(self, texts: Sequence[str], prefix: str) -> Vector:
        loaded = self._load()
        vectors = np.empty((len(texts), loaded.dimensions), np.float32)
        for indices, _encodings, batch_vectors, _tokens in self._passes_over(texts, prefix):
            vectors[indices] = batch_vectors
        return vectors

    def _embed_with_tokens(self, texts: Sequence[str], prefix: str) -> list[PassageEmbedding]:
        embeddings: dict[int, PassageEmbedding] = {}
        for indices, encodings, vectors, tokens in self._passes_over(texts, prefix):
            for row, index in enumerate(indices):
                positions, spans = _text_tokens(encodings[row], texts[index], len(prefix))
                embeddings[index] = PassageEmbedding(
                    vector=vectors[row],
                    tokens=unit_vectors(tokens[row, positions], count=len(positions), dimensions=tokens.shape[2]),
                    spans=spans,
                )
        return [embeddings[index] for index in range(len(texts))]

    def _passes_over(
        self, texts: Sequence[str], prefix: str
    ) -> Iterator[tuple[list[int], list["Encoding"], Vector, Vector]]:
        """Run the model over all texts, those of similar length together.

        Yields: the texts' indices; their encodings; their unit vectors; every position's vector, shape
        (texts, longest, d).
        """
        loaded = self._load()
        encodings = loaded.tokenizer.encode_batch([prefix + text for text in texts], add_special_tokens=False)
        room = loaded.max_tokens - loaded.tokenizer.num_special_tokens_to_add(is_pair=False)
        for encoding in encodings:
            encoding.truncate(room)
        encodings = [loaded.tokenizer.post_process(encoding) for encoding in encodings]
        for indices in length_batches([len(encoding) for encoding in encodings], self._batch_size):
            batch = [encodings[index] for index in indices]
            vectors, tokens = self._one_pass(loaded, batch)
            yield (
                indices,
                batch,
                unit_vectors(vectors, count=len(batch), dimensions=loaded.dimensions),
                tokens,
            )

    def _one_pass(self, loaded: _Loaded, encodings: list["Encoding"]) -> tuple[Vector, Vector]:
        import torch

        longest = max(len(encoding) for encoding in encodings)
        ids = torch.full((len(encodings), longest), loaded.pad_id)
        mask = torch.zeros((len(encodings), longest), dtype=torch.long)
        for row, encoding in enumerate(encodings):
            ids[row, : len(encoding)] = torch.tensor(encoding.ids)
            mask[row, : len(encoding)] = 1
        return self._passes.submit(forward, loaded.model, ids, mask).result()

    def _load(self) -> _Loaded:
        if self._loaded is None:
            with self._loading:
                if self._loaded is None:
                    self._loaded = self._load_model()
        return self._loaded

    def _load_model(self) -> _Loaded:
        try:
            return self._describe(
                load_model(self._name, model_id=self.model_id, precision=self._precision, threads=self._threads)
            )
        except (EmbeddedError, OSError, ValueError, RuntimeError, LookupError, ImportError) as error:
            # The libraries raise any of these for a missing, damaged or foreign folder.
            logger.exception("The embedding model %s cannot be loaded", self.model_id)
            raise BackendUnavailable(f"embedding model {self.model_id}: {error}") from error

    def _describe(self, model: "SentenceTransformer") -> _Loaded:
        tokenizer = getattr(model.tokenizer, "backend_tokenizer", None)
        dimensions = model.get_embedding_dimension()
        if tokenizer is None or dimensions is None:
            raise ValueError("only transformer models with a fast tokenizer can be used")
        tokenizer.no_truncation()
        tokenizer.no_padding()
        prompts = model.prompts
        default = known_prefixes(self._name or MODEL_NAME) or Prefixes(
            prompts.get("query") or "", prompts.get("passage") or prompts.get("document") or ""
        )
        return _Loaded(
            model=model,
            tokenizer=tokenizer,
            prefixes=default.replaced(*self._given_prefixes),
            pad_id=model.tokenizer.pad_token_id or 0,
            dimensions=dimensions,
            max_tokens=min(model.max_seq_length or MAX_TOKENS, MAX_TOKENS),
        )


def length_batches(lengths: Sequence[int], batch_size: int, tokens_a_pass: int = TOKENS_A_PASS) -> Iterator[list[int]]:
    """Indices in batches of similar length, longest last.

    A batch has at most `batch_size` texts and, padded to its longest, `tokens_a_pass` tokens; never none.
    """
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == batch_size or (len(batch) + 1) * lengths[index] > tokens_a_pass):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _text_tokens(encoding: "Encoding", text: str, prefix_length: int) -> tuple[list[int], Spans]:
    """The positions of the tokens that belong to the text itself, and where they stand in it.

    A word's first token often covers the space before it, too: spans leave white space at their start out.
    """
    positions: list[int] = []
    spans: list[tuple[int, int]] = []
    rows = zip(encoding.offsets, encoding.special_tokens_mask, strict=True)
    for position, ((start, end), is_special) in enumerate(rows):
        if is_special or end <= prefix_length:
            continue
        start, end = max(start - prefix_length, 0), end - prefix_length
        while start < end and text[start].isspace():
            start += 1
        positions.append(position)
        spans.append((start, end))
    return positions, np.array(spans, dtype=np.int32).reshape(-1, 2)
