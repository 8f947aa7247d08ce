"""Questions to begin with and to go on with, from the headings of what a person may read."""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile, zip_longest

from django.db.models import F, Func, JSONField
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from documents.models import Chunk, DocumentQuerySet, ParsedContent
from documents.titles import ANY_SECTION
from tutor.events import CitedPassage
from tutor.wording import stems

SUGGESTIONS = 4
NEXT = 3
READ_DOCUMENTS = 24  # the latest
READ_HEADINGS = 400
SHORTEST, LONGEST = 8, 70  # characters of a heading
TELLING = 2  # words of a question that must say something

_NUMBER = re.compile(
    r"^(?:(?:art[íi]culo|cap[íi]tulo|anexo|secci[óo]n)\s+)?(?:(?:\d+(?:\.\d+)*|[IVX]+)\s*[.º°ª)\-–:]*\s+)?",
    re.IGNORECASE,
)
_IS_NO_MATTER = re.compile(
    r"[·|()]|^\w+[aei]r [^,]*,|^¿(?:desea|quiere|dudas?\b|m[áa]s )|\d\s*[€$£]|[€$£]\s*\d"
    r"|\best[ae] (?:guía|manual|documento|curso|texto)\b",
    re.IGNORECASE,
)
_SAYS_NOTHING = re.compile(
    rf"^(?:{ANY_SECTION}|antes de empezar|palabras que usamos|(?:para|por) qu[ée] (?:sirve|existe))\b", re.IGNORECASE
)
# What only the headings above make clear: «Cómo reconocerla», «Qué hacer en los primeros minutos», «Cuando algo falla».
_LEANS = re.compile(
    r"\w{3}[aei]r(?:l[aeo]s?|se)$|^qu[ée] (?:hacer|se hace) (?:en l[ao]s|antes|despu[ée]s|durante|luego)|\balgo\b"
    r"|\b(?:es[eao]s?|est[eao]s?|ello)\b",
    re.IGNORECASE,
)
# A verb by what follows it: «celular de empresa», «ayer y hoy» and «militar en prácticas» end as one does.
_IS_TASK = re.compile(
    r"^(?!(?:lugar|taller|alquiler|hogar|poder|deber|bienestar|mujer|particular|familiar|escolar|auxiliar|titular"
    r"|similar|regular|primer|tercer|cualquier|exterior)\b)\w+(?:ar|er|ir) "
    r"(?:(?:al?|el|la|los|las|un|una|unos|unas|su|sus|tu|tus) \w+|y \w+(?:ar|er|ir) \w+|\w{3,}s\b)",
    re.IGNORECASE,
)
_IS_QUESTION = re.compile(
    r"^(?:qué|quién|quiénes|cómo|cuándo|cuánto|cuántos|cuántas|dónde|cuál|cuáles|por qué)\b", re.IGNORECASE
)
# Not «Si sospechas un fraude» or «Si te pones enfermo»: who asks says «si sospecho», «si me pongo».
_CASE = re.compile(
    r"^(?:si|cuando) (?!.*\b(?:te|ti|contigo|os|vuestr[oa]s?)\b)"
    r"(?!(?:(?:no|ya|nunca|todavía|aún) )*(?!l[ao]s|un[ao]s|[ts]us|nos)\w+s\b)\w+ \w+",
    re.IGNORECASE,
)
_YOUR = re.compile(r"\btu(s?)\b", re.IGNORECASE)
_REMARK = re.compile(r"\s+\([^()]*\)$")  # «Tarifas 2026 (sin IVA)»
# Matters that people ask for by their name, and mishaps, with their articles.
_ASKED_FOR = re.compile(
    r"^(?:(?P<el>horario|plazo|precio|importe|teléfono)|(?P<la>tarifa|extensión|duración|temperatura)"
    r"|(?P<los>horarios|plazos|precios|teléfonos|síntomas|derechos)"
    r"|(?P<las>tarifas|extensiones|obligaciones|sanciones|temperaturas)) (?:de|del|para|por|al|en)\b",
    re.IGNORECASE,
)
_MISHAP = re.compile(
    r"^(?:(?P<un>corte|fallo|robo|incendio|accidente)|(?P<una>avería|pérdida|rotura|fuga|caída)) (?:de|del|en)\b",
    re.IGNORECASE,
)


