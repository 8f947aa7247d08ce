"""How well each sentence, item and row of the passages answers a question, by meaning, words and kind. Pure."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from retrieval.types import Passage
from tutor.allergen_cells import lists_allergens
from tutor.allergens import allergens_in, is_said_in
from tutor.amounts import asked_amount, is_for
from tutor.asking import (
    ABOUT_NOTHING,
    Wanted,
    asks_whether,
    defined_by,
    holds,
    lacked_in,
    rules,
    wanted_by,
)
from tutor.diets import avoided_by_people, diet_of, dish_words
from tutor.dish_answers import answers_for_dish, beside, is_of_dish_row, is_of_others, named_by
from tutor.labels import label_of
from tutor.lookups import columns_of_kind, holds_in_row, turns_round
from tutor.menu_tables import OF_ALL_ALLERGENS, decided_rows, is_of_allergen, leaves_open
from tutor.sections import heading_path_at, headings_of, is_merged
from tutor.subjects import subject_of
from tutor.things import named_things
from tutor.units import Unit, UnitKind, cut_units
from tutor.vocabulary import kin, says_the_opposite
from tutor.weights import ALL_WEIGHTS
from tutor.wording import compact, stems, word_count, word_key

FEW_WORDS = 5
_CODE = re.compile(r"(?<![\w.])(?:[a-z]{1,5}-?\d[\w-]*|\d+(?:\.\d+)+|\d{1,2}:\d{2})(?![\w])")
_PURPOSE = re.compile(r"\W*(?:\w{1,3}[.)]\W*)?para (?:poder )?(?P<verb>\w{3,}[aei]r(?:se|l[aeo]s?)?)\b")
_SENTENCE_ENDS = frozenset('.!?…:;»”")]')

APART = 11.0  # more than any unit may lie below the best and still be shown, see tutor.selecting
RARE = math.log(2)  # weight of a word that no more than half of the passages have
BELOW_TITLE = 0.6  # of a unit in a section below the one that the question repeats, beside 1 for one in it
SOME = 0.25  # of what the question's words tell: more than a word that stands everywhere
TELLING = 2  # words of a question for a certain sort of thing from which on a sentence that says all of them answers
KIN_WEIGHT = 0.7  # of another word for one of the question's, beside 1 for the word itself


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
    return cut_units(passage.text, headings=headings_of(passage))


def score_units(question: str, passages: Sequence[Passage], matches: Sequence[Sequence[Match]]) -> list[Choice]:
    """The passages' units that may answer, in reading order, scored. `matches` are those of `passage_units`."""
    return list(_Scorer(question, passages).choices(matches))


def best_of(choices: Sequence[Choice]) -> Choice:
    """The choice that answers best; of equals the first, in reading order."""
    return max(choices, key=lambda choice: (choice.score, -choice.passage, -choice.index))


def _set_apart(choices: Sequence[Choice]) -> list[Choice]:
    """The choices with those about something else so far below the best of the others that none is shown beside it."""
    about = [one.score for one in choices if not one.signals["off_subject"]]
    most = max(about, default=math.inf) - APART
    return [replace(one, score=min(one.score, most)) if one.signals["off_subject"] else one for one in choices]


def _keys(text: str) -> frozenset[str]:
    """What a text is compared by: its stems, its codes (E-4711, 1.4.4), written in one or not, and times of the day."""
    return stems(text) | frozenset(code.replace("-", "") for code in _CODE.findall(compact(text)))


