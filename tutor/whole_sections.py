"""A short section that answers as a whole, from its first sentence to its last. Pure."""

from collections.abc import Sequence

from tutor.choices import Choices, is_of_named_section
from tutor.scoring import Choice
from tutor.units import UnitKind
from tutor.wording import asks_what_to_do, word_count

MAX_WORDS = 90
MAX_SENTENCES = 6


def whole_section(choices: Choices, best: Choice) -> Sequence[Choice]:
    """All of the best one's section where that is a few sentences: because the question names it («llaves perdidas»),
    or tells what has happened, and they say one after the other what to do. The best of them alone would leave out
    the first thing to do. Empty for others.
    """
    if not is_of_named_section(best) and not asks_what_to_do(choices.question):
        return ()
    units = choices.units[best.passage]
    if any(unit.kind is not UnitKind.SENTENCE for unit in units[1:]) or any(unit.text.endswith(":") for unit in units):
        return ()
    section = [one for one in choices.scored if one.passage == best.passage]
    is_short = len(section) <= MAX_SENTENCES and sum(word_count(one.unit.text) for one in section) <= MAX_WORDS
    return section if is_short and not any(one.signals["is_for_other"] for one in section) else ()
