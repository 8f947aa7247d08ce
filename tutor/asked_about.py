"""The one thing that a question asks about: a dish, a diet, allergens to avoid or anything else; and which units are
about it. Pure.
"""

from collections.abc import Sequence

from tutor.allergen_cells import lists_allergens
from tutor.allergens import allergens_in, is_said_in, speaks_of_allergens
from tutor.diets import avoided_by_people, diet_of
from tutor.dish_answers import answers_for_dish, beside, is_of_others, named_by
from tutor.headings_above import Above
from tutor.menu_tables import OF_ALL_ALLERGENS, is_of_allergen, leaves_open
from tutor.priced_rows import figures_named, is_priced_row
from tutor.subjects import subject_of
from tutor.units import Unit, UnitKind
from tutor.word_weights import keys_of
from tutor.wording import asks_how_made, compact


class AskedAbout:
    """What a question is about. `of_dish`: what allergens one dish has; `avoided`: those of somebody who asks."""

    def __init__(self, question: str) -> None:
        self.diet = diet_of(question)
        self._subject = None if self.diet else subject_of(question)
        self.of_dish = self._subject is not None and self._subject.asks == "allergens"
        self.avoided = avoided_by_people(question)
        self._is_made = asks_how_made(question) and not OF_ALL_ALLERGENS.search(compact(question))
        self._allergens = (self._subject and self._subject.allergens) or self.avoided or allergens_in(question)

    def is_not_how(self, unit: Unit) -> bool:
        """Whether it is asked how something is made, and a unit is a row that says which allergens it has."""
        return self._is_made and unit.kind is UnitKind.ROW and any(map(speaks_of_allergens, unit.header))

    def is_about(self, units: Sequence[Unit], index: int, support: str, above: Above) -> bool:
        """Whether one of a passage's units is about the thing asked about: by its own words, those above it and its
        `support`, and a sentence by those of the one beside it.
        """
        unit = units[index]
        text = support + unit.text
        if self._subject is not None and self.of_dish:
            return answers_for_dish(self._subject, units, index, support=support, titles=above.path)
        if self.is_not_how(unit):
            return False
        if not self.diet:
            if self._allergens and leaves_open(self._allergens, unit):
                return False
            if self.avoided and is_of_others(self.avoided, unit):
                return False
            if self._subject is None:
                return True
            is_row = unit.kind is UnitKind.ROW
            headings = named_by(above.path, self._subject) if is_row and self._allergens else above.words
            around = [one.text for one in beside(units, index)] if unit.kind is UnitKind.SENTENCE else []
            near = " ".join([text, *around])
            words = keys_of(near) | headings
            if is_row and self._subject.asks == "price":
                figures = keys_of(support) | headings | figures_named(unit, frozenset().union(*self._subject.things))
                words = frozenset(word for word in words if not word.isdigit() or word in figures)
                if is_priced_row(unit, above.titles):
                    return self._subject.is_named_in(words)
            return self._subject.is_in(words, near)
        # A list of dishes that says nothing of eggs is no list of those without.
        listed = list(zip(unit.header, unit.cells, strict=False))[1:]
        if any(lists_allergens(*cell) for cell in listed) and not is_of_allergen(unit):
            return True
        if unit.kind is UnitKind.SENTENCE and OF_ALL_ALLERGENS.search(compact(unit.text)):
            return True
        named = allergens_in(text) | above.allergens
        return all(is_said_in(allergen, named) for allergen in self.diet.allergens)
