"""Sentences that make no sense alone: what they are about stands in the sentence or the heading before. Pure.

«También lleva trazas», «Este plazo no se alarga», «Contiene gluten.»: shown by itself such a sentence may be read as
one about whatever was asked.
"""

import re

from tutor.patterns import any_of
from tutor.wording import compact

# «Este manual explica» speaks of the whole document; without its accent, «está prohibido» begins as «esta tarta» does.
_THE_DOCUMENT = (
    r"(?!est[ea]s? (?:guia|manual|documento|norma|curso|procedimiento|reglamento|ley|texto|capitulo|apartado)\b"
    r"|esta (?:prohibid|permitid)[oa]s?\b)"
)
_POINTS_BACK = any_of(
    r"""est[eao]s? es[eao]s? esto eso ello ell[oa]s? aquel(?:l[oa]s?)? ademas tambien asimismo entonces asi tampoco
    igualmente despues luego dich[oa]s? (?:el|la|los|las)\smism[oa]s? ambos ambas sus? otr[oa]s? aun\sasi
    (?:por|para|con|en|de|a|tras|desde|sobre)\s(?:est[eao]s?|es[eao]s?|esto|eso|ello|ell[oa]s?|dich[oa]s?) sin\sembargo
    en\s(?:caso\scontrario|cambio|tal\scaso|cualquiera\sde\slos\scasos) de\slo\scontrario si\sasi por\stanto
    por\slo\stanto no\sobstante pero"""
)
# What a thing named before is, has or does. Not «es obligatorio», «puede haber», «debe existir», which lack nothing.
_IS_OR_HAS = any_of(
    r"""contienen? llevan? incluyen? tienen? cuestan? valen? duran? caducan? sirven? constan? proceden? pertenecen?
    vienen? equivalen? sustituyen? acompanan? miden? pesan? cubren? vencen? disponen? comprenden?
    (?:es|son|esta|estan|puede|pueden|debe|deben|podra|podran|debera|deberan)"""
)
_IMPERSONAL = (
    r"(?:(?:haber|existir|que|quien|obligatori|necesari|important|posible|imprescindible|precis[oa]|recomendabl"
    r"|aconsejabl|convenient|esencial|fundamental|mejor|habitual|frecuent|suficient|prohibid|permitid)\w*|\w+[aei]rse)\b"
)
_KEPT_SOMEHOW = any_of(
    r"""guardan? conservan? mantienen? sirven? entregan? cambian? renuevan? limpian? lavan? revisan? firman? anotan?
    preparan? hacen? descuentan? devuelven? cobran? pagan? ofrecen? elaboran? retiran? tiran? calculan? abonan?"""
)
_LEANS = re.compile(
    rf"(?:(?:y|e|no|nunca|solo|siempre|si|cuando|aunque) )*{_THE_DOCUMENT}(?:{_POINTS_BACK}\b"
    rf"|{_IS_OR_HAS} (?!{_IMPERSONAL}|(?:el|la|un|una) (?:primer|segund|ultim)\w*)"
    r"|se (?:le|les|lo|la|los|las) "
    rf"|se {_KEPT_SOMEHOW} (?!(?:el|la|los|las|un|una|unos|unas|que|al?|cada|tod[oa]s?|est[eao]s?) ))"
)


# «Se hace sin harina, pero en el mismo obrador. Por eso no es apta para celíacos.»: who reads the first alone errs.
_FOLLOWS = re.compile(
    r"(?:por (?:eso|ello|esto|tanto|lo tanto|este motivo|esta razon)|sin embargo|no obstante|en cambio|aun asi|pero"
    r"|asi que|de ahi que|en consecuencia|en (?:ese|tal|este) caso|de lo contrario|en caso contrario"
    r"|(?:pasado|transcurrido|cumplido)s? (?:ese|este|dicho) (?:plazo|tiempo|periodo)|despues se aplica"
    r"|la unica opcion|la unica excepcion|excepto|salvo)\b"
)


def follows_from(text: str) -> bool:
    """Whether a sentence draws the conclusion from the one before it, or takes back what that says."""
    return _FOLLOWS.match(compact(text).lstrip('-*•«"“¡¿( ')) is not None


def leans_back(text: str) -> bool:
    """Whether what a sentence is about stands before it: it begins by pointing back, or its subject is left out."""
    return _LEANS.match(compact(text).lstrip('-*•«"“¡¿( ')) is not None
