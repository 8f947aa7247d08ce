"""What emergencies are told by: their signs, their names, and how one would look for what to do. Pure.

The patterns are matched with a question as `tutor.wording.asked` writes it, which has no accents and no ñ: «compañera»
and «caño» are «companera» and «cano» here. In Spain things have happened («se ha caído»), in America they happened
(«se cayó»).
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Emergency:
    """`names` is matched with a document's folded text, the rest with a question."""

    signs: re.Pattern[str]  # that it happens: by a verb, or to somebody
    shared_signs: re.Pattern[str]  # signs where somebody shows them; engines choke and steaks bleed as well
    mishaps: re.Pattern[str]  # its name, which also stands in «seguro de robo» and «detector de humo»
    names: re.Pattern[str]
    wording: str  # how one would look for what to do


SOMEBODY = (
    r"(?:client[ea]|senora?|senorita|hombre|mujer|nin[oa]|nen[ea]|bebe|chic[oa]|muchach[oa]|chav[oa]|persona|alguien"
    r"|companer[oa]|colega|emplead[oa]|trabajadora?|operari[oa]|ayudante|aprendiz|encargad[oa]|jef[ea]|gerente"
    r"|camarer[oa]|meser[oa]|moz[oa]|cociner[oa]|mecanic[oa]|cajera|dependient[ea]|repartidora?|vigilante|conserje"
    r"|huesped|comensal|pasajer[oa]|alumn[oa]|usuari[oa]|pacient[ea]|visitante|turista|ancian[oa]|abuel[oa]|viejit[oa]"
    r"|joven|tia)"
)
BODY = (
    r"(?:caras?|labios?|lengua|boca|nariz|garganta|cuello|parpados?|ojos?|manos?|dedos?|brazos?|munecas?|piernas?"
    r"|rodillas?|tobillos?|pies?|cabeza|cuerpo)"
)
# What is said to choke, to be short of air, or to bleed, and is nobody.
THING = (
    r"(?:coches?|carros?|autos?|motos?|motocicletas?|scooters?|furgon\w*|furgoneta|camion\w*|vehiculos?|motor(?:es)?"
    r"|carburador|caldera|compresor|bomba|quemador|hornos?|estufa|generador|motosierra|sierra|cortacesped|desbrozadora"
    r"|maquina|aspiradora|cafetera|ruedas?|llantas?|neumaticos?|pistola|plantas?|raiz|raices|cesped|masa|vino|telas?"
    r"|ropa|prendas?|tejidos?|calzado|zapat\w+|mascarilla|barbijo|cubrebocas|quesos?|carnes?|filetes?|entrecots?"
    r"|chulet\w+|solomillo|bistec|bifes?|hamburguesas?|pollos?|pescados?|radiador(?:es)?)"
)
_FOOD = (
    r"(?:comida|pan|leche|tortillas?|masa|arroz|pizzas?|carne|salsa|cafe|tostadas?|cebolla|ajo|guiso|pollo|pescado"
    r"|bizcocho|tarta|torta|galletas?|caramelo|mantequilla|manteca)"
)
_LAMP = r"(?:bombill[oa]|foco|lampara|luz|fusible|placa|resistencia|embrague|pantalla)"
_SWELLS = (
    rf"(?:{_FOOD}|baterias?|pilas?|ruedas?|llantas?|neumaticos?|madera|puertas?|tapas?|latas?|envases?|bolsas?"
    r"|paquetes?|globos?|colchon(?:es)?|suelo|piso|parquet|papel)"
)
_CHEMICAL = (
    r"(?:lejia|lavandina|cloro|desengrasante|quitagrasas|detergente|desinfectante|limpiador|limpiacristales|amoniaco"
    r"|sosa|salfuman|lavavajillas|abrillantador|disolvente|insecticida|quimico|acido)"
)
_SPLASHED = r"(?:salpic|salt[aoe]|cai|cay|entr[aoe]|met|ech[aoe]|derram|teng[oa]|tiene)\w*"
_IN_THE_EYE = r"(?:en|a) (?:el|los|un|mi|mis|su|sus|ambos) ojos?"
_DRUNK = r"(?:tragad[oa]|trago|bebid[oa]|bebio|se (?:(?:a|ha) tomado|tomo)|ingerid[oa]|ingirio)"
_HURT = r"(?:cortad[oa]|clavad[oa]|pinchad[oa])"
_FELL = r"(?:(?:a|ha) (?:caido|resbalado)|cayo|resbalo)"
_BROKE = r"(?:(?:a|ha) (?:roto|partido|quebrado|fracturado)|rompio|partio|quebro|fracturo)"
_INJURED = r"(?:(?:a|ha) (?:lastimado|lesionado|fracturado|accidentado)|lastimo|lesiono|fracturo|accidento)"
_FIRST_AID = "primeros auxilios|botiquin"
_NEVER = "(?!)"