def word_weights(question: str, texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """What each of the question's stems and codes tells: those that stand in few of the texts the more, as in BM25.

    Plain numbers are left out: «una devolución de 95 euros» is answered by a rule that speaks of «hasta 100 €».
    """
    count = len(texts)
    weights = {}
    for word in _keys(ABOUT_NOTHING.sub("", question)):
        if not word.isdigit():
            found = sum(word in text for text in texts)
            weights[word] = math.log(1 + (count - found + 0.5) / (found + 0.5))
    return weights


@dataclass(frozen=True, slots=True)
class _Above:
    """What the headings above a unit say: their words, those of the last, and what they name of the question's."""

    path: tuple[str, ...]
    words: frozenset[str]
    title: frozenset[str]
    allergens: frozenset[str]
    names_section: float
    is_thing: bool
    is_repeated: float
    lacks_the_same: bool


class _Scorer:
    def __init__(self, question: str, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self._question_key = word_key(question)
        self._places: dict[tuple[int, tuple[str, ...]], _Above] = {}
        self._wanted = wanted_by(question)
        self._amount = asked_amount(question)
        self._defined = defined_by(question)
        self._diet = diet_of(question)
        self._units = [passage_units(passage) for passage in passages]
        self._by_diet = decided_rows(self._diet, dish_words(question), self._units)
        self._subject = None if self._diet else subject_of(question)
        self._of_dish = self._subject is not None and self._subject.asks == "allergens"
        self._avoided = avoided_by_people(question)
        self._allergens = (self._subject and self._subject.allergens) or self._avoided or allergens_in(question)
        self._asks_whether = asks_whether(question)
        bodies = [_keys(" ".join((one.document_title, *headings_of(one), one.text))) for one in passages]
        self._weights = word_weights(question, bodies)
        self._total = sum(self._weights.values())
        self._asked = frozenset(self._weights)
        self._asked_stems = frozenset(word for word in stems(question) if not word.isdigit())
        self._turns = turns_round(question)
        self._figures = frozenset(key for key in _keys(question) if key.isdigit())
        self._lacked = lacked_in(question)  # «no tiene tique» asks for the section of returns «sin tique»
        most = max(self._weights.values(), default=0.0)
        self._things = named_things(question) & self._asked
        self._telling = [word for word, weight in self._weights.items() if weight >= most]

    def choices(self, matches: Sequence[Sequence[Match]]) -> list[Choice]:
        best = max((passage.score for passage in self._passages), default=0.0)
        found = []
        for number, (passage, units, of_units) in enumerate(zip(self._passages, self._units, matches, strict=True)):
            standing = passage.score / best if best > 0 else 1.0
            fits = [self._fits_amount(unit) for unit in units]
            # Where one row or sentence of a block is about the question's amount, the block's others are about another.
            decided = {unit.block for unit, is_for_amount in zip(units, fits, strict=True) if is_for_amount}
            by_diet = self._by_diet[number]
            for index, (unit, match) in enumerate(zip(units, of_units, strict=True)):
                if unit.may_answer and word_key(unit.text) and not self._repeats_question(unit):
                    signals = self._signals(number, index, match)
                    is_of_dish = self._of_dish and not signals["off_subject"] and is_of_dish_row(unit)
                    signals |= {
                        "of_diet": float(is_of_dish or index in by_diet.rows),
                        "is_asked_for": float(is_of_dish or self._names_kind(unit)),
                        "score": standing,
                        "holds_avoided": float(index in by_diet.refused),
                        "is_for": float(fits[index]),
                        "is_for_other": float(unit.block in decided and not fits[index]),
                    }
                    score = sum(weight * signals[name] for name, weight in ALL_WEIGHTS.items())
                    found.append(Choice(number, index, unit, score, signals))
        return _set_apart(found) if self._of_dish or self._avoided else found

    def _above(self, number: int, unit: Unit) -> _Above:
        """What stands above a unit, which may be of another section than its passage begins with."""
        path = heading_path_at(self._passages[number], unit.start)
        place = (number, path)
        if place not in self._places:
            titles = (self._passages[number].document_title, *path)
            title = path[-1] if path else ""
            self._places[place] = _Above(
                path=path,
                words=_keys(" ".join(titles)),
                title=stems(title),
                allergens=allergens_in(" / ".join(titles)),
                names_section=self._named_section(title),
                is_thing=is_merged(self._passages[number]) and frozenset() < stems(title) <= self._asked,
                is_repeated=self._repeated_title(path),
                lacks_the_same=not self._lacked.isdisjoint(lacked_in(title)),
            )
        return self._places[place]

    def _serves(self, unit: Unit) -> bool:
        """Whether a unit begins with what the question wants to do: «para apuntarse, rellena …»."""
        purpose = _PURPOSE.match(compact(unit.text))
        wanted = stems(purpose["verb"]) if purpose else frozenset()
        return bool(wanted) and wanted <= self._asked

    def _repeats_question(self, unit: Unit) -> bool:
        """Whether a unit is a line of the question's words: a heading that was taken for text."""
        return not unit.text.endswith(".") and word_key(unit.text) == self._question_key

    def _signals(self, number: int, index: int, match: Match) -> dict[str, float]:
        units = self._units[number]
        unit, above = units[index], self._above(number, units[index])
        headings = above.words
        support = support_of(self._passages[number], unit)
        text = support + unit.text
        around = " ".join([text, *(one.text for one in units[max(0, index - 1) : index + 2] if one is not unit)])
        words = _keys(text)
        words_around = _keys(around) | headings
        share_around = self._share(words_around)
        share = self._share(words)
        own = _keys(unit.text)
        label = frozenset(key for key in _keys(label_of(unit)) if not key.isdigit())
        is_named = self._names(unit, label)
        is_sentence = unit.kind is UnitKind.SENTENCE
        asks_for_type = self._wanted is not Wanted.ANYTHING
        in_row = holds_in_row(self._wanted, unit.header, unit.cells)
        # «Solo se admite tarjeta» is how a rule says no to «efectivo»: no opposite of what was asked.
        decides = self._asks_whether and rules(unit.text)
        said = words | above.title
        return {
            "similarity": match.similarity,
            "weakest": match.weakest,
            "around": match.around,
            "coverage": share,
            "coverage_around": share_around,
            "coverage_of_headings": self._share(headings - words),
            "information": self._total * share_around,
            "type": float(asks_for_type and (in_row or holds(self._wanted, unit.text))),
            "no_type": float(not in_row and not holds(self._wanted, text)),
            "open": float(not asks_for_type),
            "no_type_around": float(not in_row and not holds(self._wanted, around)),
            "is_short": float(word_count(unit.text) < FEW_WORDS),
            "is_row": float(unit.kind is UnitKind.ROW),
            "is_item": float(unit.kind is UnitKind.ITEM),
            "is_cut": float(is_sentence and unit.text[-1] not in _SENTENCE_ENDS),
            "introduces": float(unit.text.endswith(":")),
            "misses": float(not all(self._is_held(word, words_around) for word in self._telling)),
            "thing_missing": max(
                (self._weights[word] * (1 - self._is_held(word, words_around)) for word in self._things), default=0.0
            ),
            "own": self._share(own),
            "rules": float(decides),
            "opposite": float(not decides and says_the_opposite(self._asked, said)),
            "serves": float(not asks_for_type and self._serves(unit)),
            "defines": float(self._defined is not None and self._defined.match(compact(unit.text)) is not None),
            "is_named": float(above.is_thing or (is_named and (not unit.cells or self._tells(label)))),
            "is_looked_up": float(is_named and self._is_looked_up(unit, label, own | headings)),
            "says_all": float(
                len(self._asked) >= (TELLING if asks_for_type else TELLING + 1)
                and all(self._is_held(word, own) for word in self._asked)
            ),
            "section": above.names_section,
            "after_question": float(index - unit.lead - 1 if is_sentence and unit.lead is not None else 0),
            "is_titled": above.is_repeated,
            "lacks_the_same": float(above.lacks_the_same),
            "off_subject": float(not self._is_on_subject(units, index, support, above)),
        }

    def _is_on_subject(self, units: Sequence[Unit], index: int, support: str, above: _Above) -> bool:
        """Whether one of a passage's units is about the thing asked about: by its own words, those above it and its
        `support`, and a sentence by those of the one beside it.
        """
        unit = units[index]
        text = support + unit.text
        if self._subject is not None and self._of_dish:
            return answers_for_dish(self._subject, units, index, support=support, titles=above.path)
        if not self._diet:
            if self._allergens and leaves_open(self._allergens, unit):
                return False
            if self._avoided and is_of_others(self._avoided, unit):
                return False
            if self._subject is None:
                return True
            is_row = unit.kind is UnitKind.ROW
            headings = named_by(above.path, self._subject) if is_row and self._allergens else above.words
            around = [one.text for one in beside(units, index)] if unit.kind is UnitKind.SENTENCE else []
            near = " ".join([text, *around])
            return self._subject.is_in(_keys(near) | headings, near)
        # A list of dishes that says nothing of eggs is no list of those without.
        listed = list(zip(unit.header, unit.cells, strict=False))[1:]
        if any(lists_allergens(*cell) for cell in listed) and not is_of_allergen(unit):
            return True
        if unit.kind is UnitKind.SENTENCE and OF_ALL_ALLERGENS.search(compact(unit.text)):
            return True
        named = allergens_in(text) | above.allergens
        return all(is_said_in(allergen, named) for allergen in self._diet.allergens)

    def _fits_amount(self, unit: Unit) -> bool:
        """Whether the question's amount lies in the range that a row or sentence is about."""
        return self._amount is not None and bool(is_for(self._amount, unit.text))

    def _names(self, unit: Unit, label: frozenset[str]) -> bool:
        """Whether the question names the thing that an item is about, or a row in which it asks for a certain sort of
        thing: «la extensión de Mantenimiento».
        """
        is_open_row = unit.kind is UnitKind.ROW and self._wanted is Wanted.ANYTHING
        return bool(label) and label <= self._asked and not is_open_row

    def _names_kind(self, unit: Unit) -> bool:
        """Whether the question names what the rows of a table are: «¿Qué bebidas…?» in one of «Bebida»."""
        return not stems(" ".join(unit.header[:1])).isdisjoint(self._asked_stems)

    def _tells(self, label: frozenset[str]) -> bool:
        """Whether a row's name says which row it is: the first one of a table without a header bears a word that stands
        everywhere, «Producto».
        """
        return self._share(label) >= SOME or any(self._weights.get(word, 0.0) >= RARE for word in label)

    def _is_looked_up(self, unit: Unit, label: frozenset[str], around: frozenset[str]) -> bool:
        """Whether all else that the question says is the name of one column, whose cell holds the sort of thing that is
        asked for: no word of it may stand elsewhere in the row, and the column's name has no other. Its plain numbers
        stand in the row or above it («Elemento 3»).
        """
        if self._turns or not self._figures <= around:
            return False
        rest = self._asked - label - _keys(unit.header[0] if unit.header else "")
        return bool(rest) and any(
            _keys(name) == rest for name in columns_of_kind(self._wanted, unit.header, unit.cells)
        )

    def _named_section(self, title: str) -> float:
        """How far the question names a section by its title: 1 when that holds all of the question's words. Where a
        certain sort of thing is asked for the heading has to ask for it as well, and says nothing else: below
        «Vacaciones» stands more than how many there are.
        """
        words = frozenset(word for word in stems(title) if not word.isdigit())
        if self._wanted is not Wanted.ANYTHING and not (wanted_by(title) is self._wanted and words <= self._asked):
            return 0.0
        return self._share(words)

    def _repeated_title(self, path: Sequence[str]) -> float:
        """Whether the question says what the heading of a section says, or that of one around it, in which there are
        others: no word more or less; a certain sort of thing that is asked for the heading asks for as well.
        """
        for depth, title in enumerate(reversed(path)):
            words = frozenset(word for word in stems(title) if not word.isdigit())
            if words and words == self._asked_stems and self._wanted in (Wanted.ANYTHING, wanted_by(title)):
                return BELOW_TITLE if depth else 1.0
        return 0.0

    def _share(self, words: frozenset[str]) -> float:
        """The share of what the question's words tell that these words hold, or others for the same."""
        held = sum(weight * self._is_held(word, words) for word, weight in self._weights.items())
        return held / self._total if self._total else 0.0

    @staticmethod
    def _is_held(word: str, words: frozenset[str]) -> float:
        """1 when the words hold this one, less when they hold another for the same, 0 when neither."""
        if word in words:
            return 1.0
        return 0.0 if words.isdisjoint(kin(word)) else KIN_WEIGHT


def support_of(passage: Passage, unit: Unit) -> str:
    """What introduces a unit or names a row's cells, with a space behind it; empty for other units."""
    return "" if unit.support is None else passage.text[slice(*unit.support)] + " "
