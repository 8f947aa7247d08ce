"""What the best sentences say about whether there is an answer at all. Pure."""

from collections.abc import Mapping, Sequence

from tutor.scoring import Choice

SEARCH_SIGNALS = ("weakest_tokens", "cosine")
ANSWER_SIGNALS = ("information", "no_type_around", "open", "is_for", "lead")
FOLLOWERS = 3  # units behind the best one that it is compared with


def answer_signals(choices: Sequence[Choice]) -> Mapping[str, float]:
    """The signals of the unit that answers best, to be weighed beside those of the search.

    That is how much those of the question's words tell that stand around it; whether it lacks the sort of
    thing that was asked for, whether the question leaves open what sort that is, and whether an amount it names lies in
    the unit's range; and how far the unit leads.
    """
    best = max(choices, key=lambda choice: (choice.score, -choice.passage, -choice.index))
    signals = {name: best.signals[name] for name in ANSWER_SIGNALS if name != "lead"}
    return signals | {"lead": lead_of([choice.score for choice in choices])}


def lead_of(scores: Sequence[float]) -> float:
    """How far the best score lies over the fourth, or over the last of fewer."""
    ranked = sorted(scores, reverse=True)
    return ranked[0] - ranked[min(FOLLOWERS, len(ranked) - 1)]


def is_doubtful(choices: Sequence[Choice]) -> bool:
    """Whether the best unit lacks the word that tells most, or speaks of the opposite of what was asked."""
    best = max(choices, key=lambda choice: (choice.score, -choice.passage, -choice.index))
    return bool(best.signals["misses"] or best.signals["opposite"])
