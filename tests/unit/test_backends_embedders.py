"""What every embedder promises, asked of the fake and of the real local one."""

import threading
import unicodedata
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from skillnet.backends.fakes import FakeEmbedder
from skillnet.backends.prefixes import Prefixes, known_prefixes
from skillnet.backends.protocols import Embedder
from skillnet.backends.sentence_transformer import LocalEmbedder, length_batches
from skillnet.backends.vectors import unit_vectors
from skillnet.errors import BackendUnavailable, InvalidEmbedding

VACATION = "Cada persona tiene 23 días laborables de vacaciones al año."
HELMET = "El casco es obligatorio en toda la zona de obra."


@pytest.fixture(params=["fake", pytest.param("local", marks=pytest.mark.model)])
def embedder(request: pytest.FixtureRequest) -> Iterator[Embedder]:
    yield FakeEmbedder() if request.param == "fake" else request.getfixturevalue("local_embedder")


def test_vectors_have_length_one_and_the_order_given(embedder: Embedder) -> None:
    texts = [HELMET * 5, VACATION, HELMET]
    vectors = embedder.embed_passages(texts)
    assert vectors.shape == (3, embedder.dimensions)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    for text, vector in zip(texts, vectors, strict=True):
        assert vector @ embedder.embed_passages([text])[0] > 0.999


def test_a_question_is_nearest_to_the_passage_that_answers_it(embedder: Embedder) -> None:
    question = embedder.embed_query("¿Cuántos días de vacaciones tengo al año?")
    assert question.shape == (embedder.dimensions,)
    vacation, helmet = embedder.embed_passages([VACATION, HELMET]) @ question
    assert vacation > helmet


def test_no_passages_give_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed_passages([]).shape == (0, embedder.dimensions)
    assert embedder.embed_passages_with_tokens([]) == []


def test_empty_text_has_a_vector_and_no_tokens(embedder: Embedder) -> None:
    embedding = embedder.embed_passages_with_tokens([""])[0]
    assert np.isfinite(embedding.vector).all()
    assert embedding.tokens.shape == (0, embedder.dimensions)
    assert embedding.spans.shape == (0, 2)


def test_tokens_come_with_their_place_in_the_text(embedder: Embedder) -> None:
    text = "Lávate  las manos\nantes de entrar."
    embedding = embedder.embed_passages_with_tokens([HELMET * 3, text])[1]
    count = len(embedding.tokens)
    assert embedding.tokens.shape == (count, embedder.dimensions)
    assert embedding.spans.shape == (count, 2)
    assert np.linalg.norm(embedding.tokens, axis=1) == pytest.approx(1, abs=1e-5)
    pieces = [text[start:end] for start, end in embedding.spans]
    assert "".join(pieces).rstrip(".") == "Lávatelasmanosantesdeentrar"
    assert (np.diff(embedding.spans[:, 0]) >= 0).all()


def test_one_pass_gives_the_same_vector_with_and_without_tokens(embedder: Embedder) -> None:
    with_tokens = embedder.embed_query_with_tokens("¿Y el casco?")
    assert with_tokens.vector @ embedder.embed_query("¿Y el casco?") > 0.999


def test_tokens_are_counted_without_a_limit(embedder: Embedder) -> None:
    assert embedder.count_tokens("") > 0
    assert embedder.count_tokens(VACATION) < 50
    assert embedder.count_tokens("vacaciones " * 1000) > embedder.max_tokens


def test_a_text_past_the_limit_is_embedded_up_to_it(embedder: Embedder) -> None:
    embedding = embedder.embed_passages_with_tokens(["vacaciones " * 1000])[0]
    assert 0 < len(embedding.tokens) < embedder.max_tokens
    assert np.linalg.norm(embedding.vector) == pytest.approx(1, abs=1e-5)


@pytest.mark.model
def test_the_local_model_sees_everything_it_counted(local_embedder: LocalEmbedder) -> None:
    text = "Lávate las manos 😀 antes de entrar en 東京."
    prefix_and_marks = local_embedder.count_tokens("")
    tokens = local_embedder.embed_passages_with_tokens([text])[0].tokens
    # Without a text the space after the prefix is a token of its own.
    assert local_embedder.count_tokens(text) - len(tokens) in (prefix_and_marks - 1, prefix_and_marks)


