"""Which sentences and rows may answer for the allergens of the one dish that a question is about. Pure.

A row of another dish, or a sentence about another allergen, is easily read as an answer: somebody may eat it.
"""

import re
from collections.abc import Sequence

from tutor.allergens import ALLERGEN_WORDS, allergens_in, is_said_in, parts_of
from tutor.leaning import follows_from, leans_back
from tutor.menu_tables import OF_ALL_ALLERGENS, is_of_allergen, leaves_open, naming_cells, tells_what_is_in_it
from tutor.subjects import Subject
from tutor.units import Unit, UnitKind
from tutor.wording import compact, stems

_NAMES_SEVERAL = re.compile(r",| (?:y|e) ", re.IGNORECASE)
_TELLS_WHAT_IS_IN_IT = re.compile(
    r"\b(?:llevan?|contienen?|incluyen?|se (?:elaboran?|hacen?|preparan?) con|elaborad[oa]s?|hech[oa]s?|a base de"
    r"|compuest\w+|ingredientes?|receta)\b"
)


def answers_for_dish(
    subject: Subject, units: Sequence[Unit], index: int, *, support: str, titles: Sequence[str]
) -> bool:
    """Whether a passage's unit names the dish, or stands by a sentence that does or below its heading, and says
    something of the allergens asked about. `support` introduces the unit, and `titles` are the headings above.
    """
    unit = units[index]
    if unit.kind is UnitKind.ROW:  # its header introduces it, and names no dish
        return _row_answers(subject, unit, titles)
    around = [] if unit.kind is UnitKind.ITEM else [one.text for one in beside(units, index) if one.may_answer]
    own = stems(support + unit.text)
    near = own | stems(" ".join(around))
    if not subject.is_named_in(near | named_by(titles, subject)):
        return False
    if not subject.allergens:
        return not ALLERGEN_WORDS.isdisjoint(near.union(*map(stems, titles)))
    said = allergens_in(support + _with_leaning(units, index)) - (subject.in_name - subject.allergens)
    if any(is_said_in(one, said) for one in subject.allergens) or OF_ALL_ALLERGENS.search(compact(unit.text)):
        return True
    # «Los quesos se envuelven en papel» says nothing of milk, «lleva queso» does.
    is_of_them = not said or says_something_of(subject.allergens, said)
    return is_of_them and subject.is_named_in(own) and _TELLS_WHAT_IS_IN_IT.search(compact(unit.text)) is not None


def is_of_dish_row(unit: Unit) -> bool:
    """Whether a unit is a row about a dish, not about an allergen and where it is found."""
    return unit.kind is UnitKind.ROW and not is_of_allergen(unit)


def is_of_others(allergens: frozenset[str], unit: Unit) -> bool:
    """Whether a sentence or item speaks of allergens, and of none of those asked about."""
    said = frozenset() if unit.kind is UnitKind.ROW else allergens_in(unit.text)
    return bool(said) and not says_something_of(allergens, said)


def says_something_of(allergens: frozenset[str], said: frozenset[str]) -> bool:
    """Whether any of the allergens asked about is said, be it by one that it includes or that includes it."""
    return any(is_said_in(one, said) or not said.isdisjoint(parts_of(one)) for one in allergens)


def named_by(titles: Sequence[str], subject: Subject, *, is_whole: bool = True) -> frozenset[str]:
    """What the headings above say of the dish: those that name a kind and nothing else, «Tartas», and if `is_whole`
    those that name all of it and no other. Below «Bocadillos y platos» not every «Tortilla» is a sandwich.
    """
    found: set[str] = set()
    for title in titles:
        words = frozenset(word for word in stems(title) if not word.isdigit())
        names_it = is_whole and subject.is_named_in(words) and not _NAMES_SEVERAL.search(title)
        if names_it or any(words <= thing for thing in subject.things):
            found |= words
    return frozenset(found)


def _row_answers(subject: Subject, row: Unit, titles: Sequence[str]) -> bool:
    named = stems(" ".join(naming_cells(row))) | named_by(titles, subject, is_whole=is_of_allergen(row))
    if not subject.is_named_in(named):
        return False
    if not subject.allergens:
        return not ALLERGEN_WORDS.isdisjoint(stems(" ".join((*row.header, *row.cells))))
    tells = any(map(tells_what_is_in_it, row.header)) or says_something_of(subject.allergens, allergens_in(row.text))
    return tells and not leaves_open(subject.allergens, row)


def beside(units: Sequence[Unit], index: int) -> list[Unit]:
    """The sentences and items next to a unit, which may name what it is about; a table's row names its own."""
    near = (*units[max(0, index - 1) : index], *units[index + 1 : index + 2])
    return [one for one in near if one.kind is not UnitKind.ROW]


def _with_leaning(units: Sequence[Unit], index: int) -> str:
    """A unit's text with that of the sentence that it leans on, and of the one that leans on it."""
    unit = units[index]
    same = [one for one in beside(units, index) if one.paragraph == unit.paragraph]
    before = [one.text for one in same if one.start < unit.start and leans_back(unit.text)]
    behind = [one.text for one in same if one.start > unit.start and (leans_back(one.text) or follows_from(one.text))]
    return " ".join([*before, unit.text, *behind])
