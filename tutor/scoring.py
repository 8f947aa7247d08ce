"""How well each sentence, item and row of the passages answers a question, by meaning, words and kind. Pure."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from retrieval.types import Passage
from tutor.amounts import asked_amount, is_for
from tutor.asked_about import AskedAbout
from tutor.asking import Wanted, asks_whether, defined_by, holds, rules, wanted_by
from tutor.cell_lookups import PART, WHOLE
from tutor.clauses import asked_clause, is_clause
from tutor.cutting import passage_units
from tutor.diets import dish_words
from tutor.dish_answers import is_of_dish_row
from tutor.headings_above import Headings
from tutor.lookups import holds_in_row
from tutor.menu_tables import decided_rows
from tutor.priced_rows import is_priced_row
from tutor.range_columns import decided_by_range
from tutor.row_lookups import RowLookups, label_keys, tables_of
from tutor.sections import headings_of
from tutor.things import named_things
from tutor.timetables import asks_timetable, is_timetable, opened_things
from tutor.units import Unit, UnitKind
from tutor.vocabulary import says_the_opposite
from tutor.weights import ALL_WEIGHTS
from tutor.word_weights import SOME, AskedWords, is_held, keys_of, names_unknown_code
from tutor.wording import asks_how, compact, stems, word_count, word_key

FEW_WORDS = 5
_PURPOSE = re.compile(r"\W*(?:\w{1,3}[.)]\W*)?para (?:poder )?(?P<verb>\w{3,}[aei]r(?:se|l[aeo]s?)?)\b")
_SENTENCE_ENDS = frozenset('.!?…:;»”")]')

APART = 11.0  # more than any unit may lie below the best and still be shown, see tutor.selecting
BELOW_NAMED = 6.0  # of a row that says no word of the question, where another of its table does
COMPARED = 6  # units that are embedded once more, each by itself
WITHIN = 2.0  # of the best one: what lies farther behind hardly ever comes first by it, and each costs time
TELLING = 2  # words of a question for a certain sort of thing from which on a sentence that says all of them answers


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


def score_units(question: str, passages: Sequence[Passage], matches: Sequence[Sequence[Match]]) -> list[Choice]:
    """The passages' units that may answer, in reading order, scored. `matches` are those of `passage_units`."""
    return list(_Scorer(question, passages).choices(matches))


def best_of(choices: Sequence[Choice]) -> Choice:
    """The choice that answers best; of equals the first, in reading order."""
    return max(choices, key=lambda choice: (choice.score, -choice.passage, -choice.index))


def to_compare(choices: Sequence[Choice]) -> list[Choice]:
    """The choices that are worth being looked at by themselves, best first: those about what was asked that the best
    does not leave far behind. None where it is alone.
    """
    about = sorted((one for one in choices if not one.signals["off_subject"]), key=lambda one: -one.score)
    near = [one for one in about[:COMPARED] if one.score >= about[0].score - WITHIN]
    return near if len(near) > 1 else []


def compared(choices: Sequence[Choice], few: Sequence[Choice], cosines: Sequence[float]) -> list[Choice]:
    """The choices, the score of those few raised by how much nearer the question each is, by itself, than the farthest
    of them. `cosines` are theirs.
    """
    nearness = {(one.passage, one.index): cosine for one, cosine in zip(few, cosines, strict=True)}
    least = min(cosines, default=0.0)
    raised = []
    for one in choices:
        cosine = nearness.get((one.passage, one.index))
        if cosine is None:
            raised.append(one)
        else:
            score = one.score + ALL_WEIGHTS["alone"] * (cosine - least)
            raised.append(replace(one, score=score, signals={**one.signals, "alone": cosine}))
    return raised


def _set_apart(choices: Sequence[Choice]) -> list[Choice]:
    """The choices with those about something else so far below the best of the others that none is shown beside it."""
    about = [one.score for one in choices if not one.signals["off_subject"]]
    most = max(about, default=math.inf) - APART
    return [replace(one, score=min(one.score, most)) if one.signals["off_subject"] else one for one in choices]


