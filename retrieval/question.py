"""What the wording of a question says about how to search for it."""

import re
from dataclasses import dataclass

from retrieval.folding import folded

MAX_CHARACTERS = 2_000  # a pasted page asks nothing that its beginning does not

_QUOTED = re.compile(r"[\"“«](?=[^\s\"”»])[^\"”»]*[\"”»]")
_WORD = re.compile(r"[^\W_]+")
_ASKS = re.compile(
    r"(a |de |en |con |por |para |desde |hasta )?"
    r"(que|quien(es)?|cual(es)?|como|cuando|donde|adonde|cuant[oa]s?|por que)\b"
)
_EXPRESSION_PART = re.compile(r'(?P<minus>-?)(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))')


@dataclass(frozen=True, slots=True)
class AlphaShifts:
    """How far the wording moves the weight of the semantic leg.

    The development questions say: question words +0.2 costs hits; few words rather want more of the semantic leg, not
    less; codes and quotes are found with any weight, so there the exact words decide.
    """

    exact: float = -0.3  # quoted words or codes, not under 0.2
    asks: float = 0.0  # question words, not over 0.8
    short: float = 0.0  # one or two words, not under 0.3
    foreign: float = 0.4  # in a language that no document is written in


SHIPPED_SHIFTS = AlphaShifts()


def shifted_alpha(
    alpha: float,
    question: str,
    *,
    has_code: bool = False,
    is_foreign: bool = False,
    shifts: AlphaShifts = SHIPPED_SHIFTS,
) -> float:
    """The weight of the semantic leg for this question, between 0 and 1."""
    if has_code or has_quotes(question):
        return max(alpha + shifts.exact, min(alpha, 0.2))
    if is_foreign:
        return min(alpha + shifts.foreign, 1.0)
    if len(_WORD.findall(question)) <= 2:
        return max(alpha + shifts.short, min(alpha, 0.3))
    if asks(question):
        return min(alpha + shifts.asks, max(alpha, 0.8))
    return alpha


def has_quotes(question: str) -> bool:
    """Whether some of it stands in quotation marks: those words are wanted as they are."""
    return _QUOTED.search(question) is not None


def asks(question: str) -> bool:
    """Whether it begins as Spanish questions do, with or without ¿ and accents."""
    return _ASKS.match(folded(question).lstrip("¿¡ \t\n\"'«“")) is not None


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, or a phrase whose words must follow each other."""

    text: str
    is_phrase: bool = False
    is_excluded: bool = False


Expression = tuple[tuple[Piece, ...], ...]  # any of them; each wants all of its pieces


def parse_expression(text: str) -> Expression:
    """Read a search expression as web search boxes do: words, "a phrase", -without, this or that.

    Anything is a valid expression: what makes no sense as an operator is a word or nothing.
    """
    alternatives: list[list[Piece]] = [[]]
    for part in _EXPRESSION_PART.finditer(text):
        excluded = bool(part["minus"])
        if part["phrase"] is not None:
            alternatives[-1].append(Piece(part["phrase"], is_phrase=True, is_excluded=excluded))
        elif part["word"].casefold() == "or" and not excluded:
            alternatives.append([])
        else:
            alternatives[-1].append(Piece(part["word"], is_excluded=excluded))
    return tuple(tuple(pieces) for pieces in alternatives if pieces)


def is_expression(text: str) -> bool:
    """Whether a text uses what search expressions know beyond words: phrases, -without, or."""
    expression = parse_expression(text)
    pieces = [piece for alternative in expression for piece in alternative]
    return len(expression) > 1 or any(piece.is_phrase or piece.is_excluded for piece in pieces)
