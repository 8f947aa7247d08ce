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
    """`signs` and `mishaps` are matched with a question as `asked` writes it, `names` with a document's folded text."""

    signs: re.Pattern[str]  # that it happens: by a verb, or to somebody
    mishaps: re.Pattern[str]  # its name, which also stands in «seguro de robo» and «detector de humo»
    names: re.Pattern[str]
    wording: str  # how one would look for what to do


_FIRST_AID = "primeros auxilios|botiquin"
_SOMEBODY = (
    r"(?:client[ea]|senora?|hombre|mujer|nin[oa]|persona|alguien|companer[oa]|emplead[oa]|camarer[oa]|cociner[oa])"
)
_BODY = (
    r"(?:caras?|labios?|lengua|boca|garganta|cuello|parpados?|ojos?|manos?|dedos?|brazos?|piernas?|pies?|cabeza|cuerpo)"
)
_HURT = r"(?:cortad[oa]|clavad[oa]|pinchad[oa])"
_EMERGENCIES = tuple(
    Emergency(re.compile(rf"\b(?:{signs})"), re.compile(rf"\b(?:{mishaps})\b"), re.compile(rf"\b(?:{names})"), wording)
    for signs, mishaps, names, wording in (
        (
            rf"se (?:le|les|me|te|nos) (?:\w+ )?h?inch\w+|h?inch\w+ (?:\w+ ){{0,2}}{_BODY}\b"
            rf"|{_BODY} (?:\w+ )?h?inchad\w+"
            r"|(?:pica|picor (?:en|de)) (?:mucho )?(?:la|el) (?:boca|lengua|garganta)\b"
            r"|(?:lips?|face|tongue|throat|eyes?) (?:\w+ ){0,2}sw[eo]ll\w*|swollen (?:lips?|face|tongue|throat|eyes?)\b"
            r"|(?:has|having) an? (?:\w+ )?allergic reaction\b",
            r"ronchas?|sarpullidos?|urticaria|anafila\w+|shock|reaccion(?:es)? alergicas?",
            r"reaccion(?:es)? alergicas?|anafila|adrenalina|sufre una reaccion",
            "qué hacer si alguien sufre una reacción alérgica",
        ),
        (
            r"se (?:me |nos |esta |a |ha )?(?:ahog|atragant|asfixi)\w+|no (?:\w+ ){0,2}respira\w*"
            r"|(?:cuesta (?:\w+ )?|dificultad (?:para|al) )respirar\b|falta el aire\b"
            r"|chok(?:es|ing)\b|(?:cannot|cant|can\W?t) breathe\b",
            r"atragantamiento|asfixia",
            r"respira(?:r|cion)\b|atragant|asfixi|heimlich|anafila",
            "qué hacer si alguien no puede respirar o se atraganta",
        ),
        (
            r"(?:se|me|nos) (?:\w+ )?(?:desmay|mare)\w+|(?:desmay|mare)ad[oa]s?\b|inconsciente\b"
            r"|perdido el conocimiento\b|convulsiona\w*|faint(?:s|ed|ing)\b|passed out\b",
            r"desmayos?|mareos?|convulsion(?:es)?|infarto|paro cardiaco|ataque (?:epileptico|al corazon)"
            r"|dolor (?:\w+ )?(?:en el|de) pecho",
            rf"desmay|mareo|inconscien|conocimiento|convulsi|infarto|{_FIRST_AID}",
            "qué hacer si alguien se desmaya o se marea",
        ),
        (
            rf"(?:me|nos) (?:e|he|hemos) (?:\w+ )?quemad[oa]\b|me quem[eo]\b"
            rf"|{_SOMEBODY} (?:\w+ )?se (?:(?:a|ha) )?quema\w*"
            rf"|se (?:a|ha) quemado (?:\w+ )?(?:{_SOMEBODY}|{_BODY}|con)\b"
            r"|salpicad\w+ (?:\w+ ){0,3}(?:aceite|agua hirviendo)\b|burn(?:ed|t) (?:my|his|her|their|him|her)\w*\b",
            r"quemaduras?",
            rf"quemadur|quemad[oa]s? |{_FIRST_AID}",
            "qué hacer si alguien se quema, quemaduras",
        ),
        (
            rf"(?:me|nos) (?:e|he|hemos) (?:\w+ )?{_HURT}\b|me cort[eo]\b"
            rf"|{_SOMEBODY} (?:\w+ )?se (?:corta|(?:a|ha) {_HURT})\b"
            rf"|se (?:a|ha) {_HURT} (?:\w+ )?(?:{_SOMEBODY}|{_BODY}|con)\b|sangr(?:a|ando)\b|hay (?:mucha )?sangre\b"
            r"|cut (?:my|his|her|their)\w*\b|bleeding\b",
            r"heridas?|hemorragias?",
            rf"heridas?\b|heridos?\b|sangr|{_FIRST_AID}",
            "qué hacer si alguien se corta o sangra, heridas",
        ),
        (
            rf"(?:{_SOMEBODY} (?:\w+ )?(?:se )?(?:a|ha) (?:caido|resbalado)|se (?:a|ha) (?:caido|resbalado) (?:\w+ )?"
            rf"{_SOMEBODY})\b|me (?:e|he) (?:caido|resbalado)\b|me (?:cai|resbale)\b|golpe en la cabeza\b|electrocut\w+"
            r"|se (?:a|ha) roto (?:el|la|un|una) (?:brazo|pie|pierna|mano|dedo)\b",
            r"descarga electrica|accidentes?(?: de trabajo| laboral(?:es)?)?",
            rf"accidentes?\b|accidentad|lesion|{_FIRST_AID}",
            "qué hacer si hay un accidente de trabajo o alguien se lesiona",
        ),
        (
            r"se (?:esta )?quema(?:ndo)? (?:el|la|todo)\b"
            r"|(?:esta|sale|salen) (?:mucho |en )?(?:ardiendo|llamas|humo|fuego)\b"
            r"|(?:is|are) on fire\b|there\W?i?s (?:a )?(?:fire|smoke)\b",
            r"fuego|incendios?|humo",
            r"fuego|incendi|humo|extintor|evacua",
            "qué hacer en caso de incendio",
        ),
        (
            r"(?:uele|huele) (?:\w+ ){0,2}a gas\b|smells? (?:of|like) gas\b",
            r"olor a gas|(?:fugas?|escapes?) de (?:gas|butano)",
            r"gas\b|butano",
            "qué hacer si huele a gas o hay una fuga de gas",
        ),
        (
            r"atrac(?:an|ando|ado)\b|(?:nos|me) (?:(?:han|estan|an) )?rob\w+"
            r"|(?:han|an) (?:entrado a )?rob\w+|(?:han|an) (?:forzado|reventado)\b|una (?:pistola|navaja)\b"
            r"|being robbed\b",
            r"atracos?|atracador\w*|robos?|ladron\w*",
            r"robo|robar|robad|atraco|atraca|intrus|forzad|ladron|polici",
            "qué hacer si hay un robo o un atraco, puerta forzada",
        ),
        (
            r"se (?:esta|ha|a) (?:inunda\w+)|revent\w+ (?:una|la) tuberia\b",
            r"inundacion(?:es)?|(?:fugas?|escapes?) de agua",
            r"inunda|(?:fuga|escape)s? de agua|tuberia",
            "qué hacer si hay una inundación o una fuga de agua",
        ),
        (
            r"(?:lejia|desengrasante|producto|quimico|acido)\b.*\b(?:ojos?|tragad[oa]|bebido)\b"
            r"|(?:ojos?|tragad[oa]|bebido)\b.*\b(?:lejia|desengrasante|producto|quimico|acido)\b|intoxicad\w+|envenenad\w+",
            r"intoxicacion(?:es)?|envenenamientos?",
            rf"toxicolog|intoxica|ingesti[oó]n|contacto con los ojos|{_FIRST_AID}",
            "qué hacer si un producto químico salpica en los ojos o se ingiere",
        ),
    )
)
_HAPPENS = re.compile(
    r"\b(?:hay|habido|hubo|tenemos|tengo|tiene|sufrido|sufre|sufrio|tenido|tuvo|dado|da|"
    rf"{_SOMEBODY} con) (?:un |una |mucho |mucha )?$"
)
_IS_BEFORE_A_MISHAP = re.compile(r"\W*(?:(?:y|pero|socorro|ayuda|auxilio|urgente|emergencia|un|una)\W+)*")
_IS_BEHIND_A_MISHAP = re.compile(r"(?:\W+(?:en|con|al?|del?) (?:(?:el|la|los|las|un|una|mi) )?\w+)?\W*")
_WHAT_TO_DO = re.compile(
    r"\b(?:como|que) (?:se )?(?:debo |hay que |tengo que )?(?:actu\w+|reaccion\w+)\b|\bque hacer\b"
    r"|^\W*(?:y |pero )?(?:que pasa )?si (?:hay|se|le|nos|me|un|una|algun|alguien)\b"
    r"|\b(?:que|cual(?:es)? (?:es|son) (?:el|los)) (?:protocolo|pasos)\b"
    r"|\bwhat (?:(?:do|should|can|must) (?:i|we) do|to do)\b|\bwho (?:do|should) (?:i|we) call\b"
)
_IN_CASE = re.compile(r"\b(?:protocolo|pasos|en caso de)\b")
_ASKS_SOMETHING_ELSE = re.compile(
    r"\b(?:que|quien(?:es)?|cuant[oa]s?|cuando|donde|cual(?:es)?|puedo|puede|podemos|debo|hay que|como"
    r"|cubren?|pagan?|cobr[aoe]n?)\b"
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
    """The emergency that a question tells of, or asks what to do in; None when it asks for anything else, and when it
    only names one beside other words: «seguro de robo».
    """
    text = asked(question)
    for emergency in _EMERGENCIES:
        if _tells_of(emergency, text):
            if asks_what_to_do(question) or _WHAT_TO_DO.search(text):
                return emergency
            return None if "?" in text or _ASKS_SOMETHING_ELSE.search(text) else emergency
    named = next((one for one in _EMERGENCIES if one.mishaps.search(text)), None)
    if named is None or asks_what_to_do(question) or _WHAT_TO_DO.search(text):
        return named
    if _ASKS_SOMETHING_ELSE.search(text):
        return None
    return named if _IN_CASE.search(text) or _names_no_more_than(named, text) else None


def _tells_of(emergency: Emergency, text: str) -> bool:
    """Whether somebody says that it happens, rather than speaks about it."""
    return emergency.signs.search(text) is not None or any(
        _HAPPENS.search(text[: mishap.start()]) for mishap in emergency.mishaps.finditer(text)
    )


def _names_no_more_than(emergency: Emergency, text: str) -> bool:
    """Whether a mishap stands alone, or with where, with what or to whom it happened."""
    return any(
        _IS_BEFORE_A_MISHAP.fullmatch(text, 0, mishap.start()) and _IS_BEHIND_A_MISHAP.fullmatch(text, mishap.end())
        for mishap in emergency.mishaps.finditer(text)
    )


def led_to_instructions(result: SearchResult, told: SearchResult, emergency: Emergency) -> SearchResult:
    """A question's search with only what says something about its emergency: of what was found by the emergency's own
    wording (`told`), then of what the question found. Where nothing does, what the question found if it only names the
    emergency; without passages, and no evidence, if it tells of one.
    """
    found = {passage.chunk_id: passage for passage in (*told.passages, *result.passages)}
    passages = tuple(instructive(emergency, list(found.values())))
    if not passages and result.evidence and not _tells_of(emergency, asked(result.question)):
        return result
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
