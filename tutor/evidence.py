"""What the best sentences say about whether there is an answer at all. Pure."""

from collections.abc import Mapping, Sequence

from tutor.scoring import Choice

SEARCH_SIGNALS = ("weakest_tokens", "cosine", "bm25")
ANSWER_SIGNALS = ("coverage_around", "information", "weakest_around", "no_type_around")


def answer_signals(choices: Sequence[Choice]) -> Mapping[str, float]:
    """The signals of the unit that answers best, to be weighed beside those of the search.

    That is what share of the question's words stands around it and how much they tell, and whether it lacks the sort of
    thing that was asked for; and how well the neighbourhood that does best answers to the question's weakest tokens.
    """
    best = max(choices, key=lambda choice: (choice.score, -choice.passage, -choice.index)).signals
    weakest = max(choice.signals["weakest_around"] for choice in choices)
    return {**{name: best[name] for name in ANSWER_SIGNALS}, "weakest_around": weakest}
