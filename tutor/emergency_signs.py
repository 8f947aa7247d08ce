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
    shared_signs: re.Pattern[str]  # signs unless a thing shows them: engines choke and steaks bleed as well
    mishaps: re.Pattern[str]  # its name, which also stands in «seguro de robo» and «detector de humo»
    names: re.Pattern[str]
    wording: str  # how one would look for what to do


# A list of people is never whole: what must not be missed may not rest on it alone.
SOMEBODY = (
    r"(?:(?:client[ea]|senorita|nin[oa]|nen[ea]|bebe|chic[oa]|muchach[oa]|chav[oa]|persona|companer[oa]|colega"
    r"|emplead[oa]|trabajadora|operari[oa]|ayudante|encargad[oa]|jef[ea]|gerente|camarer[oa]|meser[oa]|moz[oa]"
    r"|cociner[oa]|mecanic[oa]|cajer[oa]|dependient[ea]|repartidora|vigilante|conserje|recepcionista|carnicer[oa]"
    r"|panader[oa]|peluquer[oa]|enfermer[oa]|electricista|fontaner[oa]|socorrista|estudiante|pasajer[oa]|alumn[oa]"
    r"|usuari[oa]|pacient[ea]|visitante|turista|vecin[oa]|duen[oa]|propietari[oa]|ancian[oa]|abuel[oa]|viejit[oa]"
    r"|tia|hij[oa]|madre|padre|mama|marido|espos[oa]|novi[oa]|herman[oa]|prim[oa]|sobrin[oa]|niet[oa]|amig[oa]"
    r"|senora|hombre|profesora)s?|(?:senor|trabajador|repartidor|mujer|comensal|chofer|profesor|albanil)(?:es)?"
    r"|alguien|aprendi(?:z|ces)|huesped(?:es)?|joven(?:es)?)"
)
BODY = (
    r"(?:caras?|labios?|lengua|boca|nariz|garganta|cuello|parpados?|ojos?|manos?|dedos?|brazos?|munecas?|piernas?"
    r"|rodillas?|tobillos?|pies?|cabeza|cuerpo)"
)
_FOOD = (
    r"(?:comida|pan|leche|tortillas?|masa|arroz|pizzas?|carne|salsas?|sopas?|cafe|tostadas?|cebolla|ajo|guiso|pollo"
    r"|pescado|bizcocho|tarta|torta|galletas?|caramelo|mantequilla|manteca)"
)
# What is said to choke, to be short of air, or to bleed, and is nobody.
THING = (
    r"(?:coches?|carros?|autos?|motos?|motocicletas?|vespa|scooters?|furgon\w*|furgoneta|camion(?:es|eta\w*)?"
    r"|vehiculos?|tractor(?:es)?|motor(?:es)?|carburador(?:es)?|calderas?|compresor(?:es)?|bombas?|quemador(?:es)?"
    r"|hornos?|estufas?|generador(?:es)?|motosierras?|sierras?|cortacesped|desbrozadoras?|maquinas?|aspiradoras?"
    r"|barredoras?|fregadoras?|lavadoras?|secadoras?|cafeteras?|carretillas?|ventilador(?:es)?|filtros?|tuberias?"
    r"|desagues?|impresoras?|tintas?|parrafos?|frenos?|circuitos?|aire acondicionado|ruedas?|llantas?|neumaticos?"
    r"|pistolas?|plantas?|raiz|raices|cesped|vinos?|telas?|ropa|prendas?|tejidos?|calzado|zapat(?:o|illa)s?"
    r"|botas?|camis(?:a|eta)s?|uniformes?|chaquetas?|abrigos?|colchon(?:es)?|almohadas?|mascarillas?|barbijos?|cubrebocas|quesos?|carnes|filetes?|entrecots?|chulet\w+|solomillos?|bistecs?|bifes?"
    r"|sofas?|sillon(?:es)?|butacas?|tapiceria|pared(?:es)?"
    rf"|hamburguesas?|pollos|pescados|radiador(?:es)?|negocios?|empresas?|{_FOOD})"
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
            r"(?:se|me|nos) (?:me |nos |esta |estoy |a |ha |he |estan |an |han )?(?:ahog|asfixi)\w+"
            r"\b(?! (?:con|de|en|entre|el|la|los|las) (?:\w+ )?"
            r"(?:trabajo|papel\w*|deudas?|tareas?|correos?|pedidos?|vaso)\b)"
            r"|no (?:(?:me |le |les )?pued\w+|logra\w*|consig\w+) (?:\w+ )?respirar\b|no (?:esta )?respira(?:n|ndo)?\b"
            r"|(?:cuesta (?:\w+ )?|dificultad (?:para|al) )respirar\b|respiran? (?:muy )?(?:mal|con dificultad)\b"
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
            r"|(?:me|nos) (?:(?:e|he|hemos) salpicado|salpique|salpicamos) (?:\w+ ){0,2}(?:aceite|agua hirviendo)\b"
            r"|se (?:(?:a|ha|an|han) salpicado|salpico|salpicaron) (?:\w+ ){0,2}(?:aceite|agua) "
            r"(?:hirviendo|(?:muy )?caliente)\b"
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
            r"(?<!\bse )sangr(?:an?|ando)\b",
            r"heridas?|hemorragias?",
            rf"heridas?\b|heridos?\b|sangr|{_FIRST_AID}",
            "qué hacer si alguien se corta o sangra, heridas",
        ),
        (
            rf"{SOMEBODY} (?:\w+ )?(?:se )?{_FELL}\b(?! (?:en la cuenta|de la lista|del? (?:el )?sistema|de la cita))"
            rf"|{SOMEBODY} (?:\w+ )?se (?:(?:an|han) (?:caido|resbalado)|cayeron|resbalaron)\b"
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
            # What a guard carries is a matter of rules.
            r"|(?!vigilantes? (?:\w+ )?llev)"
            rf"(?:{SOMEBODY}|tipos?|tios?|individuos?|ladron(?:es)?|atracador\w*|uno) (?:\w+ )?"
            rf"(?:con|tienen?|llevan?|traen?) (?:una? )?{_WEAPON}"
            rf"|(?<!\w )(?:tienen?|llevan?|traen?) (?:una? )?{_WEAPON}|(?<=\bsi )(?:tiene|lleva|trae) una? {_WEAPON}"
            rf"|(?:sac(?:an?|o|aron|ando)|(?:a|ha|an|han) sacado) (?:una? )?{_WEAPON}"
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
            rf"|{_CHEMICAL} (?:\w+ ){{0,2}}{_IN_THE_EYE}\b(?! de\b)"
            rf"|(?:me|le|les) (?:pic|escuec|ard|quem|llor)\w+ (?:\w+ )?(?:los|el|un) ojos?\b.*\b{_CHEMICAL}\b"
            rf"|{_DRUNK} (?:\w+ ){{0,3}}(?:{_CHEMICAL}|producto (?:quimico|toxico|de limpieza))\b"
            r"|intoxicad\w+|se intoxic\w+|envenenad\w+",
            _NEVER,
            r"intoxicacion(?:es)?|envenenamientos?",
            rf"toxicolog|intoxica|ingesti[oó]n|contacto con los ojos|{_FIRST_AID}",
            "qué hacer si un producto químico salpica en los ojos o se ingiere",
        ),
    )
)
