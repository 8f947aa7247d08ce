import numpy as np
import pytest

from documents.token_vectors import decode, encode
from skillnet.backends.fakes import FakeEmbedder
from skillnet.backends.protocols import PassageEmbedding


def embedded(text, dimensions=32):
    return FakeEmbedder(dimensions=dimensions).embed_passages_with_tokens([text])[0]


def test_two_tokens_are_kept_as_one_vector_between_them():
    embedding = embedded("guantes limpios cada mañana siempre")
    kept = decode(encode(embedding), 32)
    assert kept.vectors.shape == (3, 32)
    assert np.linalg.norm(kept.vectors, axis=1) == pytest.approx(1)
    middle = embedding.tokens[0] + embedding.tokens[1]
    assert kept.vectors[0] @ (middle / np.linalg.norm(middle)) > 0.999
    assert kept.vectors[2] @ embedding.tokens[4] > 0.999


def test_spans_say_where_the_two_tokens_stand():
    text = "guantes limpios cada mañana siempre"
    spans = decode(encode(embedded(text)), 32).spans
    assert [text[start:end] for start, end in spans] == ["guantes limpios", "cada mañana", "siempre"]


def test_what_stands_before_the_chunks_own_text_is_left_out():
    own = "guantes limpios"
    prefix = "[Documento: Higiene] "
    kept = decode(encode(embedded(prefix + own), offset=len(prefix)), 32)
    assert kept.spans.tolist() == [[0, len(own)]]
    assert np.array_equal(kept.vectors, decode(encode(embedded(own)), 32).vectors)


def test_an_eighth_of_the_bytes_of_floats_are_stored():
    embedding = embedded("uno dos tres cuatro cinco seis siete ocho", dimensions=384)
    assert len(encode(embedding)) == 4 * (384 + 8) < embedding.tokens.nbytes / 7.8


def test_no_tokens_are_no_bytes():
    assert encode(embedded("")) == b""
    assert decode(b"", 32).vectors.shape == (0, 32)


def test_a_vector_of_zeros_stays_one():
    embedding = PassageEmbedding(np.zeros(4, np.float32), np.zeros((1, 4), np.float32), np.array([[0, 3]], np.int32))
    assert decode(encode(embedding), 4).vectors.tolist() == [[0, 0, 0, 0]]


def test_bytes_of_another_model_are_refused():
    with pytest.raises(ValueError, match="30 dimensions"):
        decode(encode(embedded("guantes limpios")), 30)
