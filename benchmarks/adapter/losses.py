"""What is to become small: how far questions are from what answers them, and how near to what only seems to."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, normalize

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
    """How the losses are made: temperatures of both rankings; what keeping the old vectors and near misses count."""

    passage_temperature: float = 0.02
    unit_temperature: float = 0.025
    keeping: float = 2.0
    misses: float = 0.3


class Encoded(NamedTuple):
    """Texts as the model sees them. `own` marks the tokens of a text itself, without its prefix and its head."""

    vectors: Tensor  # (texts, dimensions), unit length
    tokens: Tensor  # (texts, longest, dimensions), unit length each
    own: Tensor  # (texts, longest), booleans
    starts: Tensor  # (texts, longest): where each token begins, in characters of prefix, head and text


class Losses(NamedTuple):
    """Losses of a batch, and what became of its questions.

    `passage_first` and `unit_first` are shares of the questions with an answer. Without near misses in the batch there
    is neither `miss`, their loss, nor `answered_higher`: how well the best unit's score tells them apart.
    """

    passage: Tensor
    unit: Tensor
    moved: Tensor
    passage_first: Tensor
    unit_first: Tensor
    miss: Tensor | None = None
    answered_higher: Tensor | None = None

    def total(self, weighing: Weighing) -> Tensor:
        total = self.passage + self.unit + weighing.keeping * self.moved
        return total if self.miss is None else total + weighing.misses * self.miss

    def figures(self) -> list[float]:
        """In the order of the fields; NaN for what the batch does not have."""
        return [math.nan if value is None else float(value.detach()) for value in self]


class Answerability(nn.Module):
    """Whether there is an answer, as a logit, by a score. What it takes is learnt, and only training needs it."""

    def __init__(self, *, threshold: float = 0.85, log_sharpness: float = 3.0) -> None:
        super().__init__()
        self.threshold = nn.Parameter(torch.tensor(threshold))
        self.log_sharpness = nn.Parameter(torch.tensor(log_sharpness))

    def forward(self, scores: Tensor) -> Tensor:
        return (scores - self.threshold) * self.log_sharpness.exp()


class Learner:
    """A model with adapters, and the losses of what it makes of a batch."""

    def __init__(
        self, model: "BertModel", tokenizer: "PreTrainedTokenizerBase", adapter: Adapter, weighing: Weighing
    ) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._adapter = adapter
        self._weighing = weighing
        self.answerability = Answerability()

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
        has_answer = right_units.any(1)

        miss = answered_higher = None
        if not has_answer.all():
            sources = torch.tensor(batch.sources)
            best = best_of_own(scores, sources[unit_passages(first_units)], sources[right_passage])
            miss = balanced_loss(self.answerability(best), has_answer)
            answered_higher = share_higher(best, has_answer)

        moved = torch.zeros(())
        if is_learning:
            with torch.no_grad(), self._adapter.switched_off():
                asked_before = self._encoded(QUESTION_PREFIX, questions, [0] * len(questions)).vectors
                found_before = self._encoded(PASSAGE_PREFIX, passages, [0] * len(passages)).vectors
            moved = distance(asked.vectors, asked_before) + distance(found.vectors, found_before)
        return Losses(
            passage=cross_entropy(
                (cosines / self._weighing.passage_temperature)[has_answer], right_passage[has_answer]
            ),
            unit=any_of((scores / self._weighing.unit_temperature)[has_answer], right_units[has_answer]),
            moved=moved,
            passage_first=(cosines.argmax(1) == right_passage)[has_answer].float().mean(),
            unit_first=right_units.gather(1, scores.argmax(1, keepdim=True))[has_answer].float().mean(),
            miss=miss,
            answered_higher=answered_higher,
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


def unit_passages(first_units: Sequence[int]) -> Tensor:
    """The passage of each unit, by what `numbered_units` tells of the first ones."""
    counts = torch.tensor(first_units).diff()
    return torch.arange(len(counts)).repeat_interleave(counts)


def best_of_own(scores: Tensor, unit_sources: Tensor, question_sources: Tensor) -> Tensor:
    """Each question's best score among the units of its own source: those of others differ by their subject already."""
    return scores.masked_fill(question_sources[:, None] != unit_sources, _WORST_COSINE).amax(1)


def balanced_loss(logits: Tensor, has_answer: Tensor) -> Tensor:
    """Binary cross-entropy of whether there is an answer; those that have one weigh as much as those that have none."""
    answered = has_answer.sum()
    weight = (len(has_answer) - answered) / answered
    return binary_cross_entropy_with_logits(logits, has_answer.float(), pos_weight=weight)


def share_higher(scores: Tensor, has_answer: Tensor) -> Tensor:
    """The share of pairs of a question with an answer and one without in which the first scores higher."""
    return (scores[has_answer][:, None] > scores[~has_answer]).float().mean()


def distance(now: Tensor, before: Tensor) -> Tensor:
    """One minus the mean cosine of unit vectors, row by row."""
    return (1 - (now * before).sum(-1)).mean()
