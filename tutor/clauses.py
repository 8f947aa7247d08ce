"""Clauses that are asked for by their number: «¿Qué dice la cláusula 4.2.4?». Pure."""

import re

from tutor.wording import compact

_PARTS = r"(?:clausula|apartado|punto|articulo|seccion|epigrafe|parrafo|numeral|subapartado)"
_ASKED = re.compile(rf"\b{_PARTS}s? (?:(?:numero|num\.?|n\.? ?o) ?)?(?P<number>\d{{1,3}}(?:\.\d{{1,3}})+)(?![\w]|\.\d)")


def asked_clause(question: str) -> str:
    """The number of the clause that a question asks for, of two parts at least; empty for other questions."""
    found = _ASKED.search(compact(question))
    return found["number"] if found else ""


def is_clause(number: str, text: str) -> bool:
    """Whether a paragraph or a heading begins with a clause's number; one that mentions it is not it."""
    return bool(number) and re.match(rf"\W*(?:{_PARTS} )?{re.escape(number)}(?!\d|\.\d)", compact(text)) is not None
