"""What is to become small: how far questions are from the passages and the units that answer them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, normalize

from benchmarks.adapter.low_rank import Adapter
from benchmarks.adapter.samples import Batch, Span

if TYPE_CHECKING:
    from transformers import BertModel, PreTrainedTokenizerBase

QUESTION_PREFIX: Final = "query: "
PASSAGE_PREFIX: Final = "passage: "
MAX_TOKENS: Final = 320  # of a text in training; longer ones are rare there and cost much
_NO_UNIT: Final = -1
_WORST_COSINE: Final = -1.0
_NEVER: Final = -1e9


@dataclass(frozen=True, slots=True)
class Weighing:
    """How the losses are made: temperatures of both rankings, and what keeping the old vectors counts."""

    passage_temperature: float = 0.02
    unit_temperature: float = 0.025
    keeping: float = 2.0


class Encoded(NamedTuple):
    """Texts as the model sees them. `own` marks the tokens of a text itself, without its prefix and its head."""

    vectors: Tensor  # (texts, dimensions), unit length
    tokens: Tensor  # (texts, longest, dimensions), unit length each
    own: Tensor  # (texts, longest), booleans
    starts: Tensor  # (texts, longest): where each token begins, in characters of prefix, head and text


class Losses(NamedTuple):
    """Losses of a batch, and the shares of its questions whose passage, whose unit, came first."""

    passage: Tensor
    unit: Tensor
    moved: Tensor
    passage_first: Tensor
    unit_first: Tensor

    def total(self, weighing: Weighing) -> Tensor:
        return self.passage + self.unit + weighing.keeping * self.moved

    def figures(self) -> list[float]:
        return [float(value.detach()) for value in self]


class Learner:
    """A model with adapters, and the losses of what it makes of a batch."""

    def __init__(
        self, model: "BertModel", tokenizer: "PreTrainedTokenizerBase", adapter: Adapter, weighing: Weighing
    ) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._adapter = adapter
        self._weighing = weighing

    def losses(self, batch: Batch, *, is_learning: bool = True) -> Losses:
        """`moved` is 0 unless learning: the model as it was is asked a second time for it."""
        questions = [question.text for question in batch.questions]
        passages = [passage.headed_text for passage in batch.passages]
        heads = [len(PASSAGE_PREFIX) + len(passage.head) for passage in batch.passages]
        asked = self._encoded(QUESTION_PREFIX, questions, [len(QUESTION_PREFIX)] * len(questions))
        found = self._encoded(PASSAGE_PREFIX, passages, heads)

        right_passage = torch.tensor([question.passage for question in batch.questions])
        cosines = asked.vectors @ found.vectors.T
        unit_numbers, first_units = numbered_units(found, [passage.units for passage in batch.passages], heads)
        unit_count = first_units[-1]
        scores = unit_scores(asked, found, unit_numbers, unit_count)
        right_units = torch.zeros(len(questions), unit_count, dtype=torch.bool)
        for row, question in enumerate(batch.questions):
            right_units[row, [first_units[question.passage] + unit for unit in question.units]] = True

        moved = torch.zeros(())
        if is_learning:
            with torch.no_grad(), self._adapter.switched_off():
                asked_before = self._encoded(QUESTION_PREFIX, questions, [0] * len(questions)).vectors
                found_before = self._encoded(PASSAGE_PREFIX, passages, [0] * len(passages)).vectors
            moved = distance(asked.vectors, asked_before) + distance(found.vectors, found_before)
        return Losses(
            passage=cross_entropy(cosines / self._weighing.passage_temperature, right_passage),
            unit=any_of(scores / self._weighing.unit_temperature, right_units),
            moved=moved,
            passage_first=(cosines.argmax(1) == right_passage).float().mean(),
            unit_first=right_units.gather(1, scores.argmax(1, keepdim=True)).float().mean(),
        )

    def _encoded(self, prefix: str, texts: Sequence[str], heads: Sequence[int]) -> Encoded:
        """`heads`: the characters before each text's own words, prefix included."""
        inputs = self._tokenizer(
            [prefix + text for text in texts],
            return_tensors="pt",
            padding=True,
            truncation=True,
            max_length=MAX_TOKENS,
            return_offsets_mapping=True,
        )
        offsets = inputs.pop("offset_mapping")
        with torch.autocast("cpu", dtype=torch.bfloat16):
            states = self._model(**inputs).last_hidden_state
        states = states.float()
        mask = inputs["attention_mask"].bool()
        means = (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        own = mask & (offsets[..., 1] > torch.tensor(heads)[:, None])
        return Encoded(normalize(means, dim=-1), normalize(states, dim=-1), own, offsets[..., 0])


def numbered_units(found: Encoded, units: Sequence[Sequence[Span]], heads: Sequence[int]) -> tuple[Tensor, list[int]]:
    """The number of the unit that each token begins in, -1 outside of all; units count on from passage to passage.

    The second: the number of each passage's first unit and, as its last entry, how many units there are.
    """
    numbers = torch.full(found.own.shape, _NO_UNIT)
    firsts = [0]
    for row, (spans, head) in enumerate(zip(units, heads, strict=True)):
        starts = found.starts[row]
        for at, (first, last) in enumerate(spans):
            # A word's token begins with the space before it, which belongs to the unit that the word begins.
            inside = (starts >= head + first - 1) & (starts < head + last) & found.own[row]
            numbers[row, inside] = firsts[-1] + at
        firsts.append(firsts[-1] + len(spans))
    return numbers, firsts


def unit_scores(asked: Encoded, found: Encoded, unit_numbers: Tensor, unit_count: int) -> Tensor:
    """Late interaction, shape (questions, units): the mean over a question's tokens of the best cosine in a unit."""
    inside = unit_numbers != _NO_UNIT
    cosines = torch.einsum("qtd,rd->qtr", asked.tokens, found.tokens[inside])
    places = unit_numbers[inside].expand(*cosines.shape[:2], -1)
    best = torch.full((*cosines.shape[:2], unit_count), _WORST_COSINE).scatter_reduce(2, places, cosines, "amax")
    own = asked.own.float()
    return (best * own[..., None]).sum(1) / own.sum(1, keepdim=True)


def any_of(logits: Tensor, right: Tensor) -> Tensor:
    """Cross-entropy where any of several is right: -log of the share that the right ones have together."""
    return -(torch.logsumexp(logits.masked_fill(~right, _NEVER), 1) - torch.logsumexp(logits, 1)).mean()


def distance(now: Tensor, before: Tensor) -> Tensor:
    """One minus the mean cosine of unit vectors, row by row."""
    return (1 - (now * before).sum(-1)).mean()
