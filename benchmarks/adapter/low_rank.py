"""Low-rank adapters around the linear layers of a BertModel: a small product added to weights that stay as they are.

Written out here and not taken from `peft`: it is less code than the care of a dependency that training alone needs.
Source: Hu et al., "LoRA: Low-Rank Adaptation of Large Language Models", ICLR 2022.
"""

import math
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import safetensors.numpy
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from transformers import BertModel

from skillnet.embedded.adapter import DOWN, UP, merged
from skillnet.embedded.weights import WEIGHTS_FILE

PARTS: Final = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)


class LowRankLinear(nn.Module):
    """A linear layer plus `scale` × up(down(x)). `up` begins as zeros: at first nothing is changed."""

    def __init__(self, linear: nn.Linear, *, rank: int, scale: float) -> None:
        super().__init__()
        self.linear = linear
        self.scale = scale
        self.is_on = True
        self.down = nn.Parameter(torch.randn(rank, linear.in_features) / math.sqrt(linear.in_features))
        self.up = nn.Parameter(torch.zeros(linear.out_features, rank))

    def forward(self, inputs: Tensor) -> Tensor:
        output: Tensor = self.linear(inputs)
        return output + self.scale * (inputs @ self.down.T @ self.up.T) if self.is_on else output


class Adapter:
    """The adapters of a model, which is changed: they stand around its layers, and they alone can be trained."""

    def __init__(self, model: BertModel, *, rank: int = 16, scale: float = 2.0) -> None:
        self._layers: dict[str, LowRankLinear] = {}
        model.requires_grad_(False)
        for number, layer in enumerate(model.encoder.layer):
            for part in PARTS:
                linear = layer.get_submodule(part)
                assert isinstance(linear, nn.Linear)
                adapted = LowRankLinear(linear, rank=rank, scale=scale)
                layer.set_submodule(part, adapted)
                self._layers[f"encoder.layer.{number}.{part}"] = adapted

    @property
    def parameters(self) -> list[nn.Parameter]:
        return [parameter for layer in self._layers.values() for parameter in (layer.down, layer.up)]

    @contextmanager
    def switched_off(self) -> Iterator[None]:
        """The model as it was, for as long as the block runs."""
        self._switch(False)
        try:
            yield
        finally:
            self._switch(True)

    def save(self, file: Path) -> None:
        """Write `<layer>.down` (rank × in) and `<layer>.up` (out × rank), float16, the scale being in `up`."""
        tensors = {
            name + suffix: part.detach().half().contiguous()
            for name, layer in self._layers.items()
            for suffix, part in ((DOWN, layer.down), (UP, layer.up * layer.scale))
        }
        save_file(tensors, file)

    def load(self, file: Path) -> None:
        """Go on from what `save` wrote. Raises: ValueError, when that is of another model or rank, or no such file."""
        try:
            tensors = load_file(file)
        except SafetensorError as error:
            raise ValueError(f"{file} cannot be read: {error}") from error
        shapes = {name + DOWN: layer.down.shape for name, layer in self._layers.items()}
        shapes |= {name + UP: layer.up.shape for name, layer in self._layers.items()}
        if {name: tensor.shape for name, tensor in tensors.items()} != shapes:
            raise ValueError(f"{file} is not an adapter of this model and rank")
        with torch.no_grad():
            for name, layer in self._layers.items():
                layer.down.copy_(tensors[name + DOWN])
                layer.up.copy_(tensors[name + UP].float() / layer.scale)

    def _switch(self, is_on: bool) -> None:
        for layer in self._layers.values():
            layer.is_on = is_on


def write_merged_folder(folder: Path, *, model: Path, adapter: Path) -> None:
    """Copy a model's folder and add a saved adapter to the weights of the copy.

    Raises: FileExistsError, when `folder` is there already.
    """
    shutil.copytree(model, folder, ignore=shutil.ignore_patterns(WEIGHTS_FILE))
    weights = merged(safetensors.numpy.load_file(model / WEIGHTS_FILE), safetensors.numpy.load_file(adapter))
    safetensors.numpy.save_file(weights, folder / WEIGHTS_FILE, metadata={"format": "pt"})
