"""A short section that answers as a whole, from its first sentence to its last. Pure."""

from collections.abc import Sequence

from tutor.choices import MAX_WORDS, Choices, is_of_named_section
from tutor.scoring import Choice
from tutor.units import UnitKind
from tutor.wording import asks_what_to_do, word_count

SECTION_WORDS = 90
SECTION_SENTENCES = 6
IS_ABOUT = 0.3  # share of what the question's words tell that the heading of a section about it holds


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