@pytest.mark.model
def test_typed_accents_mean_the_same_composed_or_not(local_embedder: LocalEmbedder) -> None:
    composed = "devolución del año"
    decomposed = unicodedata.normalize("NFD", composed)
    assert local_embedder.count_tokens(composed) == local_embedder.count_tokens(decomposed)
    assert local_embedder.embed_query(composed) @ local_embedder.embed_query(decomposed) > 0.9999


@pytest.mark.model
def test_many_threads_get_the_vectors_that_one_gets(local_embedder: LocalEmbedder) -> None:
    questions = [f"¿Qué dice el artículo {number}?" for number in range(12)]
    alone = [local_embedder.embed_query(question) for question in questions]
    with ThreadPoolExecutor(6) as threads:
        together = list(threads.map(local_embedder.embed_query, questions))
    assert (np.array(alone) * np.array(together)).sum(axis=1).min() > 0.999


def test_threads_that_come_first_together_load_once(monkeypatch: pytest.MonkeyPatch) -> None:
    loads: list[str] = []
    both_asked = threading.Barrier(2)

    embedder = LocalEmbedder()

    def load(_embedder: LocalEmbedder) -> object:
        loads.append("load")
        return object()

    def ask(_number: int) -> object:
        both_asked.wait(timeout=60)
        return embedder._load()

    monkeypatch.setattr(LocalEmbedder, "_load_model", load)
    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(ask, range(2))
    assert first is second
    assert loads == ["load"]


@pytest.mark.model
def test_a_folder_that_is_no_model_is_an_unavailable_backend(tmp_path: object) -> None:
    with pytest.raises(BackendUnavailable):
        LocalEmbedder(str(tmp_path), precision="float32").embed_query("hola")


def test_the_bundled_model_is_described_without_loading_it() -> None:
    embedder = LocalEmbedder()
    assert (embedder.dimensions, embedder.max_tokens) == (384, 512)
    assert embedder.model_id.startswith("multilingual-e5-small-")
    assert embedder._loaded is None


@pytest.mark.parametrize(
    ("model", "prefixes"),
    [
        ("intfloat/multilingual-e5-large", Prefixes("query: ", "passage: ")),
        ("/srv/models/e5-small-v2", Prefixes("query: ", "passage: ")),
        ("intfloat/multilingual-e5-large-instruct", None),
        ("sentence-transformers/all-MiniLM-L6-v2", None),
        ("BAAI/bge-base5-small", None),
    ],
)
def test_prefixes_are_known_by_the_models_name(model: str, prefixes: Prefixes | None) -> None:
    assert known_prefixes(model) == prefixes


def test_an_empty_prefix_replaces_the_known_one() -> None:
    assert Prefixes("query: ", "passage: ").replaced("", None) == Prefixes("", "passage: ")


def test_batches_hold_texts_of_similar_length_within_the_budget() -> None:
    lengths = [500, 10, 480, 12, 11, 900]
    batches = list(length_batches(lengths, batch_size=3, tokens_a_pass=1000))
    assert batches == [[1, 4, 3], [2, 0], [5]]


def test_a_text_longer_than_the_budget_still_gets_its_pass() -> None:
    assert list(length_batches([50, 60], batch_size=8, tokens_a_pass=10)) == [[0], [1]]


@pytest.mark.parametrize(
    "raw",
    [
        [[1.0, 2.0]],
        [[1.0, float("nan"), 0.0]],
        [[float("inf"), 0.0, 0.0]],
        [[0.0, 0.0, 0.0]],
        [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]],
        [["a", "b", "c"]],
    ],
)
def test_what_is_no_vector_of_the_dimension_is_refused(raw: list[list[float]]) -> None:
    with pytest.raises(InvalidEmbedding):
        unit_vectors(raw, count=1, dimensions=3)


def test_vectors_are_brought_to_length_one() -> None:
    assert unit_vectors([[3.0, 4.0]], count=1, dimensions=2).tolist() == [[pytest.approx(0.6), pytest.approx(0.8)]]


def test_the_fake_finds_words_without_their_accents() -> None:
    fake = FakeEmbedder(dimensions=64)
    assert fake.embed_query("devolucion") @ fake.embed_query("Devolución") == pytest.approx(1)
    assert abs(fake.embed_query("devolución") @ fake.embed_query("casco")) < 0.5
