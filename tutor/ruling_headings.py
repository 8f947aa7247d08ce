"""Headings that turn what stands below them: «Prohibiciones», «Productos que no se devuelven». Pure.

«Usar el móvil personal.» below one that forbids says the contrary of what it says by itself.
"""

import re
from collections.abc import Sequence

from tutor.patterns import any_of
from tutor.units import UnitKind
from tutor.wording import compact, word_count

LONGEST = 30  # words of headings that are written before what they rule; longer ones leave out the outer
LONGEST_NAME = 8  # words of a sentence that may be a mere label; a longer one with a verb says itself what is so

# «No se devuelve», «no admiten», «no hacer»; but not «producto no conforme».
_DOES_NOT = (
    r"no (?:se|est[ae]n?|es|son|sean?|pued\w+|deb\w+|admit\w+|permit\w+|acept\w+|cubr\w+|inclu\w+|entran?|dan?"
    r"|tienen? derecho|hay que)\b"
)
_NOT = rf"(?:{_DOES_NOT}|no \w{{2,}}[aei]r(?:se)?)"
_DENIES = (
    rf"(?:{_NOT}|"
    + any_of(
        r"""nunca jamas nadie ni ningun[oa]? tampoco prohib\w+ exclu\w+ excep\w+ exent\w+ salvo
    vetad[oa]s? inadmi\w+ inaceptab\w+ incompatib\w+ desaconsej\w+ restringid\w+ restriccion(?:es)? limitaciones
    faltas? infraccion(?:es)? incumplimientos? conductas\ssancionables"""
    )
    + ")"
)
# «Que no se abrieron», «mientras se atiende a un cliente»: what is said there is not what the sentence says.
_SUBORDINATE = re.compile(
    r"\b(?:cuando|si|mientras|aunque|porque|donde|salvo|excepto)\b[^,;.]*"
    r"|\b(?:que|quien(?:es)?|cuy[oa]s?(?: \w+)?)(?: (?:el|la|los|las|una?) \w+)?(?: no)?"
    r"(?: (?:se|les?|l[oa]s?|te|nos))*(?: (?:han?|haya[ns]?|están?|es|son|sean?))? \w+"
)
_SAYS_SO = re.compile(  # of the main verb, folded
    rf"^\W*(?:{_NOT}|nunca|jamas|nadie|ningun[oa]?|tampoco|prohibid[oa]s?)\b|\b{_DOES_NOT}"
    r"|\b(?:nunca|jamas|nadie|tampoco) (?:se|pued\w+|deb\w+)\b|\bprohibid[oa]s?\W*$"
    r"|\b(?:se|es|son|estan?|quedan?|quedaran?) (?:\w+ ){0,2}(?:prohib|exclu|exceptu|exent|vetad|restring|inadmi"
    r"|inacept|incompatib|desaconsej|falta|infraccion|incumplimiento)\w*"
)
_NAMES_ACT = re.compile(r"\W*\w{2,}[aei]r(?:se|l[aeo]s?)?\b")  # «Usar el móvil personal»
_NO_VERBS = any_of(
    """orden examen volumen imagen origen margen virgen joven resumen crimen alguien dictamen régimen germen polen
    gluten gran tramos gramos kilogramos préstamos extremos reclamos"""
)
# A verb that says something of somebody, accents kept; where that is unsure it is taken for none.
_HAS_VERB = re.compile(
    rf"\bse (?:(?:les?|l[oa]s?) )?\w+|\b(?!{_NO_VERBS}\b)(?:\w{{2,}}(?:[ae]n|[ae]mos)|\w{{2,}}rá[ns]?)\b"
    r"|\b(?:es|son|está|hay|ha|han|he|hemos|tiene|debe|puede|va|van|queda|hace|era|fue|incluye|cubre|dura|cuesta"
    r"|corresponde|dispone|supone|consiste|necesita|recibe|lleva|da|dan|exige|permite|admite|acepta|devuelve)\b"
    r"|^\W*(?!(?:durante|ante|sobre|entre|mediante|para|hacia|desde)\b)\w{2,}[ae]"
    r" (?:el|la|los|las|una?|tus?|al|siempre|antes)\b"
)
_IN_BRACKETS = re.compile(r"\([^()]*\)")  # «Tarifas (sin IVA)»
_TURNS = re.compile(rf"\b{_DENIES}\b")
_TURNS_NAMES = re.compile(rf"\b(?:{_DENIES}|sin|errores)\b")

# «Si no hay conexión» says when its steps are taken, and turns none of them; «Cuándo no se devuelve» does.
_IS_WHEN = re.compile(r"[\W\d]*(?:si|en caso de|por que|que hacer|(?:como|cuando) (?!no\b))\b")


def forbids(text: str) -> bool:
    """Whether a heading or a sentence forbids, excludes or excepts."""
    return _TURNS.search(compact(text)) is not None


def ruling_headings(path: Sequence[str], kind: UnitKind, said: str, *, asks_price: bool = False) -> Sequence[str]:
    """The headings of a path from the one that forbids, excludes or excepts on: without them a unit of that kind reads
    as the contrary. None where what is `said` does so itself by its main verb, or is a whole sentence. An item or row
    names something, and is ruled by any; by what stands in brackets only for who asks for a price, «(sin IVA)».
    """
    is_sentence = kind is UnitKind.SENTENCE
    if _is_said_whole(said) if is_sentence else forbids(said):
        return ()
    turns = _TURNS if is_sentence else _TURNS_NAMES
    folded = [compact(one) if asks_price else _IN_BRACKETS.sub("", compact(one)) for one in path]
    first = next((at for at, one in enumerate(folded) if turns.search(one) and not _IS_WHEN.match(one)), None)
    headings = () if first is None else tuple(path[first:])
    while len(headings) > 1 and word_count(" ".join(headings)) > LONGEST:
        headings = headings[1:]
    return headings


def _is_said_whole(sentence: str) -> bool:
    """Whether a sentence says itself what is so: «no se devuelven», but not «los congelados, salvo los defectuosos»."""
    main = _SUBORDINATE.sub("", sentence.casefold())
    if _SAYS_SO.search(compact(main)):
        return True
    if _NAMES_ACT.match(compact(main)) or not _HAS_VERB.search(main):
        return False
    return word_count(sentence) > LONGEST_NAME or forbids(sentence)
