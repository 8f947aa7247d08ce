"""What emergencies are told by: their signs, their names, and how one would look for what to do. Pure.

The patterns are matched with a question as `tutor.wording.asked` writes it, see `tutor.emergency_words`. In Spain
things have happened («se ha caído»), in America they happened («se cayó»).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tutor import emergency_words as words
from tutor.patterns import any_of


@dataclass(frozen=True, slots=True)
class Emergency:
    """`names` is matched with a document's folded text, the rest with a question."""

    signs: re.Pattern[str]  # that it happens: by a verb, or to somebody
    shared_signs: re.Pattern[str]  # signs unless a thing shows them: engines choke and steaks bleed as well
    mishaps: re.Pattern[str]  # its name, which also stands in «seguro de robo» and «detector de humo»
    names: re.Pattern[str]
    wording: str  # how one would look for what to do


SOMEBODY = (
    rf"(?:{any_of(words.PEOPLE_IN_S)}s?|{any_of(words.PEOPLE_IN_ES)}(?:es)?"
    r"|alguien|aprendi(?:z|ces)|huesped(?:es)?|joven(?:es)?)"
)
BODY = any_of(words.BODY)
THING = any_of(f"{words.THINGS} {words.FOOD}")
_FOOD = any_of(words.FOOD)
_LAMP = any_of(words.LAMPS)
_SWELLS = any_of(f"{words.FOOD} {words.SWELLING_THINGS}")
_CHEMICAL = any_of(words.CHEMICALS)
_SPLASHED = r"(?:salpic|salt[aoe]|ca[iye]|entr[aoe]|met|ech[aoe]|derram|teng[oa]|tiene)\w*"
_IN_THE_EYE = r"(?:(?:en|a) (?:el|los|un|mi|mis|su|sus|ambos)|al) ojos?"
_DRUNK = r"(?:tragad[oa]|trago|bebid[oa]|bebio|se (?:(?:a|ha) tomado|tomo)|ingerid[oa]|ingirio)"
_WEAPON = r"(?:pistolas?|navajas?|armas?)\b(?! (?:del?|para|el|la|term\w+|etiquetadora)\b)"
_HURT = r"(?:cortad[oa]|clavad[oa]|pinchad[oa])"
_FELL = r"(?:(?:a|ha) (?:caido|resbalado)|cayo|resbalo)"
_BROKE = r"(?:(?:a|ha) (?:roto|partido|quebrado|fracturado)|rompio|partio|quebro|fracturo)"
_INJURED = r"(?:(?:a|ha) (?:lastimado|lesionado|fracturado|accidentado)|lastimo|lesiono|fracturo|accidento)"
_FIRST_AID = "primeros auxilios|botiquin"
_NEVER = "(?!)"


def _emergency(
    *, wording: str, signs: Sequence[str], shared_signs: Sequence[str] = (_NEVER,), mishaps: str, names: str
) -> Emergency:
    return Emergency(
        re.compile(rf"\b(?:{'|'.join(signs)})"),
        re.compile(rf"\b(?:{'|'.join(shared_signs)})"),
        re.compile(rf"\b(?:{mishaps})\b"),
        re.compile(rf"\b(?:{names})"),
        wording,
    )


