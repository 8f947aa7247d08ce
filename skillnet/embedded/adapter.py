"""What we taught the bundled embedder: to find a manual's formal words when somebody asks in everyday ones.

A low-rank adapter, added to the weights once, when the model's folder is built: it costs nothing at question time.
`benchmarks/adapter/train.py` makes the file, from passages and questions of our own.
Source: Hu et al., "LoRA: Low-Rank Adaptation of Large Language Models", ICLR 2022.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from skillnet.embedded.errors import EmbeddedError

ADAPTER_FILE: Final = Path(__file__).with_name("e5-adapter.safetensors")
ADAPTER_SHA256: Final = "8a333ba1fdc3b34a6487753e6e13e6194a6c499dca66b74fc11e20bb5d9d6a34"
DOWN: Final = ".down"  # (rank, in)
UP: Final = ".up"  # (out, rank)

Weights = NDArray[np.float32]


class AdapterError(EmbeddedError):
    """The adapter's file is missing or is not the one this version was written for."""

    def __init__(self, detail: str) -> None:
        super().__init__(
            f"El ajuste del modelo de búsqueda incluido no se puede usar ({detail}). "
            "Recupera el archivo del código de SkillNet: git checkout -- skillnet/embedded."
        )


def with_adapter(tensors: Mapping[str, Weights]) -> dict[str, Weights]:
    """The model's tensors, by BertModel's names, with our adapter added. Raises: AdapterError."""
    return merged(tensors, _parts())


def merged(tensors: Mapping[str, Weights], parts: Mapping[str, NDArray[np.floating]]) -> dict[str, Weights]:
    """A model's tensors with an adapter added to the matrices that it has parts for: W + up @ down.

    Raises: AdapterError, when it is another model's.
    """
    adapted = dict(tensors)
    for name in (part.removesuffix(DOWN) for part in parts if part.endswith(DOWN)):
        key = f"{name}.weight"
        if key not in adapted:
            raise AdapterError(f"{name} no es de este modelo")
        adapted[key] = adapted[key] + parts[name + UP].astype(np.float32) @ parts[name + DOWN].astype(np.float32)
    return adapted


def _parts() -> dict[str, NDArray[np.float16]]:
    from safetensors.numpy import load  # here: a caller that finds the folder ready needs none of this

    try:
        content = ADAPTER_FILE.read_bytes()
    except FileNotFoundError:
        raise AdapterError(f"falta {ADAPTER_FILE.name}") from None
    found = hashlib.sha256(content).hexdigest()
    if found != ADAPTER_SHA256:
        raise AdapterError(f"{ADAPTER_FILE.name} tiene la suma SHA-256 {found}")
    parts: dict[str, NDArray[np.float16]] = load(content)
    return parts
