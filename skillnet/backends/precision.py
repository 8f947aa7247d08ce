"""Which floating-point format a model runs in on this processor, decided by measuring once.

bfloat16 halves the memory and doubles the speed where the processor has instructions for it, and is slower
than float32 where it has not. Whether it pays cannot be told from the processor's name alone.
"""

import hashlib
import json
import logging
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from skillnet.backends.protocols import Vector
from skillnet.embedded.layout import home

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

logger = logging.getLogger(__name__)

PRECISIONS: Final = ("auto", "float32", "bfloat16")
MINIMUM_COSINE: Final = 0.999  # below this, bfloat16 would change rankings
_MINIMUM_SPEEDUP: Final = 1.1  # a smaller gain may be noise
_ROUNDS: Final = 2
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


def load_model(
    source: str, *, model_id: str, precision: str, threads: int, local_files_only: bool
) -> "SentenceTransformer":
    """The model in the precision asked for. "auto" measures once per processor, library and model.

    Raises: ValueError, for an unknown precision; OSError and others of the libraries, when it cannot be
    loaded.
    """
    if precision not in PRECISIONS:
        raise ValueError(f"precision {precision!r} is none of {', '.join(PRECISIONS)}")
    # Threads that wait for each other must sleep: by default they spin, and on a processor others use
    # too, a question then takes seconds. The library reads this once, when torch is first imported.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as transformers_logging

    # The bar would land in the log of every process.
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    if threads:
        torch.set_num_threads(threads)

    @cache  # both are loaded to be compared: the better one stays
    def load(wanted: str) -> "SentenceTransformer":
        dtype = torch.bfloat16 if wanted == "bfloat16" else torch.float32
        return SentenceTransformer(
            source, device="cpu", local_files_only=local_files_only, model_kwargs={"dtype": dtype}
        ).eval()

    if precision == "auto":
        flags, processor = processor_description()
        precision = "float32"
        if flags & _BFLOAT16_FLAGS:
            key = f"{processor}|{torch.__version__}|{torch.get_num_threads()}|{model_id}"
            path = verdict_path(key)
            verdict = read_verdict(path)
            if verdict is None:
                verdict = _measure(load("float32"), load("bfloat16"))
                write_verdict(path, verdict)
                logger.info("Embedding precision for %s: %s", model_id, verdict)
            precision = verdict.precision
    return load(precision)


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


def _measure(float32: "SentenceTransformer", bfloat16: "SentenceTransformer") -> Verdict:
    texts = [" ".join(_SAMPLE[start:] + _SAMPLE[:start]) * 2 for start in range(len(_SAMPLE))]
    tokens = float32.tokenizer(texts, padding=True, truncation=True, max_length=256, return_tensors="pt")

    def run(model: "SentenceTransformer") -> Callable[[], Vector]:
        return lambda: forward(model, tokens["input_ids"], tokens["attention_mask"])[0]

    seconds: dict[str, float] = {}
    vectors: dict[str, Vector] = {}
    for _ in range(_ROUNDS + 1):  # the first round only warms up
        # In turn, so that a busy moment hurts both.
        for name, encode in (("float32", run(float32)), ("bfloat16", run(bfloat16))):
            started = time.perf_counter()
            vectors[name] = encode()
            taken = time.perf_counter() - started
            seconds[name] = min(seconds.get(name, taken), taken)
    lengths = np.linalg.norm(vectors["float32"], axis=1) * np.linalg.norm(vectors["bfloat16"], axis=1)
    cosines = (vectors["float32"] * vectors["bfloat16"]).sum(axis=1) / lengths
    return choose(seconds["float32"], seconds["bfloat16"], float(cosines.min()))
