"""Teach the bundled embedder to find a manual's formal words by everyday ones: a low-rank adapter, trained on a CPU.

    python benchmarks/adapter/train.py --out FILE.safetensors [--folder DIR] [--hold FIELD | none] [--articles FILE]
        [--misses WEIGHT] [--start FILE.safetensors] [--steps N] [--stop-at STEP]

Learns from the manuals and questions in benchmarks/data/everyday, all fields but the one held out; with --articles,
one step in five, from a file in SQuAD's layout. Questions and passages are both trained: the softmax of the right
passage among the batch's, that of the right sentence by late interaction, and how far the vectors move; and, unless
--misses is 0, whether there is an answer at all, by questions that only seem to have one. Every ten steps it prints
the means of the losses, the shares of questions whose passage, whose sentence, came first, and the share of pairs in
which a question with an answer scored higher than one without; every forty the same for the field held out. The same
seed on the same machine gives the same file.

--start goes on from a file that --out wrote. --stop-at ends before the learning rate has fallen to zero.

--folder also writes the model with the adapter in its weights, as `rank.py --model` reads it.
"""

import argparse
import math
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
HELD_OUT_SEED, HELD_OUT_MISSES_SEED, HELD_OUT_BATCHES = 9, 10, 5
STEP_SEEDS = 1_000  # for the steps of one seed: a step's batch does not depend on the steps before
WARM_UP = 10  # steps
SHOW_EVERY, CHECKPOINT_EVERY = 10, 40
WEIGHT_DECAY, LONGEST_GRADIENT = 0.01, 1.0
ANSWERABILITY_RATE = 3e-3  # two numbers, which have to follow the adapter's scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="write the whole model, too; must not exist")
    parser.add_argument("--hold", choices=(*FIELDS, ALL_FIELDS), default=FIELDS[-1], help="field to measure on")
    parser.add_argument("--articles", type=Path, metavar="FILE", help="questions in SQuAD's layout")
    parser.add_argument("--article-share", type=float, default=0.2, help="of the steps, when there are articles")
    parser.add_argument("--misses", type=float, default=Weighing().misses, metavar="WEIGHT", help="of their loss")
    parser.add_argument("--start", type=Path, metavar="FILE", help="an adapter to go on from, as --out writes it")
    parser.add_argument("--steps", type=int, default=120, help="after which the learning rate is zero")
    parser.add_argument("--stop-at", type=int, metavar="STEP", help="the last step, if not that of --steps")
    parser.add_argument("--rate", type=float, default=4e-4, help="highest learning rate")
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    if options.folder and options.folder.exists():
        parser.error(f"{options.folder} exists")
    if options.start and not options.start.is_file():
        parser.error(f"{options.start} is not there")
    last = options.steps if options.stop_at is None else options.stop_at
    if not 0 < last <= options.steps:
        parser.error("--stop-at is a step from 1 to --steps")

    torch.set_num_threads(options.threads)
    base = e5_folder(name=PLAIN_NAME)
    model = BertModel.from_pretrained(base, add_pooling_layer=False)  # evaluates: without dropout, as it is used
    torch.manual_seed(options.seed)
    adapter = Adapter(model, rank=options.rank)
    if options.start:
        try:
            adapter.load(options.start)
        except ValueError as error:
            parser.error(str(error))
    weighing = Weighing(misses=options.misses)
    learner = Learner(model, AutoTokenizer.from_pretrained(base), adapter, weighing)

    sources = everyday_sources()
    held_out = [source for source in sources if source.field == options.hold]
    learnt = [source for source in sources if source.field != options.hold]
    articles = article_sources(options.articles) if options.articles else []
    print(f"{len(learnt)} manuals and {len(articles)} articles to learn from, {len(held_out)} manuals held out")

    def losses_of(step: int) -> Losses:
        chance = random.Random(STEP_SEEDS * (options.seed + 1) + step)
        is_of_articles = chance.random() < options.article_share and articles
        if is_of_articles:
            return learner.losses(drawn(articles, ARTICLES, chance))
        return learner.losses(drawn(learnt, MANUALS, chance, chance if options.misses else None))

    def checkpoint() -> None:
        if held_out:
            show("held out", held_out_figures(learner, held_out))
        adapter.save(options.out)

    checkpoint()  # the model as it was, to compare with; a path that cannot be written is told before the hours of work
    optimizer = torch.optim.AdamW(
        [
            {"params": adapter.parameters, "weight_decay": WEIGHT_DECAY},
            {"params": learner.answerability.parameters(), "lr": ANSWERABILITY_RATE, "weight_decay": 0.0},
        ],
        lr=options.rate,
    )
    train(adapter, optimizer, losses_of, weighing, steps=options.steps, last=last, checkpoint=checkpoint)
    if options.folder:
        write_merged_folder(options.folder, model=base, adapter=options.out)


def train(
    adapter: Adapter,
    optimizer: torch.optim.Optimizer,
    losses_of: Callable[[int], Losses],
    weighing: Weighing,
    *,
    steps: int,
    last: int,
    checkpoint: Callable[[], None],
) -> None:
    """Train up to the `last` step. Rates rise over the first steps and then fall in a line, to zero after `steps`.

    `checkpoint` is called every so many steps, and after the last one.
    """
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate_share(step, steps))
    started = time.perf_counter()
    recent: list[list[float]] = []
    for step in range(last):
        losses = losses_of(step)
        optimizer.zero_grad()
        losses.total(weighing).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(adapter.parameters, LONGEST_GRADIENT)
        optimizer.step()
        schedule.step()
        recent.append(losses.figures())
        done = step + 1
        if done % SHOW_EVERY == 0:
            show(f"{done:4} {time.perf_counter() - started:6.0f} s", recent[-SHOW_EVERY:])
        if done % CHECKPOINT_EVERY == 0 or done == last:
            checkpoint()


def rate_share(step: int, steps: int) -> float:
    """The share of the highest learning rate that a step, counted from 0, is made with."""
    return min(1.0, (step + 1) / WARM_UP) * max(0.0, 1 - step / steps)


def held_out_figures(learner: Learner, sources: Sequence[Source]) -> list[list[float]]:
    """The figures of batches that are the same at every call; near misses are among them, learnt from or not."""
    chance, miss_chance = random.Random(HELD_OUT_SEED), random.Random(HELD_OUT_MISSES_SEED)
    with torch.no_grad():
        batches = [drawn(sources, HELD_OUT, chance, miss_chance) for _ in range(HELD_OUT_BATCHES)]
        return [learner.losses(batch, is_learning=False).figures() for batch in batches]


def show(label: str, figures: Sequence[Sequence[float]]) -> None:
    """Print each figure's mean over the batches that have it."""
    means = []
    for name, column in zip(Losses._fields, zip(*figures, strict=True), strict=True):
        values = [value for value in column if not math.isnan(value)]
        if values:
            means.append(f"{name} {np.mean(values):.4f}")
    print(label, *means, flush=True)


if __name__ == "__main__":
    main()
