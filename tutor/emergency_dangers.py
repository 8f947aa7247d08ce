"""The emergencies of places and of other people: fire, gas, robbery, water, being shut in, blows. Pure.

See `tutor.emergency_signs`.
"""

from tutor.emergency_parts import ANYBODY, BLADE, FOOD, HAS, LAMP, NEVER, SOMEBODY, WEAPON, WITH_ASIDES, emergency

_STRANGER = (
    r"(?:ladron(?:es)?|atracador(?:es)?|encapuchad[oa]s?|desconocid[oa]s?|tip[oa]s?|ti[oa]s?|individuos?|hombres?"
    r"|mujer(?:es)?|alguien|uno|client[ea]s?|persona|senor)"
)
_HITS = r"(?:peg|empuj|golpe|escup|zarande)(?:a|an|o|ado|ando|aron)\b"
_STAYS = r"(?:se (?:(?:a|ha|an|han) quedado|quedo|quedaron|quedan?))"
_IN_A_MENU = r"(?! en (?:el|la|un|una) (?:menu|bucle|web|pagina|llamada|cola|atasco|trafico|contrato)\b)"
# «Se quedan atrapadas monedas», but not «se quedan atrapados dos clientes».
_NO_THINGS = (
    rf"(?! (?!(?:\w+ )?{SOMEBODY}\b|(?:detras|juntos|juntas|otr[oa]s|ell[oa]s|tod[oa]s|vari[oa]s)\b)\w{{4,}}s\b)"
)
DANGERS = (
    emergency(
        wording="qué hacer en caso de incendio",
        signs=(
            rf"se (?:esta )?quema(?:ndo)? (?:todo\b|(?:el|la) (?!{FOOD}\b|{LAMP}\b))",
            r"(?:esta|estan) en llamas\b",
            "(?<!sopa )(?<!cafe )(?<!te )(?<!plato )(?<!comida )(?<!leche )(?<!agua )(?<!movil )(?<!celular )"
            r"(?:esta|sale|salen) ardiendo\b",
            r"(?:esta|sale|salen|saliendo|echa|echando) (?:mucho )?(?:llamas|humo|fuego)\b"
            r"(?!(?: \w+){0,4} (?:escape|chimenea|cigarr\w+|vapeador))",
            r"se (?:esta |ha |a |nos )?incendi\w+",
            r"se (?:esta |ha |a )?prend(?:e|i\w+) (?:en )?(?:fuego|llamas)\b",
            r"(?:agarro|cogio|cogido|coge|agarra) (?:fuego|candela)\b",
            r"(?:salta|saltado|suena|sonando|activa|activado|dispara|disparado) la alarma (?:de|contra|por) "
            r"(?:el |los )?(?:incendios?|humos?|fuego)\b",
            r"(?:hay|veo|vemos|salen) llamas\b",
            r"(?:veo|vemos) (?:mucho )?(?:humo|fuego)\b(?! del? (?:tabaco|cigarr|escape))",
            r"(?:a |ha )?explot(?:a|o|ado) (?:un|una|el|la) (?:freidora|bombona|caldera|horno|cafetera|olla|bateria"
            r"|botella|maquina|cocina|estufa|calentador)\b|(?:hay|habido|hubo|oido|oimos) una explosion\b",
            r"(?:sal\w+|ech\w+|salt\w+) (?:\w+ )?chispas\b",
            r"h?uele (?:\w+ ){0,2}a (?:quemado|humo) en (?:el|la)\b",
            r"(?:is|are) on fire\b",
            r"there\W?i?s (?:a )?(?:fire|smoke)\b",
        ),
        mishaps="fuego|incendios?|humo",
        names="fuego|incendi|humo|extintor|evacua|explosi",
    ),
    emergency(
        wording="qué hacer si huele a gas o hay una fuga de gas",
        signs=(
            r"(?:uele|huele) (?:\w+ ){0,2}a gas\b",
            r"se (?:esta |ha |a )?(?:escap|fug)\w+ (?:el )?(?:gas|butano)\b",
            r"smells? (?:of|like) gas\b",
        ),
        mishaps="olor a gas|(?:fugas?|escapes?) de (?:gas|butano)",
        names=r"gas\b|butano",
    ),
    emergency(
        wording="qué hacer si hay un atraco, un robo con amenazas",
        signs=(
            # Ships are «atracados», tape is cut with «una navaja», labels are put on with «una pistola».
            r"(?:nos|me|estan|han|an|acaban de) (?:\w+ )?(?:atrac|asalt)(?:an|ado|ando|aron)\b(?! dudas)",
            r"(?:atracaron|asaltaron)\b",
            # What a guard carries is a matter of rules.
            rf"(?!vigilantes? (?:\w+ )?llev)(?:{SOMEBODY}|tipos?|tios?|individuos?|ladron(?:es)?|atracador\w*|uno) "
            rf"(?:\w+ )?(?:con|tienen?|llevan?|traen?) (?:una? )?{WEAPON}",
            rf"(?<!\w )(?:tienen?|llevan?|traen?) (?:una? )?{WEAPON}",
            rf"(?<=\bsi )(?:tiene|lleva|trae) una? {WEAPON}",
            f"(?:sac(?:an?|o|aron|ando)|(?:a|ha|an|han) sacado) (?:una? )?{WEAPON}",
            r"(?:amenaz\w+|apunt\w+) (?:\w+ ){0,2}(?:con )?(?:un|una) (?:pistola|navaja|arma|cuchillo)\b",
            rf"(?:(?:a|ha|an|han) entrado|entra|entro|viene|aparece|armad[oa]|amenaza\w*) (?:\w+ ){{0,2}}con {BLADE}",
            rf"(?:hay|{_STRANGER}) con {BLADE}",
            rf"(?:{_STRANGER} (?:\w+ )?|nos |me )(?:saca|saco|(?:a|ha) sacado) {BLADE}|{_STRANGER} armad[oa]s?\b",
            r"being robbed\b|(?:has|with) a (?:gun|knife)\b",
        ),
        mishaps=r"atracos?|atracador\w*|asaltos?",
        # What is done about a forced door, by whoever finds it, puts people at risk who are being threatened.
        names=r"atrac|asalt|robo\b|robos\b|ladron|delincuent|amenaz",
    ),
    emergency(
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
    emergency(
        wording="qué hacer si hay una inundación o una fuga de agua",
        signs=(
            r"se (?:nos |esta |ha |a )?inund\w+",
            r"revent\w+ (?:una?|el|la) (?:tuberia|cano|caneria)\b",
        ),
        mishaps="inundacion(?:es)?|(?:fugas?|escapes?) de agua",
        names="inunda|(?:fuga|escape)s? de agua|tuberia",
    ),
    emergency(
        wording="qué hacer si alguien se queda encerrado o atrapado",
        signs=(
            r"(?:me|nos) (?:(?:e|he|hemos) quedado|quedo|quede|quedamos) (?:encerrad|atrapad)[oa]s?\b",
            r"(?:estoy|estamos) (?:encerrad|atrapad)[oa]s?\b",
            rf"{WITH_ASIDES}(?:encerrad|atrapad)[oa]s?\b{_IN_A_MENU}",
            rf"{ANYBODY}{_STAYS} (?:encerrad|atrapad)[oa]s?\b{_IN_A_MENU}(?! (?:un|una|el|la|los|las) (?!(?:\w+ "
            rf")?{SOMEBODY})){_NO_THINGS}",
            rf"con (?:gente|(?:\w+ )?{SOMEBODY}) dentro\b",
            rf"(?:encerrad|atrapad)[oa]s? (?:a )?(?:\w+ )?{SOMEBODY}\b{_IN_A_MENU}",
            r"hay gente (?:encerrada|atrapada)\b",
            r"(?:stuck|trapped|locked) (?:in|inside) (?:\w+ )?(?:lift|elevator|freezer|cold|fridge|room|toilet)\b",
        ),
        mishaps=NEVER,
        names=r"encerrad|atrapad|qued\w+ dentro|desde dentro|rescat",
    ),
    emergency(
        wording="qué hacer ante una agresión o una pelea",
        signs=(
            r"(?:me|nos|le|les) (?:a |ha |an |han |esta |estan |acaba de |acaban de )?agred\w+",
            rf"{SOMEBODY} (?:\w+ )?(?:me|nos|le|les) {HAS}{_HITS}(?! (?:un|una|el|la|con)\b)",
            rf"(?:me|nos) (?:han|an|estan) {_HITS}(?! (?:un|una|el|la|con)\b)",
            rf"{SOMEBODY} (?:\w+ )?{HAS}{_HITS} a (?:\w+ )?{SOMEBODY}\b",
            r"(?:me|nos|le|les) esta \w+ y (?:\w+ y )?(?:amenazando|pegando)\b",
            rf"{SOMEBODY} (?:\w+ )?se (?:esta |estan |a |ha |han |an )?(?:peg|pele)(?:an|ando|ado|aron)\b(?! "
            rf"(?:al?|en|por) )",
            rf"se (?:estan )?(?:peg|pele)(?:an|ando|aron) (?:\w+ )?{SOMEBODY}\b",
            r"(?:me|nos|le|les) (?:(?:esta|estan|a|ha|an|han) )?amenaz(?:a|an|ando|ado|o|aron)\b"
            r"(?! (?:\w+ )?con\b(?! (?:peg|mat|golpe|agred|romper))|(?: \w+)? (?:la|el|una?) )",
            r"amenaza con (?:peg|mat|golpe|agred)\w+",
        ),
        mishaps="peleas?|agresion(?:es)?",
        names="agresi|agred|pelea|violen|amenaz",
    ),
    emergency(
        wording="qué hacer si hay una amenaza de bomba o un paquete sospechoso",
        signs=(
            r"(?:dice|dicen|diciendo|llamad\w+|avis\w+) (?:\w+ ){0,3}(?:hay|han puesto|an puesto|ha puesto) una bomba\b"
            r"(?! (?:de|averiad|rota|que|para)\w*)",
            r"(?:bolso|bolsa|maleta|mochila|paquete|bulto|objeto|sobre) (?:\w+ ){0,2}sospechos[oa]\b",
            r"(?:bomb threat|suspicious (?:package|bag))\b",
        ),
        mishaps="(?:amenaza|aviso)s? de bomba",
        names="(?:amenaza|aviso)s? de bomba|explosiv|sospechos|evacua",
    ),
    emergency(
        wording="qué hacer en caso de terremoto",
        signs=(r"(?:tiembla|temblando|se mueve) (?:el suelo|la tierra|el edificio|todo el edificio)\b",),
        mishaps="terremotos?|sismos?|seismos?|temblor(?:es)?",
        names="terremoto|sismo|seismo|temblor|evacua",
    ),
)
