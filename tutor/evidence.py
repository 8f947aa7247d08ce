"""What the best sentences say about whether there is an answer at all. Pure."""

import re
from collections.abc import Mapping, Sequence

from tutor.scoring import Choice, best_of
from tutor.units import UnitKind
from tutor.wording import compact, word_count

SEARCH_SIGNALS = ("weakest_tokens", "cosine")
UNIT_SIGNALS = ("information", "thing_missing", "no_type_around", "open", "is_for", "similarity")
ANSWER_SIGNALS = (*UNIT_SIGNALS, "strength", "lead")
FOLLOWERS = 3  # units behind the best one that it is compared with
LEADS = 4.0  # on the scale of a unit's score
POINTER_WORDS = 25  # of a longer sentence «véase el anexo» is not all that it says
_PAPERS = (
    r"\b(?:list(?:a|ado)s?|anexos?|tablas?|hojas?|fichas?|apartados?|seccion|capitulos?|paginas?|documentos?"
    r"|manual(?:es)?)\b"
)
_BETWEEN = r"(?:(?:tambien|en|el|la|los|las|un|una|su|tu|este|esta|siguientes?|presente) )*"
# The sentence opens with the order to look, or says that what was asked stands in such a paper; one that merely names
# a paper says something. A «cuadro» that something is in may be a switchboard.
_POINTS_ELSEWHERE = re.compile(
    rf"^\W*(?:(?:para|sobre) [^.,:]*[,:] |[^\W\d_][^.,:\d]{{0,40}}: )?"
    rf"(?:vease|veanse|ver|consult(?:a|e|ar|ese)|mira|mire) {_BETWEEN}(?:{_PAPERS}|cuadro\b)"
    rf"|\b(?:estan?|figuran?|aparecen?|se indican?) en (?:(?:el|la|los|las) )?{_PAPERS}"
    r"|\b(?:figuran?|aparecen?|se indican?) en (?:el|los) cuadros?\b"
)


def answer_signals(choices: Sequence[Choice]) -> Mapping[str, float]:
    """The signals of the unit that answers best, to be weighed beside those of the search.

    That is how much those of the question's words tell that stand around it, and the most telling of the things it
    names that do not; whether the unit lacks the sort of thing that was asked for, whether the question leaves open
    what sort that is, and whether an amount it names lies in the unit's range; how near its meaning is; and its score,
    and how far it leads.
    """
    best = best_of(choices)
    signals = {name: best.signals[name] for name in UNIT_SIGNALS}
    return signals | {"strength": best.score, "lead": lead_of(choices)}


def lead_of(choices: Sequence[Choice]) -> float:
    """How far the best unit lies over the fourth, or over the last of fewer. The other rows of its table are left out:
    they are alike in all but their thing, and speak neither for nor against it.
    """
    best = best_of(choices)
    others = [one for one in choices if one is not best]
    if best.unit.kind is UnitKind.ROW:
        table = (best.passage, best.unit.block)
        others = [one for one in others if (one.passage, one.unit.block) != table] or others
    ranked = sorted((one.score for one in others), reverse=True)
    return best.score - ranked[:FOLLOWERS][-1] if ranked else 0.0


def is_doubtful(choices: Sequence[Choice]) -> bool:
    """Whether the best unit lacks the word that tells most, speaks of the opposite of what was asked, or only says
    where to look.
    """
    best = best_of(choices)
    return bool(best.signals["misses"] or best.signals["opposite"]) or points_elsewhere(best.unit.text)


def is_looked_up(choices: Sequence[Choice]) -> bool:
    """Whether the best unit is the row of a table that has all that a question asks for by name."""
    best = best_of(choices)
    return bool(best.signals["is_looked_up"]) and not best.signals["no_type"]


def says_all(choices: Sequence[Choice]) -> bool:
    """Whether the best unit says every word that a question does and the sort of thing it asks for, and no other comes
    near.
    """
    best = best_of(choices)
    return bool(best.signals["says_all"]) and not best.signals["no_type"] and lead_of(choices) >= LEADS


def names_unknown_code(choices: Sequence[Choice]) -> bool:
    """Whether a question is about a code, as of an alarm or a part, that nothing read bears."""
    return bool(best_of(choices).signals["names_unknown_code"])


def is_off_subject(choices: Sequence[Choice]) -> bool:
    """Whether nothing that was read is about the one thing that a question asks about."""
    return all(choice.signals["off_subject"] for choice in choices)


def points_elsewhere(text: str) -> bool:
    """Whether a sentence says no more than where something stands: «véase la lista de precios»."""
    return word_count(text) <= POINTER_WORDS and _POINTS_ELSEWHERE.search(compact(text)) is not None
