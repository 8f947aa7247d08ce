"""Which floating-point format a model runs in on this processor, decided by measuring once.

bfloat16 halves the memory and doubles the speed where the processor has instructions for it, and is slower
than float32 where it has not. Whether it pays cannot be told from the processor's name alone. Both are measured in a
process of its own (`python -m skillnet.backends.precision MODEL THREADS`), one after the other, so that nobody keeps
the memory of two models.
"""

import hashlib
import json
import logging
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from skillnet.backends.packing import pack_linear_layers
from skillnet.backends.protocols import Vector
from skillnet.embedded.layout import CHECKOUT, home
from skillnet.embedded.locks import exclusive
from skillnet.embedded.weights import BUNDLED, MODEL_NAME, e5_folder

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

logger = logging.getLogger(__name__)

PRECISIONS: Final = ("auto", "float32", "bfloat16")
MINIMUM_COSINE: Final = 0.999  # below this, bfloat16 would change rankings
_MINIMUM_SPEEDUP: Final = 1.1  # a smaller gain may be noise
_ROUNDS: Final = 3
_TRIAL_SECONDS: Final = 90  # on a busy machine; a worker's jobs, e-mails among them, wait meanwhile
_BFLOAT16_FLAGS: Final = frozenset({"amx_bf16", "avx512_bf16"})
_SAMPLE: Final = (
    "La persona trabajadora puede pedir sus vacaciones con dos meses de antelación desde el portal.",
    "Antes de limpiar la máquina, desconéctala de la corriente y espera a que se detenga por completo.",
    "El plazo de devolución es de 30 días naturales; el reembolso se hace por el mismo medio de pago.",
    "Temperatura de conservación: entre 0 y 4 °C. Anota la lectura cada mañana en la hoja de control.",
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which precision to run in, with the seconds both took and the lowest cosine between their vectors."""

    precision: str
    float32_seconds: float
    bfloat16_seconds: float
    lowest_cosine: float


def load_model(model: str, *, model_id: str, precision: str, threads: int) -> "SentenceTransformer":
    """A model in the precision asked for; `model` empty is the bundled one. "auto" measures once per processor,
    library and model.

    Raises: ValueError, for an unknown precision; OSError and others of the libraries, when it cannot be
    loaded.
    """
    if precision not in PRECISIONS:
        raise ValueError(f"precision {precision!r} is none of {', '.join(PRECISIONS)}")
    if precision == "auto":
        precision = best_precision(model, model_id, threads)
    return _load(model, precision, threads)


def _load(model: str, precision: str, threads: int) -> "SentenceTransformer":
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as transformers_logging

    # The bar would land in the log of every process.
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    if threads:
        torch.set_num_threads(threads)
    is_bundled = model in BUNDLED
    loaded = SentenceTransformer(
        str(e5_folder(precision, name=model or MODEL_NAME)) if is_bundled else model,
        device="cpu",
        local_files_only=is_bundled,
        model_kwargs={"dtype": torch.bfloat16 if precision == "bfloat16" else torch.float32},
    ).eval()
    if precision == "float32":
        pack_linear_layers(loaded)
    return loaded


def best_precision(model: str, model_id: str, threads: int) -> str:
    """The precision that was found better here before, else by a trial; float32 where the processor has no other."""
    flags, processor = processor_description()
    if not flags & _BFLOAT16_FLAGS:
        return "float32"
    path = verdict_path(f"{processor}|{version('torch')}|{threads or os.cpu_count()}|{model_id}")
    path.parent.mkdir(parents=True, exist_ok=True)
    with exclusive(path.with_suffix(".lock")):  # a web server and a worker that start together measure once
        verdict = read_verdict(path)
        if verdict is None:
            try:
                verdict = _try_both(model, threads)
            except (OSError, subprocess.SubprocessError, ValueError, TypeError) as error:
                logger.warning("Embedding precision for %s could not be measured: %s", model_id, error)
                return "float32"
            write_verdict(path, verdict)
            logger.info("Embedding precision for %s: %s", model_id, verdict)
    return verdict.precision


def _try_both(model: str, threads: int) -> Verdict:
    """The verdict of a trial in a process of its own.

    Raises: OSError, SubprocessError, ValueError or TypeError, when there is none.
    """
    trial = subprocess.run(
        [sys.executable, "-m", "skillnet.backends.precision", model, str(threads)],
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        timeout=_TRIAL_SECONDS,
        check=True,
    )
    return Verdict(**json.loads(trial.stdout))


def forward(model: "SentenceTransformer", ids: "torch.Tensor", mask: "torch.Tensor") -> tuple[Vector, Vector]:
    """One pass: a vector per text, (n, dimensions), and one per position, (n, longest, d), in float32.

    Pooling runs in float32 whatever the model runs in: a mean over 500 tokens in bfloat16 loses digits for
    nothing.
    """
    import torch

    features: dict[str, Any] = {"input_ids": ids, "attention_mask": mask}
    transformer, *others = model
    with torch.inference_mode():
        features = transformer(features)
        features["token_embeddings"] = features["token_embeddings"].float()
        tokens = features["token_embeddings"]
        for module in others:
            features = module(features)
    return features["sentence_embedding"].float().numpy(), tokens.numpy()


def processor_description() -> tuple[frozenset[str], str]:
    """The processor's feature flags and its name; neither is known outside Linux."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return frozenset(), ""
    fields = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    identity = (fields.get(name, "") for name in ("model name", "cpu family", "model", "stepping"))
    return frozenset(fields.get("flags", "").split()), " ".join(identity)


def choose(float32_seconds: float, bfloat16_seconds: float, lowest_cosine: float) -> Verdict:
    """bfloat16 when it is clearly faster and means the same."""
    pays = bfloat16_seconds * _MINIMUM_SPEEDUP <= float32_seconds and lowest_cosine >= MINIMUM_COSINE
    return Verdict("bfloat16" if pays else "float32", float32_seconds, bfloat16_seconds, lowest_cosine)


def verdict_path(key: str) -> Path:
    return home() / "models" / f"precision-{hashlib.sha256(key.encode()).hexdigest()[:12]}.json"


def read_verdict(path: Path) -> Verdict | None:
    """What was measured before, or None; a damaged file counts as none."""
    try:
        verdict = Verdict(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return verdict if verdict.precision in PRECISIONS[1:] else None


def write_verdict(path: Path, verdict: Verdict) -> None:
    """Keep what was measured; where that is impossible, the next process measures again."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(verdict)), encoding="utf-8")
    except OSError as error:  # a home that may only be read
        logger.warning("The measured precision cannot be kept in %s: %s", path, error)


def measure(model: str, threads: int) -> Verdict:
    """Run a sample through the model in both precisions, one after the other, and choose.

    Seconds are the processor's and the best of a few rounds: what else the machine does weighs little on them.
    """
    texts = [" ".join(_SAMPLE[start:] + _SAMPLE[:start]) * 2 for start in range(len(_SAMPLE))]
    seconds: dict[str, float] = {}
    vectors: dict[str, Vector] = {}
    for name in PRECISIONS[1:]:
        loaded = _load(model, name, threads)
        tokens = loaded.tokenizer(texts, padding=True, truncation=True, max_length=256, return_tensors="pt")
        taken = []
        for _ in range(_ROUNDS + 1):  # the first round only warms up
            started = time.process_time()
            vectors[name] = forward(loaded, tokens["input_ids"], tokens["attention_mask"])[0]
            taken.append(time.process_time() - started)
        seconds[name] = min(taken[1:])
        del loaded
    lengths = np.linalg.norm(vectors["float32"], axis=1) * np.linalg.norm(vectors["bfloat16"], axis=1)
    cosines = (vectors["float32"] * vectors["bfloat16"]).sum(axis=1) / lengths
    return choose(seconds["float32"], seconds["bfloat16"], float(cosines.min()))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asdict(measure(sys.argv[1], int(sys.argv[2])))))