EMERGENCIES = (
    _emergency(
        wording="qué hacer si alguien sufre una reacción alérgica",
        signs=(
            rf"se (?:le|les|me|te|nos) (?:\w+ )?h?inch\w+\b(?! (?:\w+ ){{0,2}}{_SWELLS}\b)",
            rf"h?inch\w+ (?:\w+ ){{0,2}}{BODY}\b",
            rf"{BODY} (?:\w+ )?h?inchad\w+",
            r"(?:me|le|les) (?:(?:han|an|estan) )?sal\w+ (?:\w+ )?(?:ronchas?|sarpullidos?|urticaria)\b",
            r"(?:pica|picor (?:en|de)) (?:mucho )?(?:la|el) (?:boca|lengua|garganta)\b",
            r"(?:lips?|face|tongue|throat|eyes?) (?:\w+ ){0,2}sw[eo]ll\w*",
            r"swollen (?:lips?|face|tongue|throat|eyes?)\b",
            r"(?:has|having) an? (?:\w+ )?allergic reaction\b",
        ),
        mishaps=r"ronchas?|sarpullidos?|urticaria|anafila\w+|shock|reaccion(?:es)? alergicas?",
        names="reaccion(?:es)? alergicas?|anafila|adrenalina|sufre una reaccion",
    ),
    _emergency(
        wording="qué hacer si alguien no puede respirar o se atraganta",
        signs=(
            r"(?:se|me|nos) (?:\w+ )?atragant\w+",
            r"chok(?:es|ing)\b",
            r"(?:cannot|cant|can\W?t) breathe\b",
        ),
        shared_signs=(
            r"(?:se|me|nos) (?:me |nos |esta |estoy |a |ha |he |estan |an |han )?(?:ahog|asfixi)\w+"
            r"\b(?! (?:con|de|en|entre|el|la|los|las) (?:\w+ )?"
            r"(?:trabajo|papel\w*|deudas?|tareas?|correos?|pedidos?|vaso)\b)",
            r"no (?:(?:me |le |les )?pued\w+|logra\w*|consig\w+) (?:\w+ )?respirar\b",
            r"no (?:esta )?respira(?:n|ndo)?\b",
            r"(?:cuesta (?:\w+ )?|dificultad (?:para|al) )respirar\b",
            r"respiran? (?:muy )?(?:mal|con dificultad)\b",
            r"falta(?:ndo)? (?:mucho )?(?:el )?aire\b(?! (?:comprimido|acondicionado|de|del|en))",
            r"(?:queda|quedando|quedado) sin aire\b(?! (?:comprimido|acondicionado))",
        ),
        mishaps="atragantamiento|asfixia",
        names=r"respira(?:r|cion)\b|atragant|asfixi|heimlich|anafila",
    ),
    _emergency(
        wording="qué hacer si alguien se desmaya o se marea",
        signs=(
            r"(?:se|me|nos) (?:\w+ )?(?:desmay|mare)\w+",
            r"(?:desmay|mare)ad[oa]s?\b",
            r"(?<!error )(?<!forma )(?<!manera )(?<!gesto )inconsciente\b",
            r"(?:perdido|perdio) el (?:conocimiento|sentido)\b",
            r"convulsiona\w*",
            r"faint(?:s|ed|ing)\b",
            r"passed out\b",
        ),
        mishaps=(
            "desmayos?|mareos?|convulsion(?:es)?|infarto|paro cardiaco|ataque (?:epileptico|al corazon)"
            r"|dolor (?:\w+ )?(?:en el|de) pecho"
        ),
        names=f"desmay|mareo|inconscien|conocimiento|convulsi|infarto|{_FIRST_AID}",
    ),
    _emergency(
        wording="qué hacer si alguien se quema, quemaduras",
        signs=(
            # «Se me quemó el arroz» is said of rice.
            r"(?:me|nos) (?:e|he|hemos) (?:\w+ )?quemad[oa]\b",
            r"(?<!\bse )me quem[eo]\b",
            rf"{SOMEBODY} (?:\w+ )?se (?:(?:a|ha) )?quem\w*",
            rf"se (?:(?:a|ha) quemado|quemo) (?:\w+ )?(?:{SOMEBODY}|{BODY}|con)\b",
            r"(?:me|le|les|nos) (?:(?:a|ha) salpicado|salpico) (?:\w+ ){0,2}(?:aceite|agua hirviendo)\b",
            rf"{SOMEBODY} (?:\w+ )?se (?:(?:a|ha) salpicado|salpico) (?:\w+ ){{0,2}}aceite\b",
            r"(?:me|nos) (?:(?:e|he|hemos) salpicado|salpique|salpicamos) (?:\w+ ){0,2}(?:aceite|agua hirviendo)\b",
            r"se (?:(?:a|ha|an|han) salpicado|salpico|salpicaron) (?:\w+ ){0,2}(?:aceite|agua) "
            r"(?:hirviendo|(?:muy )?caliente)\b",
            r"(?:me|le|les|nos) (?:(?:a|ha) caido|cayo) (?:\w+ ){0,2}(?:aceite|agua|caldo|sopa) "
            r"(?:hirviendo|(?:muy )?caliente)\b",
            r"burn(?:ed|t) (?:my|his|her|their|him|her)\w*\b",
        ),
        mishaps="quemaduras?",
        names=f"quemadur|quemad[oa]s? |{_FIRST_AID}",
    ),
    _emergency(
        wording="qué hacer si alguien se corta o sangra, heridas",
        signs=(
            rf"(?:me|nos) (?:e|he|hemos) (?:\w+ )?{_HURT}\b",
            r"(?<!\bse )me cort[eo]\b",
            rf"{SOMEBODY} (?:\w+ )?se (?:corta|corto|(?:a|ha) {_HURT})\b",
            rf"se (?:(?:a|ha) {_HURT}|corto) (?:\w+ )?(?:{SOMEBODY}|{BODY})\b",
            rf"se (?:a|ha) {_HURT} (?:\w+ )?con\b",
            r"hay (?:mucha )?sangre\b",
            r"cut (?:my|his|her|their)\w*\b",
            r"bleeding\b",
        ),
        shared_signs=(r"(?<!\bse )sangr(?:an?|ando)\b",),
        mishaps="heridas?|hemorragias?",
        names=rf"heridas?\b|heridos?\b|sangr|{_FIRST_AID}",
    ),
    _emergency(
        wording="qué hacer si hay un accidente de trabajo o alguien se lesiona",
        signs=(
            rf"{SOMEBODY} (?:\w+ )?(?:se )?{_FELL}\b(?! (?:en la cuenta|de la lista|del? (?:el )?sistema|de la cita))",
            rf"{SOMEBODY} (?:\w+ )?se (?:(?:an|han) (?:caido|resbalado)|cayeron|resbalaron)\b",
            rf"se {_FELL} (?:\w+ )?{SOMEBODY}\b",
            r"me (?:e|he) (?:caido|resbalado)\b",
            r"me (?:cai|resbale)\b",
            r"golpe en la cabeza\b",
            r"se (?:a |ha )?(?:golpe\w+|peg\w+) (?:\w+ ){0,3}cabeza\b",
            r"electrocut\w+",
            r"(?:me|le) (?:(?:a|ha) dado|dio) (?:la |una )?(?:corriente|descarga)\b",
            rf"se {_BROKE} (?:el|la|un|una) {BODY}\b(?! del?\b)",
            rf"{SOMEBODY} (?:\w+ )?se {_INJURED}\b",
            rf"se {_INJURED} (?:\w+ )?{SOMEBODY}\b",
            r"me (?:(?:e|he) (?:lastimado|lesionado)|lastime|lesione)\b",
            # «Se le ha caído una caja en el pie», but not «se le ha caído un pelo en la cara del envase».
            rf"(?:cay[oe]|cayeron|caido|ca[ie]n|cayendo) (?:\w+ ){{0,6}}(?:en|sobre|encima del?) "
            rf"(?:(?:el|la|los|las|un|una|su) )?(?!ojos?\b){BODY}\b(?! del?\b)",
            rf"(?:me|se) (?:(?:a|ha|e|he) )?(?:pill|atrap|machuc|aplast)\w+ (?:\w+ )?{BODY}\b",
        ),
        mishaps="descarga electrica|accidentes?(?: de trabajo| laboral(?:es)?)?",
        names=rf"accidentes?\b|accidentad|lesion|{_FIRST_AID}",
    ),
    _emergency(
        wording="qué hacer en caso de incendio",
        signs=(
            rf"se (?:esta )?quema(?:ndo)? (?:todo\b|(?:el|la) (?!{_FOOD}\b|{_LAMP}\b))",
            r"(?:esta|estan) en llamas\b",
            "(?<!sopa )(?<!cafe )(?<!te )(?<!plato )(?<!comida )(?<!leche )(?<!agua )(?<!movil )(?<!celular )"
            r"(?:esta|sale|salen) ardiendo\b",
            r"(?:esta|sale|salen|saliendo|echa|echando) (?:mucho )?(?:llamas|humo|fuego)\b"
            r"(?!(?: \w+){0,4} (?:escape|chimenea|cigarr\w+|vapeador))",
            r"se (?:esta |ha |a |nos )?incendi\w+",
            r"se (?:esta |ha |a )?prendi\w+ (?:en )?(?:fuego|llamas)\b",
            r"(?:agarro|cogio|cogido) (?:fuego|candela)\b",
            r"h?uele (?:\w+ ){0,2}a (?:quemado|humo) en (?:el|la)\b",
            r"(?:is|are) on fire\b",
            r"there\W?i?s (?:a )?(?:fire|smoke)\b",
        ),
        mishaps="fuego|incendios?|humo",
        names="fuego|incendi|humo|extintor|evacua",
    ),
    _emergency(
        wording="qué hacer si huele a gas o hay una fuga de gas",
        signs=(
            r"(?:uele|huele) (?:\w+ ){0,2}a gas\b",
            r"se (?:esta |ha |a )?(?:escap|fug)\w+ (?:el )?(?:gas|butano)\b",
            r"smells? (?:of|like) gas\b",
        ),
        mishaps="olor a gas|(?:fugas?|escapes?) de (?:gas|butano)",
        names=r"gas\b|butano",
    ),
    _emergency(
        wording="qué hacer si hay un atraco, un robo con amenazas",
        signs=(
            # Ships are «atracados», tape is cut with «una navaja», labels are put on with «una pistola».
            r"(?:nos|me|estan|han|an|acaban de) (?:\w+ )?(?:atrac|asalt)(?:an|ado|ando|aron)\b(?! dudas)",
            r"(?:atracaron|asaltaron)\b",
            # What a guard carries is a matter of rules.
            rf"(?!vigilantes? (?:\w+ )?llev)(?:{SOMEBODY}|tipos?|tios?|individuos?|ladron(?:es)?|atracador\w*|uno) "
            rf"(?:\w+ )?(?:con|tienen?|llevan?|traen?) (?:una? )?{_WEAPON}",
            rf"(?<!\w )(?:tienen?|llevan?|traen?) (?:una? )?{_WEAPON}",
            rf"(?<=\bsi )(?:tiene|lleva|trae) una? {_WEAPON}",
            f"(?:sac(?:an?|o|aron|ando)|(?:a|ha|an|han) sacado) (?:una? )?{_WEAPON}",
            r"(?:amenaz\w+|apunt\w+) (?:\w+ ){0,2}(?:con )?(?:un|una) (?:pistola|navaja|arma|cuchillo)\b",
            r"being robbed\b",
        ),
        mishaps=r"atracos?|atracador\w*|asaltos?",
        # What is done about a forced door, by whoever finds it, puts people at risk who are being threatened.
        names=r"atrac|asalt|robo\b|robos\b|ladron|delincuent|amenaz",
    ),
    _emergency(
        wording="qué hacer si hay un robo, puerta forzada",
        signs=(
            r"(?:nos|me) (?:(?:han|estan|an) )?rob\w+",
            r"(?:han|an) (?:entrado a )?rob\w+",
            r"(?:acaban de|entraron a|metieron a|metido a) robar\b",
            r"robaron\b",
            r"estan? robando\b",
            r"(?:(?:han|an) (?:forzado|reventado)|forzaron) (?:la|una|el|las)\b",
        ),
        mishaps=r"robos?|ladron\w*",
        names="robo|robar|robad|atraco|atraca|intrus|forzad|ladron|polici",
    ),
    _emergency(
        wording="qué hacer si hay una inundación o una fuga de agua",
        signs=(
            r"se (?:nos |esta |ha |a )?inund\w+",
            r"revent\w+ (?:una?|el|la) (?:tuberia|cano|caneria)\b",
        ),
        mishaps="inundacion(?:es)?|(?:fugas?|escapes?) de agua",
        names="inunda|(?:fuga|escape)s? de agua|tuberia",
    ),
    _emergency(
        wording="qué hacer si un producto químico salpica en los ojos o se ingiere",
        signs=(
            # «Ojo, este producto…» only warns: it must have got into the eye.
            rf"{_SPLASHED}\b.*\b(?:{_CHEMICAL}|producto)\b.*\b{_IN_THE_EYE}\b",
            rf"(?:{_CHEMICAL}|producto)\b.*\b{_SPLASHED}\b.*\b{_IN_THE_EYE}\b",
            rf"{_SPLASHED}\b.*\b{_IN_THE_EYE}\b.*\b(?:{_CHEMICAL}|producto)\b",
            rf"{_CHEMICAL} (?:\w+ ){{0,2}}{_IN_THE_EYE}\b(?! de\b)",
            rf"(?:me|le|les) (?:pic|escuec|ard|quem|llor)\w+ (?:\w+ )?(?:los|el|un) ojos?\b.*\b{_CHEMICAL}\b",
            rf"{_DRUNK} (?:\w+ ){{0,3}}(?:{_CHEMICAL}|producto (?:quimico|toxico|de limpieza))\b",
            r"intoxicad\w+",
            r"se intoxic\w+",
            r"envenenad\w+",
        ),
        mishaps="intoxicacion(?:es)?|envenenamientos?",
        names=f"toxicolog|intoxica|ingesti[oó]n|contacto con los ojos|{_FIRST_AID}",
    ),
)
