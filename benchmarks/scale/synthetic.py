"""Manuals that nobody wrote: texts with the word frequencies of a language, vectors with neighbourhoods."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

DIMENSIONS = 384
VOCABULARY = 20_000
TOPIC_WORDS = 80
TOPICS = 400
WORDS_A_CHUNK = 80
CODE_SHARE = 0.05  # of the chunks
STOP_WORDS = re.findall(
    r"\w+",
    "de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ya este sí porque "
    "esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante",
)
_ONSETS = re.findall(r"\w+", "b c d f g l m n p r s t v br cl cr dr fl fr gr ll pl pr tr qu ch")
_NUCLEI = re.findall(r"\w+", "a e i o u a e o ia ie io ue")
_CODAS = ["", "", "", "", "n", "r", "s", "l"]
_ENDINGS = re.findall(r"\w+", "o a os as ción ciones mente dad ar er ado ada ente al ales ero era")

Vector = NDArray[np.float32]


def organization_sizes(count: int, total: int, largest: int) -> list[int]:
    """Chunks of each organization, by a Zipf law that starts at `largest` and sums up to about `total`."""
    low, high = 0.5, 4.0
    ranks = np.arange(1, count + 1)
    for _round in range(60):  # the sum falls as the exponent grows
        exponent = (low + high) / 2
        if (largest / ranks**exponent).sum() > total:
            low = exponent
        else:
            high = exponent
    return [max(5, round(size)) for size in largest / ranks**high]


@dataclass(frozen=True, slots=True)
class Piece:
    """One chunk to be stored."""

    text: str
    heading: str
    vector: Vector


class Writer:
    """Writes chunks, the same ones for the same seed."""

    def __init__(self, seed: int = 7) -> None:
        self._seed = seed

    @cached_property
    def words(self) -> NDArray[np.object_]:
        """Invented Spanish-looking words, the commonest first."""
        rng = np.random.default_rng(self._seed)
        known: dict[str, None] = {}
        while len(known) < VOCABULARY:
            stem = "".join(
                rng.choice(_ONSETS) + rng.choice(_NUCLEI) + rng.choice(_CODAS)
                for _syllable in range(rng.integers(1, 4))
            )
            known[stem + rng.choice(_ENDINGS)] = None
        return np.array(list(known), dtype=object)

    @cached_property
    def _frequencies(self) -> NDArray[np.float64]:
        return np.cumsum(_zipf(VOCABULARY, 1.0))

    @cached_property
    def _stop_frequencies(self) -> NDArray[np.float64]:
        return np.cumsum(_zipf(len(STOP_WORDS), 0.9))

    @cached_property
    def _topics(self) -> tuple[NDArray[np.int64], Vector]:
        rng = np.random.default_rng(self._seed + 1)
        return rng.integers(100, VOCABULARY, (TOPICS, TOPIC_WORDS)), _spread(rng, TOPICS)

    @cached_property
    def _shared_direction(self) -> Vector:
        """What all texts have in common: such models leave cosines between .7 and .95, whatever is compared."""
        direction = np.random.default_rng(self._seed + 2).standard_normal(DIMENSIONS).astype(np.float32)
        return direction / np.linalg.norm(direction) * 1.8

    def document(self, number: int, chunk_count: int) -> Iterator[Piece]:
        """The chunks of one document, which keeps to one topic."""
        rng = np.random.default_rng((self._seed, number))
        topic_words, topic_vectors = self._topics
        topic = int(rng.integers(TOPICS))
        own_direction = topic_vectors[topic] + 0.7 * _spread(rng, 1)[0]
        vectors = self._shared_direction + own_direction + 0.8 * _spread(rng, chunk_count)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        heading = ""
        for position in range(chunk_count):
            if position % 6 == 0:
                heading = " ".join(self._content(rng, topic_words[topic], 3)).capitalize()
            yield Piece(self._text(rng, topic_words[topic]), heading, vectors[position].astype(np.float32))

    def question(self, rng: np.random.Generator, text: str, vector: Vector) -> tuple[str, Vector]:
        """A question about a chunk: some of its words among small ones, and a vector near its own."""
        words = [word for word in text.replace(".", "").split() if word.lower() not in STOP_WORDS]
        chosen = rng.choice(np.array(words, dtype=object), size=min(int(rng.integers(2, 7)), len(words)), replace=False)
        near = vector + 0.35 * _spread(rng, 1)[0]
        return "¿qué dice de " + " y la ".join(chosen) + "?", (near / np.linalg.norm(near)).astype(np.float32)

    def _text(self, rng: np.random.Generator, topic: NDArray[np.int64]) -> str:
        count = int(rng.integers(WORDS_A_CHUNK // 2, WORDS_A_CHUNK * 3 // 2))
        words = self._content(rng, topic, count)
        small = np.searchsorted(self._stop_frequencies, rng.random(count))
        is_small = rng.random(count) < 0.45
        written = [STOP_WORDS[small[n]] if is_small[n] else words[n] for n in range(count)]
        if rng.random() < CODE_SHARE:
            written[count // 2] = f"E-{rng.integers(1000, 10_000)}"
        sentences = [" ".join(written[start : start + 14]) for start in range(0, count, 14)]
        return ". ".join(sentence[:1].upper() + sentence[1:] for sentence in sentences) + "."

    def _content(self, rng: np.random.Generator, topic: NDArray[np.int64], count: int) -> list[str]:
        common = np.searchsorted(self._frequencies, rng.random(count))
        own = topic[np.minimum((rng.random(count) ** 2 * TOPIC_WORDS).astype(int), TOPIC_WORDS - 1)]
        return list(self.words[np.where(rng.random(count) < 0.3, own, np.minimum(common, VOCABULARY - 1))])


def _zipf(count: int, exponent: float) -> NDArray[np.float64]:
    weights = 1 / np.arange(1, count + 1) ** exponent
    return np.asarray(weights / weights.sum())


def _spread(rng: np.random.Generator, count: int) -> Vector:
    """Random directions of length about 1 in which some dimensions say much and most say little."""
    scales = np.arange(1, DIMENSIONS + 1, dtype=np.float32) ** -0.4
    scales /= np.linalg.norm(scales)
    return np.asarray(rng.standard_normal((count, DIMENSIONS)) * scales, dtype=np.float32)
