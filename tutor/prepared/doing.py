"""What two questions would have one do, and whether one must or may. Pure."""

import re
from functools import cache

from tutor.prepared import lexicon
from tutor.prepared.roots import lines_of, root

_OBLIGES = re.compile(
    r"\bobligatori\w+|\bobligad[oa]s?\b|\b(?:tengo|tienes?|tenemos|tienen) que\b|\bhay que\b|\bhace falta\b"
    r"|\bnecesari[oa]s?\b|\bnecesit\w+|\bexig\w+"
    r"|(?<!\bno )(?<!\bno se )\bdeb(?:o|e|es|emos|en|eria\w*)\b"  # what one must not do, one may not
)
_ALLOWS = re.compile(
    r"\bpued[oea]\w*|\bpodemos\b|\bpodria\w*|\bpermit\w+|\bposible\b|\bautoriza\w*|\b(?:me|nos|te|se) dejan?\b"
)


def modality(folded: str) -> str:
    """Whether a folded question is about what must be done, or about what may be; empty for neither or both."""
    obliges, allows = _OBLIGES.search(folded) is not None, _ALLOWS.search(folded) is not None
    return "" if obliges == allows else "must" if obliges else "may"


def does_otherwise(one: frozenset[str], other: frozenset[str], *, of_places: bool = False) -> bool:
    """Whether each has a general verb that the other lacks, and none of them may stand for another.

    `of_places`: both ask where.
    """
    alone, beside = one - other, other - one
    return bool(alone and beside) and not any(
        {mine, theirs} <= alike for mine in alone for theirs in beside for alike in _alike_verbs(of_places)
    )


def verb_of(word: str) -> str:
    """The name of the general verb that a folded word is a form of; empty for other words."""
    return _verbs().get(word) or _verbs().get(root(word), "")


@cache
def _verbs() -> dict[str, str]:
    lines = list(lines_of(lexicon.VERBS))
    table = {form: forms[0] for forms in lines for form in forms}
    for forms in lines:
        for form in forms:
            table.setdefault(root(form), forms[0])
    return table


@cache
def _alike_verbs(of_places: bool) -> tuple[frozenset[str], ...]:
    lines = lexicon.ALIKE_VERBS + (lexicon.ALIKE_VERBS_OF_PLACES if of_places else "")
    return tuple(map(frozenset, lines_of(lines)))
