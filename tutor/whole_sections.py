"""A short section that answers as a whole, from its first sentence to its last, or a paragraph from one on. Pure."""

import re
from collections.abc import Sequence
from itertools import takewhile

from tutor.choices import MAX_WORDS, Choices, is_among, is_of_named_section
from tutor.scoring import Choice
from tutor.units import UnitKind
from tutor.wording import asks_what_to_do, fold, word_count

SECTION_WORDS = 90
SECTION_SENTENCES = 6
IS_ABOUT = 0.3  # share of what the question's words tell that the heading of a section about it holds
_URGENT = re.compile(r"\b(?:112|911|061|llam(?:a|e|ad|ar|en)|emergencias|evacu\w+|desaloj\w+)\b")


def rest_of_paragraph(choices: Choices, best: Choice, selected: Sequence[Choice]) -> Sequence[Choice]:
    """What was selected, and for who asks what to do, or for a clause by its number, all that follows the best one in
    its paragraph: the next sentence may say what else («Si no mejora, llama al 112»). As far as there is room, first
    for whom to call and whether to leave; empty for other questions.
    """
    wants_all = asks_what_to_do(choices.question) or best.signals.get("is_clause")
    if best.unit.kind is not UnitKind.SENTENCE or not wants_all:
        return ()
    here = (best.passage, best.unit.paragraph)
    behind = [one for one in choices.scored if (one.passage, one.unit.paragraph) == here and one.index > best.index]
    told = takewhile(lambda one: one.unit.kind is UnitKind.SENTENCE and not one.signals["is_for_other"], behind)
    urgent_first = sorted(told, key=lambda one: not _is_urgent(one))
    words = sum(choices.word_count(one) for one in selected)
    shown = list(selected)
    for one in urgent_first:
        if is_among(one, shown):
            continue
        urgent = _is_urgent(one)
        more_words = choices.word_count(one)
        if words + more_words <= (MAX_WORDS if urgent else SECTION_WORDS):
            words += more_words
            shown.append(one)
        elif not urgent:
            break  # what follows may rest on what is left out
    return shown if len(shown) > len(selected) else ()


def _is_urgent(choice: Choice) -> bool:
    return _URGENT.search(fold(choice.unit.text)) is not None


def whole_section(choices: Choices, best: Choice, selected: Sequence[Choice]) -> Sequence[Choice]:
    """All of the best one's section where that is a few sentences: because the question names it («llaves perdidas»),
    or tells what has happened, and they say one after the other what to do. The best of them alone would leave out
    the first thing to do. With it what was selected from elsewhere, as far as there is room; empty for other questions.
    """
    tells = asks_what_to_do(choices.question) and best.signals.get("section", 0.0) >= IS_ABOUT
    if not tells and not is_of_named_section(best):
        return ()
    units = choices.units[best.passage]
    if any(unit.kind is not UnitKind.SENTENCE or unit.text.endswith(":") for unit in units):
        return ()
    section = [one for one in choices.scored if one.passage == best.passage]
    words = sum(word_count(one.unit.text) for one in section)
    if len(section) > SECTION_SENTENCES or words > SECTION_WORDS or any(one.signals["is_for_other"] for one in section):
        return ()
    for one in selected:
        words += choices.word_count(one)
        if one.passage != best.passage and words <= MAX_WORDS:
            section.append(one)
    return section
