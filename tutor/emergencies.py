"""Emergencies told in a hurry, and the sections that say what to do about them. Pure.

«Se le hincha la cara a un cliente» shares no word with «Qué hacer en los primeros minutos», and what shares its words
(«la cara del envase») is of no help. So signs are read as what they are signs of; that is what is searched for, and
only sections that speak of it may answer. Where none does, no answer is better than the rules of something else.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from retrieval.types import Passage, SearchResult
from tutor.emergency_parts import BODY, SOMEBODY, THING, Emergency
from tutor.emergency_signs import EMERGENCIES
from tutor.wording import asked, asks_what_to_do, compact, word_count

_HAPPENS = re.compile(
    r"(?<!\bno )\b(?:hay|habido|hubo|tenemos|tengo|tiene|teniendo|sufrido|sufriendo|sufre|sufrio|tenido|tuvo|dado|da"
    rf"|dio|dando|se siente|{SOMEBODY} con) (?:una? |much[oa]s? )?$"
)
_PERSON = re.compile(rf"\b(?:{SOMEBODY}|{BODY}|me|le|les|nos|puedo|estoy|ella|ellos)\b")
_THE = r"(?:(?:el|la|los|las|un|una|unos|unas|mi|mis|su|sus|este|esta|estos|estas|dos) )?"
# «El coche de un cliente se ahoga» and «el coche que se ahoga», but not «en el coche se ahoga», «el conductor del
# camión se ahoga», «comiendo carne se ahoga» and «baja del coche y se ahoga».
_IS_NO_SUBJECT = re.compile(
    r"\b(?:en|con|del?|por|tras|bajo|sobre|contra|desde|entre|junto al|com\w+|trag\w+|\w+ndo) "
    rf"{_THE}(?:\w+ )?$"
)
_MATTER = re.compile(rf"\b(?:problemas?|fallos?|averias?|pasa) (?:con|de|en|del) ?{_THE}$")
_A_THING = re.compile(rf"\b{THING}\b")
_UP_TO_THE_SIGN = re.compile(r" (?:de(?:l| \w+)? \w+ ){0,3}(?:(?!(?:y|que|pero)\b)\w+ ){0,4}(?:que )?$")
# What a sentence begins with is what it is about: «el coche arranca y, en frío, se ahoga».
_BEGINS = re.compile(rf"(?:^|[^\w\s])\W*(?:(?:si|cuando|porque|tengo|tenemos|hay|al?) )?{_THE}$")
_AND_A_THING = re.compile(
    r" (?:(?:\w+mente|mucho|mucha|bastante|siempre|tambien|ya|hoy|en frio|al acelerar|al arrancar) )?"
    rf"(?:al? )?{_THE}{THING}\b"
)
_IS_BEFORE_A_MISHAP = re.compile(r"\W*(?:(?:y|pero|socorro|ayuda|auxilio|urgente|emergencia|un|una)\W+)*")
_IS_BEHIND_A_MISHAP = re.compile(r"(?:\W+(?:en|con|al?|del?) (?:(?:el|la|los|las|un|una|mi) )?\w+)?\W*")
_WHAT_TO_DO = re.compile(
    r"\b(?:como|que) (?:se )?(?:debo |hay que |tengo que )?(?:actu\w+|reaccion\w+)\b"
    r"|^\W*(?:y |pero )?(?:que pasa )?"
    r"si (?:hay|se|le|nos|me|un|una|algun|alguien|no respira\w*|no pued\w+|sangra\w*|lleva)\b"
    r"|\b(?:que|cual(?:es)? (?:es|son) (?:el|los)) (?:protocolo|pasos)\b"
    r"|\bwhat (?:(?:do|should|can|must) (?:i|we) do|to do)\b|\bwho (?:do|should) (?:i|we) call\b"
)
_IN_CASE = re.compile(r"\b(?:protocolo|pasos|en caso de)\b")
_WHOM_TO_CALL = re.compile(
    r"\ba (?:quien|que numero|donde) (?:\w+ ){0,2}(?:llam|avis)\w+|\b(?:llamo|llamamos|aviso|avisamos) al?\b"
)
_ASKS_SOMETHING_ELSE = re.compile(
    r"\b(?:que|quien(?:es)?|cuant[oa]s?|cuando|donde|cual(?:es)?|puedo|puede|podemos|debo|hay que|como"
    r"|cubren?|pagan?|cobr[aoe]n?)\b"
)
# The same words asking nothing: «no puede levantarse», «no sé cómo», «un señor que», «dice que», «cuando limpiaba».
_ASKS_NOTHING = re.compile(
    rf"\b(?:no (?:(?:se|me|le|les|nos|lo|la|sabemos|sabe|saben) )?|(?:{SOMEBODY}|{BODY}|dice|dicen|creo|parece|veo"
    rf"|lo) )"
    r"(?:que|quien|cuando|donde|cual|como|puedo|puede|podemos|debo)\b"
    r"|\bcuando (?:\w+ )?\w+(?:aba|abamos|aban|ia|iamos|ian)\b|\bhay que (?:llamar|avisar|ayudar|evacuar|salir)\b"
)
_SAYS_WHAT_TO_DO = re.compile(
    r"\bque (?:hacer|se hace|hay que hacer)\b|\bcomo actuar\b|\bactuacion\b|\ben caso de\b"
    r"|\bprimeros (?:minutos|auxilios)\b|\bemergencias?\b|\bprotocolo\b|\bpasos\b"
)
_IS_OF_EMERGENCIES = re.compile(r"\bemergencias?\b|\bprimeros (?:minutos|auxilios)\b|\bevacuacion\b|\bsi alguien\b")
_ACTS = re.compile(
    r"\b(?:llam[aeo]\w*|avis[aeo]\w*|112|emergencias?|urgencias?|primeros auxilios|botiquin|medic[oa]s?|ambulancia"
    r"|evacu\w+|extintor\w*|polici\w+|desaloj\w+|alej\w+)\b"
)

FEW_WORDS = 8
# «Se establecen procedimientos para: a) Evacuación en caso de incendio»: names of what is done, and nothing to do.
_ANNOUNCED = re.compile(
    r"\b(?:procedimientos?|protocolos?|planes|plan|medidas) (?:para|de|sobre)\b[^.]*?(?:\.|$)|\bevacuacion(?:es)?\b"
)


def emergency_in(question: str) -> Emergency | None:
    """The emergency that a question tells of, or asks what to do in; None when it asks for anything else, and when it
    only names one beside other words: «seguro de robo».
    """
    text = asked(question)
    asks_for_help = asks_what_to_do(question) or _WHAT_TO_DO.search(text) is not None
    for emergency in EMERGENCIES:
        told = _told(emergency, text)
        if told is not None:
            if asks_for_help or _WHOM_TO_CALL.search(text):
                return emergency
            return None if "?" in text or _asks_something_else(text, told) else emergency
    named = next((one for one in EMERGENCIES if one.mishaps.search(text)), None)
    if named is None or asks_for_help:
        return named
    if _ASKS_SOMETHING_ELSE.search(text):
        return None
    return named if _IN_CASE.search(text) or _names_no_more_than(named, text) else None


def _told(emergency: Emergency, text: str) -> re.Match[str] | None:
    """The words by which somebody says that it happens, rather than speaks about it."""
    sign = emergency.signs.search(text)
    if sign is not None:
        return sign
    for shared in emergency.shared_signs.finditer(text):
        if _somebody_shows(shared, text):
            return shared
    return next((one for one in emergency.mishaps.finditer(text) if _HAPPENS.search(text[: one.start()])), None)


def _somebody_shows(sign: re.Match[str], text: str) -> bool:
    """Whether a sign that things show too is shown by a person: it is, where no thing is said to show it."""
    if _AND_A_THING.match(text, sign.end()):
        return False
    before = text[: sign.start()]
    somebody = _PERSON.search(text) is not None
    for thing in _A_THING.finditer(before):
        ahead = before[: thing.start()]
        if _IS_NO_SUBJECT.search(ahead) and not _MATTER.search(ahead):
            continue
        if _UP_TO_THE_SIGN.match(before, thing.end()):
            return False
        if not somebody and (_BEGINS.search(ahead) or _MATTER.search(ahead)):
            return False
    return True


def _asks_something_else(text: str, told: re.Match[str]) -> bool:
    """Whether something is asked beside what is told: a sign may hold a question's words («no puede respirar»)."""
    around = f"{text[: told.start()]}. {text[told.end() :]}"
    return _ASKS_SOMETHING_ELSE.search(_ASKS_NOTHING.sub("", around)) is not None


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
    passages = tuple(instructive(emergency, list(found.values()), to_call=asks_whom_to_call(result.question)))
    if not passages and result.evidence and _told(emergency, asked(result.question)) is None:
        return result
    evidence = (told.evidence or announces_emergencies(emergency, passages)) and bool(passages)
    return replace(told, question=result.question, searched=result.searched, passages=passages, evidence=evidence)


