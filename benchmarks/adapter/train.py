"""Teach the bundled embedder to find a manual's formal words by everyday ones: a low-rank adapter, trained on a CPU.

    python benchmarks/adapter/train.py --out FILE.safetensors [--folder DIR] [--hold FIELD | none] [--articles FILE]

Learns from the manuals and questions in benchmarks/data/everyday, all fields but the one held out; with --articles,
one step in five, from a file in SQuAD's layout. Questions and passages are both trained: the softmax of the right
passage among the batch's, that of the right sentence by late interaction, and how far the vectors move. Every ten
steps it prints the means of the three losses and the shares of questions whose passage, whose sentence, came first;
every forty the same for the field held out. The same seed on the same machine gives the same file.

--folder also writes the model with the adapter in its weights, as `rank.py --model` reads it.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402 - the path has to be set first
import torch  # noqa: E402
from transformers import AutoTokenizer, BertModel  # noqa: E402

from benchmarks.adapter.losses import Learner, Losses, Weighing  # noqa: E402
from benchmarks.adapter.low_rank import Adapter, write_merged_folder  # noqa: E402
from benchmarks.adapter.samples import (  # noqa: E402
    FIELDS,
    BatchSize,
    Source,
    article_sources,
    drawn,
    everyday_sources,
)
from skillnet.embedded.weights import PLAIN_NAME, e5_folder  # noqa: E402

ALL_FIELDS = "none"
MANUALS = BatchSize(sources=6, passages=9, questions=8)
ARTICLES = BatchSize(sources=3, passages=12, questions=12)
HELD_OUT = BatchSize(sources=6, passages=9, questions=16)
HELD_OUT_SEED, HELD_OUT_BATCHES = 9, 5
STEP_SEEDS = 1_000  # for the steps of one seed: a step's batch does not depend on the steps before
WARM_UP = 10  # steps
SHOW_EVERY, CHECKPOINT_EVERY = 10, 40
WEIGHT_DECAY, LONGEST_GRADIENT = 0.01, 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="write the whole model, too; must not exist")
    parser.add_argument("--hold", choices=(*FIELDS, ALL_FIELDS), default=FIELDS[-1], help="field to measure on")
    parser.add_argument("--articles", type=Path, metavar="FILE", help="questions in SQuAD's layout")
    parser.add_argument("--article-share", type=float, default=0.2, help="of the steps, when there are articles")
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--rate", type=float, default=4e-4, help="highest learning rate")
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    if options.folder and options.folder.exists():
        parser.error(f"{options.folder} exists")

    torch.set_num_threads(options.threads)
    base = e5_folder(name=PLAIN_NAME)
    model = BertModel.from_pretrained(base, add_pooling_layer=False)  # evaluates: without dropout, as it is used
    torch.manual_seed(options.seed)
    adapter = Adapter(model, rank=options.rank)
    weighing = Weighing()
    learner = Learner(model, AutoTokenizer.from_pretrained(base), adapter, weighing)

    sources = everyday_sources()
    held_out = [source for source in sources if source.field == options.hold]
    learnt = [source for source in sources if source.field != options.hold]
    articles = article_sources(options.articles) if options.articles else []
    print(f"{len(learnt)} manuals and {len(articles)} articles to learn from, {len(held_out)} manuals held out")

    def losses_of(step: int) -> Losses:
        chance = random.Random(STEP_SEEDS * (options.seed + 1) + step)
        is_of_articles = chance.random() < options.article_share and articles
        return learner.losses(drawn(articles, ARTICLES, chance) if is_of_articles else drawn(learnt, MANUALS, chance))

    def checkpoint() -> None:
        if held_out:
            show("held out", held_out_figures(learner, held_out))
        adapter.save(options.out)

    checkpoint()  # the model as it was, to compare with; a path that cannot be written is told before the hours of work
    train(adapter, losses_of, weighing, steps=options.steps, rate=options.rate, checkpoint=checkpoint)
    if options.folder:
        write_merged_folder(options.folder, model=base, adapter=options.out)


def train(
    adapter: Adapter,
    losses_of: Callable[[int], Losses],
    weighing: Weighing,
    *,
    steps: int,
    rate: float,
    checkpoint: Callable[[], None],
) -> None:
    """Train the adapter by AdamW; the rate rises over the first steps and then falls in a line to zero.

    `checkpoint` is called every so many steps, and after the last one.
    """
    parameters = adapter.parameters
    optimizer = torch.optim.AdamW(parameters, lr=rate, weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate_share(step, steps))
    started = time.perf_counter()
    recent: list[list[float]] = []
    for step in range(steps):
        losses = losses_of(step)
        optimizer.zero_grad()
        losses.total(weighing).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(parameters, LONGEST_GRADIENT)
        optimizer.step()
        schedule.step()
        recent.append(losses.figures())
        done = step + 1
        if done % SHOW_EVERY == 0:
            show(f"{done:4} {time.perf_counter() - started:6.0f} s", recent[-SHOW_EVERY:])
        if done % CHECKPOINT_EVERY == 0 or done == steps:
            checkpoint()


def rate_share(step: int, steps: int) -> float:
    """The share of the highest learning rate that a step, counted from 0, is made with."""
    return min(1.0, (step + 1) / WARM_UP) * max(0.0, 1 - step / steps)


def held_out_figures(learner: Learner, sources: Sequence[Source]) -> list[list[float]]:
    """The figures of batches that are the same at every call."""
    chance = random.Random(HELD_OUT_SEED)
    with torch.no_grad():
        batches = [drawn(sources, HELD_OUT, chance) for _ in range(HELD_OUT_BATCHES)]
        return [learner.losses(batch, is_learning=False).figures() for batch in batches]


def show(label: str, figures: Sequence[Sequence[float]]) -> None:
    named = zip(Losses._fields, np.mean(figures, axis=0), strict=True)
    print(label, *(f"{name} {value:.4f}" for name, value in named), flush=True)


if __name__ == "__main__":
    main()