EMERGENCIES = tuple(
    Emergency(
        re.compile(rf"\b(?:{signs})"),
        re.compile(rf"\b(?:{shared})"),
        re.compile(rf"\b(?:{mishaps})\b"),
        re.compile(rf"\b(?:{names})"),
        wording,
    )
    for signs, shared, mishaps, names, wording in (
        (
            rf"se (?:le|les|me|te|nos) (?:\w+ )?h?inch\w+\b(?! (?:\w+ ){{0,2}}{_SWELLS}\b)"
            rf"|h?inch\w+ (?:\w+ ){{0,2}}{BODY}\b"
            rf"|{BODY} (?:\w+ )?h?inchad\w+"
            r"|(?:me|le|les) (?:(?:han|an|estan) )?sal\w+ (?:\w+ )?(?:ronchas?|sarpullidos?|urticaria)\b"
            r"|(?:pica|picor (?:en|de)) (?:mucho )?(?:la|el) (?:boca|lengua|garganta)\b"
            r"|(?:lips?|face|tongue|throat|eyes?) (?:\w+ ){0,2}sw[eo]ll\w*|swollen (?:lips?|face|tongue|throat|eyes?)\b"
            r"|(?:has|having) an? (?:\w+ )?allergic reaction\b",
            _NEVER,
            r"ronchas?|sarpullidos?|urticaria|anafila\w+|shock|reaccion(?:es)? alergicas?",
            r"reaccion(?:es)? alergicas?|anafila|adrenalina|sufre una reaccion",
            "qué hacer si alguien sufre una reacción alérgica",
        ),
        (
            r"(?:se|me|nos) (?:\w+ )?atragant\w+|chok(?:es|ing)\b|(?:cannot|cant|can\W?t) breathe\b",
            r"(?:se|me|nos) (?:me |nos |esta |estoy |a |ha |he |estan )?(?:ahog|asfixi)\w+"
            r"\b(?! (?:con|de|en|entre) (?:\w+ )?(?:trabajo|papel\w*|deudas?|tareas?|correos?|pedidos?|vaso)\b)"
            r"|no (?:(?:me |le |les )?pued\w+|logra\w*|consig\w+) (?:\w+ )?respirar\b|no (?:esta )?respira(?:n|ndo)?\b"
            r"|(?:cuesta (?:\w+ )?|dificultad (?:para|al) )respirar\b|respira (?:muy )?(?:mal|con dificultad)\b"
            r"|falta(?:ndo)? (?:mucho )?(?:el )?aire\b(?! (?:comprimido|acondicionado|de|del|en))"
            r"|(?:queda|quedando|quedado) sin aire\b(?! (?:comprimido|acondicionado))",
            r"atragantamiento|asfixia",
            r"respira(?:r|cion)\b|atragant|asfixi|heimlich|anafila",
            "qué hacer si alguien no puede respirar o se atraganta",
        ),
        (
            r"(?:se|me|nos) (?:\w+ )?(?:desmay|mare)\w+|(?:desmay|mare)ad[oa]s?\b"
            r"|(?<!error )(?<!forma )(?<!manera )(?<!gesto )inconsciente\b"
            r"|(?:perdido|perdio) el (?:conocimiento|sentido)\b|convulsiona\w*|faint(?:s|ed|ing)\b|passed out\b",
            _NEVER,
            r"desmayos?|mareos?|convulsion(?:es)?|infarto|paro cardiaco|ataque (?:epileptico|al corazon)"
            r"|dolor (?:\w+ )?(?:en el|de) pecho",
            rf"desmay|mareo|inconscien|conocimiento|convulsi|infarto|{_FIRST_AID}",
            "qué hacer si alguien se desmaya o se marea",
        ),
        (
            # «Se me quemó el arroz» is said of rice.
            rf"(?:me|nos) (?:e|he|hemos) (?:\w+ )?quemad[oa]\b|(?<!\bse )me quem[eo]\b"
            rf"|{SOMEBODY} (?:\w+ )?se (?:(?:a|ha) )?quem\w*"
            rf"|se (?:(?:a|ha) quemado|quemo) (?:\w+ )?(?:{SOMEBODY}|{BODY}|con)\b"
            rf"|(?:me|le|les|nos) (?:(?:a|ha) salpicado|salpico) (?:\w+ ){{0,2}}(?:aceite|agua hirviendo)\b"
            rf"|{SOMEBODY} (?:\w+ )?se (?:(?:a|ha) salpicado|salpico) (?:\w+ ){{0,2}}aceite\b"
            r"|(?:me|le|les|nos) (?:(?:a|ha) caido|cayo) (?:\w+ ){0,2}(?:aceite|agua|caldo|sopa) "
            r"(?:hirviendo|(?:muy )?caliente)\b"
            r"|burn(?:ed|t) (?:my|his|her|their|him|her)\w*\b",
            _NEVER,
            r"quemaduras?",
            rf"quemadur|quemad[oa]s? |{_FIRST_AID}",
            "qué hacer si alguien se quema, quemaduras",
        ),
        (
            rf"(?:me|nos) (?:e|he|hemos) (?:\w+ )?{_HURT}\b|(?<!\bse )me cort[eo]\b"
            rf"|{SOMEBODY} (?:\w+ )?se (?:corta|corto|(?:a|ha) {_HURT})\b"
            rf"|se (?:(?:a|ha) {_HURT}|corto) (?:\w+ )?(?:{SOMEBODY}|{BODY})\b|se (?:a|ha) {_HURT} (?:\w+ )?con\b"
            r"|hay (?:mucha )?sangre\b|cut (?:my|his|her|their)\w*\b|bleeding\b",
            r"sangr(?:a|ando)\b",
            r"heridas?|hemorragias?",
            rf"heridas?\b|heridos?\b|sangr|{_FIRST_AID}",
            "qué hacer si alguien se corta o sangra, heridas",
        ),
        (
            rf"{SOMEBODY} (?:\w+ )?(?:se )?{_FELL}\b(?! (?:en la cuenta|de la lista|del? (?:el )?sistema|de la cita))"
            rf"|se {_FELL} (?:\w+ )?{SOMEBODY}\b|me (?:e|he) (?:caido|resbalado)\b|me (?:cai|resbale)\b"
            r"|golpe en la cabeza\b|se (?:a |ha )?(?:golpe\w+|peg\w+) (?:\w+ ){0,3}cabeza\b"
            r"|electrocut\w+|(?:me|le) (?:(?:a|ha) dado|dio) (?:la |una )?(?:corriente|descarga)\b"
            rf"|se {_BROKE} (?:el|la|un|una) {BODY}\b(?! del?\b)"
            rf"|{SOMEBODY} (?:\w+ )?se {_INJURED}\b|se {_INJURED} (?:\w+ )?{SOMEBODY}\b"
            r"|me (?:(?:e|he) (?:lastimado|lesionado)|lastime|lesione)\b"
            rf"|(?:me|se) (?:(?:a|ha|e|he) )?(?:pill|atrap|machuc|aplast)\w+ (?:\w+ )?{BODY}\b",
            _NEVER,
            r"descarga electrica|accidentes?(?: de trabajo| laboral(?:es)?)?",
            rf"accidentes?\b|accidentad|lesion|{_FIRST_AID}",
            "qué hacer si hay un accidente de trabajo o alguien se lesiona",
        ),
        (
            rf"se (?:esta )?quema(?:ndo)? (?:todo\b|(?:el|la) (?!{_FOOD}\b|{_LAMP}\b))"
            r"|(?:esta|estan) en llamas\b"
            r"|(?<!sopa )(?<!cafe )(?<!te )(?<!plato )(?<!comida )(?<!leche )(?<!agua )(?<!movil )(?<!celular )"
            r"(?:esta|sale|salen) ardiendo\b"
            r"|(?:esta|sale|salen|saliendo|echa|echando) (?:mucho )?(?:llamas|humo|fuego)\b"
            r"(?!(?: \w+){0,4} (?:escape|chimenea|cigarr\w+|vapeador))"
            r"|se (?:esta |ha |a |nos )?incendi\w+|se (?:esta |ha |a )?prendi\w+ (?:en )?(?:fuego|llamas)\b"
            r"|(?:agarro|cogio|cogido) (?:fuego|candela)\b|h?uele (?:\w+ ){0,2}a (?:quemado|humo) en (?:el|la)\b"
            r"|(?:is|are) on fire\b|there\W?i?s (?:a )?(?:fire|smoke)\b",
            _NEVER,
            r"fuego|incendios?|humo",
            r"fuego|incendi|humo|extintor|evacua",
            "qué hacer en caso de incendio",
        ),
        (
            r"(?:uele|huele) (?:\w+ ){0,2}a gas\b|se (?:esta |ha |a )?(?:escap|fug)\w+ (?:el )?(?:gas|butano)\b"
            r"|smells? (?:of|like) gas\b",
            _NEVER,
            r"olor a gas|(?:fugas?|escapes?) de (?:gas|butano)",
            r"gas\b|butano",
            "qué hacer si huele a gas o hay una fuga de gas",
        ),
        (
            # Ships are «atracados», tape is cut with «una navaja», labels are put on with «una pistola».
            r"(?:nos|me|estan|han|an|acaban de) (?:\w+ )?(?:atrac|asalt)(?:an|ado|ando|aron)\b(?! dudas)"
            r"|(?:atracaron|asaltaron)\b"
            r"|(?:nos|me) (?:(?:han|estan|an) )?rob\w+"
            r"|(?:han|an) (?:entrado a )?rob\w+|(?:acaban de|entraron a|metieron a|metido a) robar\b|robaron\b"
            r"|estan? robando\b|(?:(?:han|an) (?:forzado|reventado)|forzaron) (?:la|una|el|las)\b"
            rf"|(?:{SOMEBODY}|tipo|tio|individuo|ladron) (?:\w+ )?(?:con|tiene|lleva|trae|saca|saco|sacado) (?:una )?"
            r"(?:pistola|navaja|arma)\b(?! (?:de|para|termic\w+)\b)"
            r"|(?:amenaz\w+|apunt\w+) (?:\w+ ){0,2}(?:con )?(?:un|una) (?:pistola|navaja|arma|cuchillo)\b"
            r"|being robbed\b",
            _NEVER,
            r"atracos?|atracador\w*|asaltos?|robos?|ladron\w*",
            r"robo|robar|robad|atraco|atraca|intrus|forzad|ladron|polici",
            "qué hacer si hay un robo o un atraco, puerta forzada",
        ),
        (
            r"se (?:nos |esta |ha |a )?inund\w+|revent\w+ (?:una?|el|la) (?:tuberia|cano|caneria)\b",
            _NEVER,
            r"inundacion(?:es)?|(?:fugas?|escapes?) de agua",
            r"inunda|(?:fuga|escape)s? de agua|tuberia",
            "qué hacer si hay una inundación o una fuga de agua",
        ),
        (
            # «Ojo, este producto…» only warns: it must have got into the eye.
            rf"{_SPLASHED}\b.*\b(?:{_CHEMICAL}|producto)\b.*\b{_IN_THE_EYE}\b"
            rf"|(?:{_CHEMICAL}|producto)\b.*\b{_SPLASHED}\b.*\b{_IN_THE_EYE}\b"
            rf"|{_SPLASHED}\b.*\b{_IN_THE_EYE}\b.*\b(?:{_CHEMICAL}|producto)\b"
            rf"|{_DRUNK} (?:\w+ ){{0,3}}(?:{_CHEMICAL}|producto (?:quimico|toxico|de limpieza))\b"
            r"|intoxicad\w+|se intoxic\w+|envenenad\w+",
            _NEVER,
            r"intoxicacion(?:es)?|envenenamientos?",
            rf"toxicolog|intoxica|ingesti[oó]n|contacto con los ojos|{_FIRST_AID}",
            "qué hacer si un producto químico salpica en los ojos o se ingiere",
        ),
    )
)