def instructive(emergency: Emergency, passages: Sequence[Passage], *, to_call: bool = False) -> list[Passage]:
    """Those of the passages that say what is done in an emergency, in their order: they speak of it, or stand beside a
    section that does, because signs and what follows from them often have a section each. Where headings announce what
    to do, only those, but for who asks whom `to_call`: that may stand in a list of numbers.
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
    about = [passage for passage in about if not _only_announces(passage)]
    announced = [passage for passage in about if _says_what_to_do(passage)]
    if announced and not to_call:
        return announced
    return [passage for passage in about if passage in announced or _acts(passage)]


def asks_whom_to_call(question: str) -> bool:
    """Whether it is asked who is called or told, or which number."""
    return _WHOM_TO_CALL.search(asked(question)) is not None


def announces_emergencies(emergency: Emergency, passages: Sequence[Passage]) -> bool:
    """Whether one of the passages speaks of an emergency below a heading that says it is about what to do in one."""
    return any(_names(emergency, passage) and _IS_OF_EMERGENCIES.search(_title(passage)) for passage in passages)


def _names(emergency: Emergency, passage: Passage) -> bool:
    return emergency.names.search(compact(" ".join((*passage.heading_path, passage.text)))) is not None


def _says_what_to_do(passage: Passage) -> bool:
    return _SAYS_WHAT_TO_DO.search(_title(passage)) is not None


def _title(passage: Passage) -> str:
    return compact(" ".join(passage.heading_path[-1:]))


def _only_announces(passage: Passage) -> bool:
    """Whether next to nothing is left of a text without the procedures that it names."""
    text = compact(passage.text)
    return _ANNOUNCED.search(text) is not None and word_count(_ANNOUNCED.sub("", text)) < FEW_WORDS


def _acts(passage: Passage) -> bool:
    return _ACTS.search(_ANNOUNCED.sub("", compact(passage.text))) is not None
