"""Emergencies told in a hurry, and the sections that say what to do about them. Pure.

«Se le hincha la cara a un cliente» shares no word with «Qué hacer en los primeros minutos», and what shares its words
(«la cara del envase») is of no help. So signs are read as what they are signs of; that is what is searched for, and
only sections that speak of it may answer. Where none does, no answer is better than the rules of something else.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from retrieval.types import Passage, SearchResult
from tutor.wording import asked, asks_what_to_do, compact


@dataclass(frozen=True, slots=True)
class Emergency:
    """`signs` are matched with a question as `asked` writes it, `names` with folded text of a document."""

    signs: re.Pattern[str]
    names: re.Pattern[str]
    wording: str  # how one would look for what to do


_FIRST_AID = "primeros auxilios|botiquin"
_SOMEBODY = (
    r"(?:client[ea]|senora?|hombre|mujer|nin[oa]|persona|alguien|companer[oa]|emplead[oa]|camarer[oa]|cociner[oa])"
)
_EMERGENCIES = tuple(
    Emergency(re.compile(rf"\b(?:{signs})"), re.compile(rf"\b(?:{names})"), wording)
    for signs, names, wording in (
        (
            r"h?inch(?:a|ad[oa]|and?o|azon)\w*\b|ronchas?\b|sarpullidos?\b|urticaria\b|anafila\w+|shock\b"
            r"|reaccion(?:es)? alergicas?\b|(?:pica|picor (?:en|de)) (?:mucho )?(?:la|el) (?:boca|lengua|garganta)\b",
            r"reaccion(?:es)? alergicas?|anafila|adrenalina|sufre una reaccion",
            "qué hacer si alguien sufre una reacción alérgica",
        ),
        (
            r"se (?:me |nos |esta |a |ha )?(?:ahog|atragant|asfixi)\w+|no (?:\w+ ){0,2}respira\w*"
            r"|(?:cuesta (?:\w+ )?|dificultad (?:para|al) )respirar\b|falta el aire\b",
            r"respira(?:r|cion)\b|atragant|asfixi|heimlich|anafila",
            "qué hacer si alguien no puede respirar o se atraganta",
        ),
        (
            r"desmay\w+|mare(?:o|a|ad[oa]|ando)s?\b|inconsciente\b|perdido el conocimiento\b|convulsion\w*|infarto\b"
            r"|paro cardiaco\b|ataque (?:epileptico|al corazon)\b|dolor (?:\w+ )?(?:en el|de) pecho\b",
            rf"desmay|mareo|inconscien|conocimiento|convulsi|infarto|{_FIRST_AID}",
            "qué hacer si alguien se desmaya o se marea",
        ),
        (
            r"quemaduras?\b|(?:me|te|se|nos) (?:e|he|a|ha|hemos|han) (?:\w+ )?quemad[oa]\b|me queme\b"
            r"|salpicad\w+ (?:\w+ ){0,3}(?:aceite|agua hirviendo)\b",
            rf"quemadur|quemad[oa]s? |{_FIRST_AID}",
            "qué hacer si alguien se quema, quemaduras",
        ),
        (
            r"(?:me|te|se|nos) (?:e|he|a|ha|hemos|han) (?:\w+ )?(?:cortad[oa]|clavad[oa]|pinchad[oa])\b|me corte\b"
            r"|heridas?\b|sangr(?:a|ando|e)\b",
            rf"heridas?\b|heridos?\b|sangr|{_FIRST_AID}",
            "qué hacer si alguien se corta o sangra, heridas",
        ),
        (
            rf"(?:{_SOMEBODY} (?:\w+ )?(?:se )?(?:a|ha) (?:caido|resbalado)|se (?:a|ha) (?:caido|resbalado) (?:\w+ )?"
            rf"{_SOMEBODY})\b|me (?:e|he) (?:caido|resbalado)\b|me (?:cai|resbale)\b|golpe en la cabeza\b|electrocut\w+"
            r"|descarga electrica\b|accidente\b|se (?:a|ha) roto (?:el|la|un|una) (?:brazo|pie|pierna|mano|dedo)\b",
            rf"accidentes?\b|accidentad|lesion|{_FIRST_AID}",
            "qué hacer si hay un accidente de trabajo o alguien se lesiona",
        ),
        (
            r"fuego\b|incendios?\b|humo\b|se quema (?:el|la|todo)\b|(?:esta|sale|salen) (?:ardiendo|llamas)\b",
            r"fuego|incendi|humo|extintor|evacua",
            "qué hacer en caso de incendio",
        ),
        (
            r"(?:uele|huele|olor) (?:\w+ ){0,2}a gas\b|(?:fuga|escape) de (?:gas|butano)\b",
            r"gas\b|butano",
            "qué hacer si huele a gas o hay una fuga de gas",
        ),
        (
            r"atrac(?:o|ar|an|ando|ado|ador\w*)\b|(?:nos|me) (?:(?:han|estan|an) )?rob\w+"
            r"|(?:han|an) (?:entrado a )?rob\w+|robo\b|ladron\w*|(?:han|an) (?:forzado|reventado)\b|pistola\b|navaja\b",
            r"robo|robar|robad|atraco|atraca|intrus|forzad|ladron|polici",
            "qué hacer si hay un robo o un atraco, puerta forzada",
        ),
        (
            r"inundacion\b|se (?:esta|ha|a) (?:inunda\w+)|(?:fuga|escape) de agua\b|revent\w+ (?:una|la) tuberia\b",
            r"inunda|(?:fuga|escape)s? de agua|tuberia",
            "qué hacer si hay una inundación o una fuga de agua",
        ),
        (
            r"(?:lejia|desengrasante|producto|quimico|acido)\b.*\b(?:ojos?|tragad[oa]|bebido)\b"
            r"|(?:ojos?|tragad[oa]|bebido)\b.*\b(?:lejia|desengrasante|producto|quimico|acido)\b|intoxicad\w+|envenenad\w+",
            rf"toxicolog|intoxica|ingesti[oó]n|contacto con los ojos|{_FIRST_AID}",
            "qué hacer si un producto químico salpica en los ojos o se ingiere",
        ),
    )
)
_WHAT_TO_DO = re.compile(
    r"\bcomo (?:actu\w+|reaccion\w+)\b|\b(?:que hacer|protocolo|pasos|en caso de)\b"
    r"|^\W*(?:y |pero )?(?:que pasa )?si (?:hay|se|le|nos|me|un|una|algun|alguien)\b"
)
_ASKS_SOMETHING_ELSE = re.compile(
    r"\?|\b(?:que|quien(?:es)?|cuant[oa]s?|cuando|donde|cual(?:es)?|puedo|puede|podemos|debo|hay que|como)\b"
)
_SAYS_WHAT_TO_DO = re.compile(
    r"\bque (?:hacer|se hace|hay que hacer)\b|\bcomo actuar\b|\bactuacion\b|\ben caso de\b"
    r"|\bprimeros (?:minutos|auxilios)\b|\bemergencias?\b|\bprotocolo\b|\bpasos\b"
)
_ACTS = re.compile(
    r"\b(?:llam[aeo]\w*|avis[aeo]\w*|112|emergencias?|urgencias?|primeros auxilios|botiquin|medic[oa]s?|ambulancia"
    r"|evacu\w+|extintor\w*|polici\w+|desaloj\w+|alej\w+)\b"
)


def emergency_in(question: str) -> Emergency | None:
    """The emergency that a question tells of, or asks what to do in; None when it asks for anything else."""
    text = asked(question)
    found = next((one for one in _EMERGENCIES if one.signs.search(text)), None)
    if found is None or asks_what_to_do(question) or _WHAT_TO_DO.search(text):
        return found
    return None if _ASKS_SOMETHING_ELSE.search(text) else found


def led_to_instructions(result: SearchResult, told: SearchResult, emergency: Emergency) -> SearchResult:
    """A question's search with only what says something about its emergency: of what was found by the emergency's own
    wording (`told`), then of what the question found. Without passages, and no evidence, where nothing does.
    """
    found = {passage.chunk_id: passage for passage in (*told.passages, *result.passages)}
    passages = tuple(instructive(emergency, list(found.values())))
    evidence = told.evidence and bool(passages)
    return replace(told, question=result.question, searched=result.searched, passages=passages, evidence=evidence)


def instructive(emergency: Emergency, passages: Sequence[Passage]) -> list[Passage]:
    """Those of the passages that say what is done in an emergency, in their order: they speak of it, or stand beside a
    section that does, because signs and what follows from them often have a section each. Where headings announce what
    to do, only those.
    """
    named = {passage.chunk_id: _names(emergency, passage) for passage in passages}
    chapters = {
        (passage.document_id, passage.heading_path[:-1])
        for passage in passages
        if named[passage.chunk_id] and len(passage.heading_path) > 1
    }
    about = [
        passage
        for passage in passages
        if named[passage.chunk_id]
        or ((passage.document_id, passage.heading_path[:-1]) in chapters and _says_what_to_do(passage))
    ]
    return [passage for passage in about if _says_what_to_do(passage)] or [one for one in about if _acts(one)]


def _names(emergency: Emergency, passage: Passage) -> bool:
    return emergency.names.search(compact(" ".join((*passage.heading_path, passage.text)))) is not None


def _says_what_to_do(passage: Passage) -> bool:
    return _SAYS_WHAT_TO_DO.search(compact(" ".join(passage.heading_path[-1:]))) is not None


def _acts(passage: Passage) -> bool:
    return _ACTS.search(compact(passage.text)) is not None
