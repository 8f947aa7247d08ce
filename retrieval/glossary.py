"""Words that mean the same in an organization: whichever of them a question uses, all of them are looked for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from retrieval.folding import folded
from retrieval.keywords import Term, phrase
from retrieval.models import GlossaryEntry
from retrieval.vocabulary import terms_of

MAX_WORDINGS = 12  # of one entry
WORDING_LENGTH = 80  # characters
PREFIX = 3  # letters: what a word and its inflected forms nearly always share, accents apart

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Form:
    """One way of saying something, as terms."""

    terms: Sequence[Term]

    @property
    def chunk_count(self) -> int:
        return min(term.chunk_count for term in self.terms)

    def standing_in(self, asked: Sequence[Term]) -> range | None:
        """Where a question's terms are those of this form, one after the other."""
        for start in range(len(asked) - len(self.terms) + 1):
            window = asked[start : start + len(self.terms)]
            if all(set(own.lexemes) & set(term.lexemes) for own, term in zip(self.terms, window, strict=True)):
                return range(start, start + len(self.terms))
        return None


def glossary_of(organization_id: UUID) -> list[list[str]]:
    """The wordings of an organization's entries, in the order they were added. Call inside its scope."""
    entries = GlossaryEntry.objects.for_organization(organization_id).order_by("pk")
    return list(entries.values_list("wordings", flat=True))


def widened(
    organization_id: UUID,
    glossary: Sequence[Sequence[str]],
    languages: Sequence[str],
    question: str,
    terms: Sequence[Term],
) -> tuple[list[Term], list[str]]:
    """A question's terms with what a glossary says of them, and the wordings that were added.

    Another wording stands for a term with the same weight: it adds none of its own, so that a text with either word
    holds as much of the question.
    """
    entries = _entries_about(glossary, question) if terms else []
    if not entries:
        return list(terms), []
    wordings = [wording for entry in entries for wording in entry]
    read: list[list[Term]] = [[] for _wording in wordings]
    for term in terms_of(organization_id, languages, wordings):
        read[term.piece].append(term)
    known = {wording: Form(own) for wording, own in zip(wordings, read, strict=True) if own}
    found, added = list(terms), []
    for entry in entries:
        for wording in entry:
            place = known[wording].standing_in(terms) if wording in known else None
            if place is None:
                continue
            others = [other for other in entry if other != wording and other in known]
            added += others
            for index in place:
                found[index] = _or(found[index], [known[other] for other in others])
            break
    return found, added


def _or(term: Term, forms: Sequence[Form]) -> Term:
    lexemes = [lexeme for form in forms if len(form.terms) == 1 for lexeme in form.terms[0].lexemes]
    phrases = [phrase(form.terms) for form in forms if len(form.terms) > 1]
    return replace(
        term,
        lexemes=tuple(dict.fromkeys([*term.lexemes, *lexemes])),
        phrases=tuple(dict.fromkeys([*term.phrases, *phrases])),
        chunk_count=max([term.chunk_count, *(form.chunk_count for form in forms)]),
    )


def _entries_about(glossary: Sequence[Sequence[str]], question: str) -> list[Sequence[str]]:
    """The wordings of the entries that may speak of something in the question: the words decide later."""
    asked = _beginnings(question)
    return [entry for entry in glossary if any(_beginnings(wording) & asked for wording in entry)]


def _beginnings(text: str) -> set[str]:
    return {word[:PREFIX] for word in _WORD.findall(folded(text))}
