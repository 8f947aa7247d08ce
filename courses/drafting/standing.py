"""Which sentences can be read by themselves, without the one before. Pure functions."""

import re

_ITSELF = (
    r"(?:ley|reglamento|norma|manual|gu[ií]a|documento|curso|m[oó]dulo|unidad|tema|cap[ií]tulo|t[ií]tulo|secci[oó]n"
    r"|pol[ií]tica|procedimiento|protocolo|plan|empresa|organizaci[oó]n)"
)
_POINTS_BACK = re.compile(
    # What it goes on from was said before: «Además», «Por tanto», «A su vez».
    r"^(?:además|también|asimismo|así|entonces|igualmente|finalmente|no obstante|sin embargo|ahora bien|al contrario"
    r"|al propio tiempo|a continuación|a su vez|a tal efecto|de ahí|de hecho|del mismo modo|otr[oa]s?|[yoe]|pero|pues"
    r"|porque|por (?:el contrario|ello|eso|tanto|lo tanto|ende|consiguiente|ejemplo|otra parte|otro lado|último)"
    r"|en (?:cambio|consecuencia|definitiva|particular|(?:primer|segundo|tercer|último) lugar)"
    r"|en caso (?:afirmativo|negativo|contrario)|mientras que|(?:\w+ ){1,3}(?:esto|eso|ello)"
    r"|en (?:todo|ningún|est[eo]s?|es[eo]s?|cualquiera de est[oa]s) casos?"
    r"|como (?:excepción|consecuencia|se mencionó)|(?:\w+ ){1,2}así"
    r"|de (?:est[ae]|es[ae]|igual|tal) (?:forma|manera|modo|segunda|primera)"
    # Whom it speaks of was said before: «Esta», «Sus», «Los que», «Procede a reforzar».
    r"|(?:cuando )?est[aeo]s?|es[aeo]s?|les?|dich[oa]s?|ell[oa]s?|amb[oa]s|tal(?:es)?|sus?|(?:\w+ )?en sus?"
    r"|(?:el|las?|los) (?:del?|que)|lo (?:dispuesto|anterior)|se exceptúan?|procede a"
    r"|(?:es|son) (?:el|la|los|las|un|una|unos|unas))\b"
    # «Transcurrido ese plazo», «A tal fin»; not «En esta ley», which speaks of the document itself.
    r"|^(?:[^\W\d]+ ){1,2}(?:est[ae]s?|estos|es[ae]s?|esos|dich[oa]s?|tal(?:es)?) "
    rf"(?!{_ITSELF}\b)"
    r"|\b(?:de est[oa]s|l[oa]s (?:primer|últim)[oa]s(?= \w+[rn]\b)|anterior(?:es|mente)?|precedentemente"
    r"|antes (?:citad|mencionad)[oa]s?|mism[oa]s? (?:presunción|consideración))\b",
    re.IGNORECASE,
)
# Inside a sentence: what is meant may stand in it, and may not.
_MAY_POINT_BACK = re.compile(
    r"\b(?:(?:dich|mencionad|citad|referid)[oa]s?|(?:est[ae]s?|estos|es[ae]s?|esos)(?= (?:medida|circunstancia|letra"
    r"|apartado|artículo|caso|supuesto|cuantía|tabla|figura|novedad|criterio|plazo|situaci|requisito|condici|dato"
    r"|exigencia)))\s+(?P<noun>\w+)",
    re.IGNORECASE,
)
STEM_LETTERS = 5
NAMED, UNNAMED = 0.5, 0.01


def points_back(sentence: str) -> bool:
    """Whether a sentence goes on from, or speaks of, something that only the text before it names."""
    return _POINTS_BACK.search(sentence) is not None


def is_balanced(sentence: str) -> bool:
    """Whether each bracket of a sentence has its other half: else a part of it is missing, or was read wrong."""
    return sentence.count("(") == sentence.count(")") and sentence.count("[") == sentence.count("]")


def independence(sentence: str) -> float:
    """How much of its weight a sentence keeps: all; half where it speaks of «dicha medida» or the like; next to
    nothing where it names no «medida» before, so that it is taken only when there is no other.
    """
    weight = 1.0
    for match in _MAY_POINT_BACK.finditer(sentence):
        is_named = match["noun"][:STEM_LETTERS].lower() in sentence[: match.start()].lower()
        weight = min(weight, NAMED if is_named else UNNAMED)
    return weight
