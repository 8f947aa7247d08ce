"""What the best sentences say about whether there is an answer at all. Pure."""

import re
from collections.abc import Mapping, Sequence

from tutor.scoring import Choice
from tutor.wording import compact, word_count

SEARCH_SIGNALS = ("weakest_tokens", "cosine")
ANSWER_SIGNALS = ("information", "thing_missing", "no_type_around", "open", "is_for", "lead")
FOLLOWERS = 3  # units behind the best one that it is compared with
POINTER_WORDS = 25  # of a longer sentence «véase el anexo» is not all that it says
_POINTS_ELSEWHERE = re.compile(
    r"\b(?:vease|veanse|ver|consult\w+|mira|mire|(?:estan?|figuran?|aparecen?|se indican?) en)\b"
    r"[^.]*\b(?:list(?:a|ado)|anexos?|tabla|cuadro|hoja|ficha|apartado|seccion|capitulo|pagina|documento|manual)\b"
)


def answer_signals(choices: Sequence[Choice]) -> Mapping[str, float]:
    """The signals of the unit that answers best, to be weighed beside those of the search.

    That is how much those of the question's words tell that stand around it, and the most telling of the things it
    names that do not; whether the unit lacks the sort of thing that was asked for, whether the question leaves open
    what sort that is, and whether an amount it names lies in the unit's range; and how far the unit leads.
    """
    best = max(choices, key=lambda choice: (choice.score, -choice.passage, -choice.index))
    signals = {name: best.signals[name] for name in ANSWER_SIGNALS if name != "lead"}
    return signals | {"lead": lead_of([choice.score for choice in choices])}


def lead_of(scores: Sequence[float]) -> float:
    """How far the best score lies over the fourth, or over the last of fewer."""
    ranked = sorted(scores, reverse=True)
    return ranked[0] - ranked[min(FOLLOWERS, len(ranked) - 1)]


def is_doubtful(choices: Sequence[Choice]) -> bool:
    """Whether the best unit lacks the word that tells most, speaks of the opposite of what was asked, or only says
    where to look.
    """
    best = max(choices, key=lambda choice: (choice.score, -choice.passage, -choice.index))
    return bool(best.signals["misses"] or best.signals["opposite"]) or points_elsewhere(best.unit.text)


def points_elsewhere(text: str) -> bool:
    """Whether a sentence says no more than where something stands: «véase la lista de precios»."""
    return word_count(text) <= POINTER_WORDS and _POINTS_ELSEWHERE.search(compact(text)) is not None