def _below_named(choices: Sequence[Choice]) -> list[Choice]:
    """The choices, the rows that say no word of the question below those of their table that do: a row may be near in
    meaning that is about another thing.
    """
    most: dict[tuple[int, int], float] = {}
    for one in choices:
        if one.unit.kind is UnitKind.ROW:
            table = (one.passage, one.unit.block)
            most[table] = max(most.get(table, 0.0), one.signals["own"])
    return [
        replace(one, score=one.score - BELOW_NAMED)
        if one.unit.kind is UnitKind.ROW
        and not (one.signals["own"] or one.signals["is_for"])
        and most[(one.passage, one.unit.block)] >= SOME
        else one
        for one in choices
    ]


class _Scorer:
    def __init__(self, question: str, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self._question = question
        self._question_key = word_key(question)
        self._wanted = wanted_by(question)
        self._clause = asked_clause(question)
        self._amount = asked_amount(question)
        self._defined = defined_by(question)
        self._asks_whether = asks_whether(question)
        self._wants_way = asks_how(question) or not self._asks_whether
        self._units = [passage_units(passage) for passage in passages]
        self._about = AskedAbout(question)
        self._by_diet = decided_rows(self._about.diet, dish_words(question), self._units)
        texts = [" ".join((one.document_title, *headings_of(one), one.text)) for one in passages]
        self._asked = AskedWords(question, [keys_of(text) for text in texts])
        self._names_unknown_code = names_unknown_code(question, texts)
        self._things = named_things(question) & self._asked.all
        self._opened = opened_things(self._asked.all) if asks_timetable(question) else None
        self._rows = RowLookups(question, self._asked.all)
        self._tables = [tables_of(units) for units in self._units]
        self._headings = Headings(question, passages, self._asked)

    def choices(self, matches: Sequence[Sequence[Match]]) -> list[Choice]:
        best = max((passage.score for passage in self._passages), default=0.0)
        found = []
        for number, (passage, units, of_units) in enumerate(zip(self._passages, self._units, matches, strict=True)):
            standing = passage.score / best if best > 0 else 1.0
            in_range = decided_by_range(self._question, units)
            fits = [in_range.get(index, self._fits_amount(unit)) for index, unit in enumerate(units)]
            # Where one row or sentence of a block is about the question's amount, the block's others are about another.
            decided = {unit.block for unit, is_for_amount in zip(units, fits, strict=True) if is_for_amount}
            by_diet = self._by_diet[number]
            for index, (unit, match) in enumerate(zip(units, of_units, strict=True)):
                if unit.may_answer and word_key(unit.text) and not self._repeats_question(unit):
                    signals = self._signals(number, index, match)
                    is_of_dish = self._about.of_dish and not signals["off_subject"] and is_of_dish_row(unit)
                    signals |= {
                        "of_diet": float(is_of_dish or index in by_diet.rows),
                        "is_asked_for": float(is_of_dish or self._rows.names_kind(unit)),
                        "score": standing,
                        "holds_avoided": float(index in by_diet.refused),
                        "is_for": float(fits[index]),
                        "is_in_range": float(in_range.get(index, False)),
                        "is_for_other": float(unit.block in decided and not fits[index]),
                    }
                    score = sum(weight * signals[name] for name, weight in ALL_WEIGHTS.items())
                    found.append(Choice(number, index, unit, score, signals))
        if self._about.of_dish or self._about.avoided:
            return _set_apart(found)
        # Rows that say what is to be avoided are not the ones that were asked for.
        return found if self._about.diet else _below_named(found)

    def _serves(self, unit: Unit) -> bool:
        """Whether a unit begins with what the question wants to do: «para apuntarse, rellena …»."""
        purpose = _PURPOSE.match(compact(unit.text))
        wanted = stems(purpose["verb"]) if purpose else frozenset()
        return bool(wanted) and wanted <= self._asked.all

    def _tells_hours(self, unit: Unit, titles: Sequence[str], words: frozenset[str]) -> bool:
        """Whether a unit is the timetable, or a row of it, of what the question asks the opening hours of."""
        return (
            self._opened is not None
            and is_timetable(unit, titles)
            and all(is_held(word, words) for word in self._opened)
        )

    def _repeats_question(self, unit: Unit) -> bool:
        """Whether a unit is a line of the question's words: a heading that was taken for text."""
        return not unit.text.endswith(".") and word_key(unit.text) == self._question_key

    def _signals(self, number: int, index: int, match: Match) -> dict[str, float]:
        units = self._units[number]
        unit, above = units[index], self._headings.above(number, units[index])
        headings = above.words
        support = support_of(self._passages[number], unit)
        text = support + unit.text
        around = " ".join([text, *(one.text for one in units[max(0, index - 1) : index + 2] if one is not unit)])
        words = keys_of(text)
        words_around = keys_of(around) | headings
        share_around = self._asked.share(words_around)
        share = self._asked.share(words)
        own = keys_of(unit.text)
        label = label_keys(unit)
        is_named = self._rows.names(unit, label)
        is_sentence = unit.kind is UnitKind.SENTENCE
        table = self._tables[number].get(unit.block, ())
        of_clause = self._is_clause(number, unit, above.path)
        in_cells = self._rows.found_in_cells(table, unit, own | headings)
        asks_for_type = self._wanted is not Wanted.ANYTHING
        in_row = holds_in_row(self._wanted, unit.header, unit.cells)
        if self._wanted is Wanted.MONEY:
            in_row = is_priced_row(unit, above.titles)
        # «Solo se admite tarjeta» is how a rule says no to «efectivo»: no opposite of what was asked.
        decides = self._asks_whether and rules(unit.text)
        said = words | above.title
        return {
            "similarity": match.similarity,
            "weakest": match.weakest,
            "around": match.around,
            "alone": 0.0,
            "coverage": share,
            "coverage_around": share_around,
            "coverage_of_headings": self._asked.share(headings - words),
            "information": self._asked.total * share_around,
            "type": float(asks_for_type and (in_row or holds(self._wanted, unit.text))),
            "no_type": float(not in_row and not holds(self._wanted, text)),
            "open": float(not asks_for_type),
            "no_type_around": float(not in_row and not holds(self._wanted, around)),
            "is_short": float(word_count(unit.text) < FEW_WORDS),
            "is_row": float(unit.kind is UnitKind.ROW),
            "is_item": float(unit.kind is UnitKind.ITEM),
            "is_cut": float(is_sentence and unit.text[-1] not in _SENTENCE_ENDS),
            "introduces": float(unit.text.endswith(":")),
            "misses": float(
                self._about.is_not_how(unit) or not all(is_held(word, words_around) for word in self._asked.telling)
            ),
            "thing_missing": max(
                (self._asked.weights[word] * (1 - is_held(word, words_around)) for word in self._things), default=0.0
            ),
            "names_unknown_code": float(self._names_unknown_code),
            "own": self._asked.share(own),
            "introduced": self._asked.share(keys_of(support) | headings),
            "rules": float(decides),
            "opposite": float(
                not decides and says_the_opposite(self._asked.all, said, asks_whether=self._asks_whether)
            ),
            "serves": float(not asks_for_type and self._wants_way and self._serves(unit)),
            "defines": float(self._defined is not None and self._defined.match(compact(unit.text)) is not None),
            "is_named": float(above.is_thing or (is_named and (not unit.cells or self._asked.tells(label)))),
            "is_looked_up": float(
                in_cells == WHOLE or of_clause or (is_named and self._rows.is_looked_up(unit, label, own | headings))
            ),
            "is_clause": float(of_clause),
            "is_found_in_cell": float(in_cells == PART or self._rows.answers_by_column(table, unit)),
            "says_all": float(
                in_cells == PART
                or (
                    len(self._asked.all) >= (TELLING if asks_for_type else TELLING + 1)
                    and all(is_held(word, own) for word in self._asked.all)
                )
            ),
            "section": above.names_section,
            "after_question": float(index - unit.lead - 1 if is_sentence and unit.lead is not None else 0),
            "is_titled": above.is_repeated,
            "is_timetable": float(self._tells_hours(unit, above.titles, words | headings)),
            "lacks_the_same": float(above.lacks_the_same),
            "off_subject": float(not self._about.is_about(units, index, support, above)),
        }

    def _fits_amount(self, unit: Unit) -> bool:
        """Whether the question's amount lies in the range that a row or sentence is about."""
        return self._amount is not None and bool(is_for(self._amount, unit.text))

    def _is_clause(self, number: int, unit: Unit, path: Sequence[str]) -> bool:
        """Whether a unit is of the clause that the question asks for by its number."""
        paragraph = self._passages[number].text[slice(*unit.paragraph)]
        return is_clause(self._clause, paragraph) or any(is_clause(self._clause, title) for title in path)


def support_of(passage: Passage, unit: Unit) -> str:
    """What introduces a unit or names a row's cells, with a space behind it; empty for other units."""
    return "" if unit.support is None else passage.text[slice(*unit.support)] + " "
