"""What the best sentences say about whether there is an answer at all. Pure."""

from collections.abc import Mapping, Sequence

from tutor.scoring import Choice

SEARCH_SIGNALS = ("weakest_tokens", "cosine")
ANSWER_SIGNALS = ("coverage_around", "information", "no_type_around")


def answer_signals(choices: Sequence[Choice]) -> Mapping[str, float]:
    """The signals of the unit that answers best, to be weighed beside those of the search.

    That is what share of the question's words stands around it, how much they tell, and whether it lacks the sort of
    thing that was asked for.
    """
    best = max(choices, key=lambda choice: (choice.score, -choice.passage, -choice.index))
    return {name: best.signals[name] for name in ANSWER_SIGNALS}
