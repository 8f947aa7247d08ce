"""Questions to begin with, from the headings of what a person may read."""

import re
from collections.abc import Iterable, Mapping

from django.db.models import F
from django.utils.translation import gettext as _

from documents.models import Chunk, DocumentQuerySet

SUGGESTIONS = 4
READ_DOCUMENTS = 24  # the latest
READ_HEADINGS = 400
ENOUGH = 2  # definite questions of a document that make the others superfluous

_NUMBER = re.compile(
    r"^(?:(?:art[íi]culo|cap[íi]tulo|anexo|secci[óo]n)\s+)?(?:[\dIVX]+(?:\.\d+)*\s*[.)\-–:]*\s+)?",
    re.IGNORECASE,
)
_IS_NO_MATTER = re.compile(r"\d\s*[€$£]|[€$£]\s*\d|\best[ae] (?:guía|manual|documento|curso|texto)\b", re.IGNORECASE)
_SAYS_NOTHING = re.compile(
    r"^(?:[íi]ndice|contenidos?|introducci[óo]n|presentaci[óo]n|anexos?|glosario|bibliograf[íi]a|objeto|objetivos?|pr[óo]logo"
    r"|resumen|conclusi[óo]n(?:es)?|referencias|nota|notas|antes de empezar|palabras que usamos|para qu[ée] sirve)\b",
    re.IGNORECASE,
)
_IS_TASK = re.compile(
    r"^(?!(?:lugar|taller|alquiler|hogar|poder|deber|bienestar|mujer)\b)\w+(?:ar|er|ir)(?:se)? \w+", re.IGNORECASE
)
_IS_QUESTION = re.compile(
    r"^(?:qué|quién|quiénes|cómo|cuándo|cuánto|cuántos|cuántas|dónde|cuál|cuáles|por qué)\b", re.IGNORECASE
)


def suggested_questions(documents: DocumentQuerySet, *, count: int = SUGGESTIONS) -> list[str]:
    """Up to `count` questions about sections of these documents, from as many documents as can be. None
    without any.
    """
    latest = documents.served().order_by("-active_version__uploaded_at", "pk")[:READ_DOCUMENTS]
    paths = (
        Chunk.objects.filter(version__in=list(latest.values_list("active_version", flat=True)), level__gte=1)
        .exclude(version__document_where_active__title=F("heading_path__0"), level=1)
        .order_by("position", "version_id")
        .values_list("version_id", "heading_path")[:READ_HEADINGS]
    )
    by_version: dict[int, dict[str, bool]] = {}  # questions, and whether they ask for something definite
    for version_id, path in paths:
        question = question_about(path[-1])
        if question:
            by_version.setdefault(version_id, {}).setdefault(question, is_definite(path[-1]))
    return _in_turn(map(_best, by_version.values()), count)


def _best(questions: Mapping[str, bool]) -> list[str]:
    """The definite ones, where a document has enough of them."""
    definite = [question for question, is_definite in questions.items() if is_definite]
    return definite if len(definite) >= ENOUGH else list(questions)


def is_definite(heading: str) -> bool:
    """Whether a heading is a question or a task, rather than the name of a matter."""
    title = _title(heading)
    return title.startswith("¿") or bool(_IS_QUESTION.match(title) or _IS_TASK.match(title))


def question_about(heading: str) -> str:
    """A question that the section of this heading answers; empty when the heading says too little."""
    title = _title(heading)
    if title.startswith("¿") and title.endswith("?"):
        return title
    if not 8 <= len(title) <= 60 or len(title.split()) < 2 or _SAYS_NOTHING.match(title) or _IS_NO_MATTER.search(title):
        return ""
    if _IS_QUESTION.match(title):
        return f"¿{title}?"
    if _IS_TASK.match(title):
        return _("¿Cómo puedo %(task)s?") % {"task": title[0].lower() + title[1:]}
    return _("¿Qué debo saber sobre %(title)s?") % {"title": _inside_a_sentence(title)}


def _title(heading: str) -> str:
    """A heading without its number."""
    title = _NUMBER.sub("", heading).strip(" .:-–")
    return title.capitalize() if title.isupper() else title  # capitals read as shouting in a question


def _inside_a_sentence(title: str) -> str:
    """With a small letter at the beginning, unless the word is an abbreviation or a number follows."""
    first = title.split()[0]
    return title[0].lower() + title[1:] if not first[1:] or first[1:].islower() else title


def _in_turn(lists: Iterable[list[str]], count: int) -> list[str]:
    """Questions taken from each list in turn, spread over the list rather than its first ones."""
    spread = [questions[:: max(1, len(questions) // count)] for questions in lists if questions]
    chosen: list[str] = []
    for round_number in range(count):
        for questions in spread:
            if round_number < len(questions) and len(chosen) < count and questions[round_number] not in chosen:
                chosen.append(questions[round_number])
    return chosen
