"""How well each sentence, item and row of the passages answers a question, by meaning, words and kind. Pure."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from retrieval.types import Passage
from tutor.asking import Wanted, holds, wanted_by
from tutor.units import Unit, UnitKind, cut_units
from tutor.wording import compact, stems, word_count

FEW_WORDS = 5
_CODE = re.compile(r"(?<![\w.])(?:[a-z]{1,5}-?\d[\w-]*|\d+(?:\.\d+)+)(?![\w])")
_SENTENCE_ENDS = frozenset('.!?…:;»”")]')

# Learned by benchmarks/calibrate_answers.py: how much more likely a unit is to be the one that answers.
WEIGHTS: Mapping[str, float] = {
    "similarity": 38.8,
    "weakest": 23.0,
    "around": 54.6,
    "coverage": 4.6,
    "coverage_around": 2.7,
    "coverage_of_headings": 7.9,
    "score": 2.1,
    "type": 2.4,
    "no_type": -1.5,
    "is_short": -4.0,
    "is_row": -1.0,
    "is_item": -0.3,
    "is_cut": -0.2,
    "introduces": -1.3,
}


@dataclass(frozen=True, slots=True)
class Match:
    """How near a unit's meaning is to the question's, in [0, 1]: by itself, by the third of the question's tokens
    that fare worst, and together with its neighbours."""

    similarity: float = 0.0
    weakest: float = 0.0
    around: float = 0.0


@dataclass(frozen=True, slots=True)
class Choice:
    """A unit that may go into the answer: `passage` and `index` say which, `score` how well it answers."""

    passage: int
    index: int
    unit: Unit
    score: float
    signals: Mapping[str, float]


def passage_units(passage: Passage) -> tuple[Unit, ...]:
    """The units of a passage, in the order in which their matches are given."""
    return cut_units(passage.text, headings=passage.heading_path)


def score_units(question: str, passages: Sequence[Passage], matches: Sequence[Sequence[Match]]) -> list[Choice]:
    """The passages' units but for headings, in reading order, scored. `matches` are those of `passage_units`."""
    return list(_Scorer(question, passages).choices(matches))


def _keys(text: str) -> frozenset[str]:
    """What a text is compared by: its stems and its codes (E-4711, 1.4.4)."""
    return stems(text) | frozenset(_CODE.findall(compact(text)))


def word_weights(question: str, texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """What each of the question's stems and codes tells: those that stand in few of the texts the more, as in BM25.

    Plain numbers are left out: «una devolución de 95 euros» is answered by a rule that speaks of «hasta 100 €».
    """
    count = len(texts)
    weights = {}
    for word in _keys(question):
        if not word.isdigit():
            found = sum(word in text for text in texts)
            weights[word] = math.log(1 + (count - found + 0.5) / (found + 0.5))
    return weights


class _Scorer:
    def __init__(self, question: str, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self._wanted = wanted_by(question)
        self._headings = [_keys(" ".join((one.document_title, *one.heading_path))) for one in passages]
        bodies = [_keys(one.text) | headings for one, headings in zip(passages, self._headings, strict=True)]
        self._weights = word_weights(question, bodies)
        self._total = sum(self._weights.values())

    def choices(self, matches: Sequence[Sequence[Match]]) -> list[Choice]:
        best = max((passage.score for passage in self._passages), default=0.0)
        found = []
        for number, (passage, of_units) in enumerate(zip(self._passages, matches, strict=True)):
            units = passage_units(passage)
            standing = passage.score / best if best > 0 else 1.0
            for index, (unit, match) in enumerate(zip(units, of_units, strict=True)):
                if unit.kind is not UnitKind.HEADING and any(map(str.isalnum, unit.text)):
                    signals = self._signals(number, units, index, match) | {"score": standing}
                    score = sum(weight * signals[name] for name, weight in WEIGHTS.items())
                    found.append(Choice(number, index, unit, score, signals))
        return found

    def _signals(self, number: int, units: Sequence[Unit], index: int, match: Match) -> dict[str, float]:
        unit, headings = units[index], self._headings[number]
        text = support_of(self._passages[number], unit) + unit.text
        around = " ".join([text, *(one.text for one in units[max(0, index - 1) : index + 2] if one is not unit)])
        words = _keys(text)
        words_around = _keys(around) | headings
        asks_for_type = self._wanted is not Wanted.ANYTHING
        return {
            "similarity": match.similarity,
            "weakest": match.weakest,
            "around": match.around,
            "coverage": self._share(words),
            "coverage_around": self._share(words_around),
            "coverage_of_headings": self._share(headings - words),
            "information": self._total * self._share(words_around),
            "type": float(asks_for_type and holds(self._wanted, unit.text)),
            "no_type": float(asks_for_type and not holds(self._wanted, text)),
            "no_type_around": float(asks_for_type and not holds(self._wanted, around)),
            "is_short": float(word_count(unit.text) < FEW_WORDS),
            "is_row": float(unit.kind is UnitKind.ROW),
            "is_item": float(unit.kind is UnitKind.ITEM),
            "is_cut": float(unit.kind is UnitKind.SENTENCE and unit.text[-1] not in _SENTENCE_ENDS),
            "introduces": float(unit.text.endswith(":")),
        }

    def _share(self, words: frozenset[str]) -> float:
        """The share of what the question's words tell that these words hold."""
        held = sum(weight for word, weight in self._weights.items() if word in words)
        return held / self._total if self._total else 0.0


def support_of(passage: Passage, unit: Unit) -> str:
    """What introduces a list item or names a row's cells, with a space behind it; empty for other units."""
    return "" if unit.support is None else passage.text[slice(*unit.support)] + " "