def suggested_questions(documents: DocumentQuerySet, *, count: int = SUGGESTIONS) -> list[str]:
    """Up to `count` questions about sections of these documents, from as many documents as can be; none where no
    heading makes one that a person would ask.
    """
    latest = documents.served().order_by("-active_version__uploaded_at", "pk")[:READ_DOCUMENTS]
    paths = (
        Chunk.objects.filter(version__in=list(latest.values_list("active_version", flat=True)), level__gte=1)
        .exclude(version__document_where_active__title=F("heading_path__0"), level=1)
        .order_by("position", "version_id")
        .values_list("version_id", "heading_path")[:READ_HEADINGS]
    )
    by_version: dict[int, dict[str, None]] = {}
    for version_id, path in paths:
        for heading in path:
            if question := question_about(heading):
                by_version.setdefault(version_id, {})[question] = None
    return _in_turn(map(list, by_version.values()), count)


def next_questions(citations: Sequence[CitedPassage], asked: Sequence[str], *, count: int = NEXT) -> list[str]:
    """Up to `count` questions that the sections around those cited answer, the nearest first, of two as near the one
    that follows; none that was `asked` before.

    Call inside the organization's scope.
    """
    cited: dict[int, list[CitedPassage]] = {}
    for one in citations:
        cited.setdefault(one.version_id, []).append(one)
    known = [stems(question) for question in asked]
    chosen: dict[str, None] = {}
    for questions in zip_longest(*(_about(version_id, parts) for version_id, parts in cited.items())):
        for question in filter(None, questions):
            if not any(stems(question) <= words for words in known):
                chosen[question] = None
    return list(chosen)[:count]


def _about(version_id: int, cited: Sequence[CitedPassage]) -> list[str]:
    """Questions about the sections of a version, the nearest to the first of those cited first."""
    # Chunks do not do: small sections share one, under the heading above them.
    headings = Func(F("blocks"), template="jsonb_path_query_array(%(expressions)s, '$[*] ? (@.kind == \"heading\")')")
    parsed = ParsedContent.objects.filter(version_id=version_id)
    found = parsed.values_list(Cast(headings, JSONField()), flat=True).first() or []
    paths = [path for heading in found if (path := tuple(heading["heading_path"]))]
    at = max(range(len(paths)), key=lambda index: (_shared(paths[index], cited[0].heading_path), -index), default=0)
    near = sorted(range(len(paths)), key=lambda index: (abs(index - at), index < at))
    said = {heading for one in cited for heading in (*one.heading_path, one.document_title)}
    nearest = [paths[index][-1] for index in near]
    return [question for heading in nearest if heading not in said and (question := question_about(heading))]


def _shared(path: Sequence[str], other: Sequence[str]) -> int:
    """How many headings two sections have in common, from the top."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(path, other, strict=False))))


def question_about(heading: str) -> str:
    """A question that a person would ask and the section of this heading answers; empty when the heading makes none."""
    title = _title(heading)
    if not SHORTEST <= len(title) <= LONGEST or title.count("?") > 1:
        return ""
    if _SAYS_NOTHING.match(title) or _IS_NO_MATTER.search(title) or _LEANS.search(title.strip("¿?")):
        return ""
    question = _as_question(title)
    return question if len(stems(question)) >= TELLING else ""


def _as_question(title: str) -> str:
    if title.startswith("¿") and title.endswith("?"):
        return title
    inside = _YOUR.sub(r"mi\1", _inside_a_sentence(title))  # who asks says «mi contraseña»
    if _IS_QUESTION.match(title):
        return f"¿{title}?"
    if _IS_TASK.match(title):
        return _("¿Cómo puedo %(task)s?") % {"task": inside}
    if _CASE.match(title):
        return _("¿Qué hago %(case)s?") % {"case": inside}
    if named := _ASKED_FOR.match(title):
        article = str(named.lastgroup)
        things = {"things": f"{article} {inside}"}
        return (
            _("¿Cuáles son %(things)s?") % things if article in ("los", "las") else _("¿Cuál es %(things)s?") % things
        )
    if mishap := _MISHAP.match(title):
        return _("¿Qué hago si hay %(mishap)s?") % {"mishap": f"{mishap.lastgroup} {inside}"}
    return ""


def _title(heading: str) -> str:
    """A heading without its number."""
    title = _REMARK.sub("", _NUMBER.sub("", heading, count=1).strip(" .:-–"))
    if title.startswith("(") and title.endswith(")"):
        title = title[1:-1]
    if not title.isupper():
        return title
    first = 1 if title.startswith("¿") else 0
    return title[:first] + title[first:].capitalize()  # capitals read as shouting in a question


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
