"""What emergencies are told by: their signs, their names, and how one would look for what to do. Pure.

The patterns are matched with a question as `tutor.wording.asked` writes it, see `tutor.emergency_words`. In Spain
things have happened («se ha caído»), in America they happened («se cayó»); who asks what to do has them happen («se
cae», «me acabo de caer»).
"""

from tutor.emergency_dangers import DANGERS
from tutor.emergency_parts import (
    ALLERGIC,
    ANYBODY,
    AT_HOME,
    BODY,
    BROKE,
    CHEMICAL,
    DRUNK,
    FALLS,
    FELL,
    FIRST_AID,
    HAS,
    HOT,
    HURT,
    IN_THE_EYE,
    INJURED,
    NO_THING_BEHIND,
    NOT_HURT,
    NOT_ON_A_THING,
    NOT_SERVED,
    OFF_A_LIST,
    SOMEBODY,
    SPLASHED,
    SWELLS,
    THING,
    WITH_ASIDES,
    Emergency,
    emergency,
)

# What a guest has spilt over himself is for the dry cleaner, unless it is hot.
_SPILT = (
    r"(?:vinos?|cafes?|cervezas?|refrescos?|bebidas?|copas?|vasos?|platos?|salsas?|sopas?|agua|zumos?|leche|te|comida"
    r"|trabajo|mundo)"
)
_SOON = r".{0,80}"  # a bound, or a long text takes its length squared
# What gets stuck in somebody, or where it does, beside the parts of the body that swell and break.
_SHARP = (
    r"(?:cuchill\w+|clavos?|astillas?|cristal(?:es)?|vidrios?|espinas?|agujas?|tornillos?|alambres?|grapas?|puntas?"
    r"|tijeras?|navajas?|punzon|alfiler(?:es)?|destornillador|esquirlas?|hierros?|anzuelos?|jeringuillas?|pinchos?"
    r"|palillos?|brochetas?|cuter|virutas?|chinchetas?|ganchos?|varillas?|metal|palos?|raspas?|tenedor|espalda|pecho"
    r"|muslo|codo|planta del pie|piel)"
)
_ANIMAL = r"(?:perr[oa]|gat[oa]|rata|avispa|abeja|abejorro|arana|vibora|serpiente|culebra|medusa|alacran|escorpion)"
_BITES = rf"{HAS}(?:mordido|muerde|mordio|picado|pica|pico)"
_ACID = r"(?:vinagre|limon|alcohol|agua ?fuerte|agua oxigenada|antical|descalcificador|desincrustante|desatascador)"
# What does nobody harm that falls on him.
_NOTHING_SOFT = r"(?!(?:\w+ ){0,3}?(?:pelos?|flequillo|agua|vino|zumo|refresco|cerveza)\b)"
# Orders and takings «se desploman» as well, whosever they are.
_NO_ORDER = r"(?<!pedido del )(?<!pedidos del )(?<!paquete del )(?<!tarta del )(?<!saldo del )(?<!negocio del )"
# Who of the staff falls ill asks for leave.
_GUEST = (
    r"(?:client[ea]s?|huesped(?:es)?|comensal(?:es)?|pasajer[oa]s?|alumn[oa]s?|nin[oa]s?|alguien|visitantes?"
    r"|senor(?:a|es)?)"
)
_INJURIES = (
    emergency(
        wording="qué hacer si alguien sufre una reacción alérgica",
        signs=(
            rf"se (?:le|les|me|te|nos) (?:\w+ )?h?inch\w+\b(?! (?:\w+ ){{0,2}}{SWELLS}\b)",
            rf"h?inch\w+ (?:\w+ ){{0,2}}{BODY}\b",
            rf"{BODY} (?:\w+ )?h?inchad\w+",
            r"(?:me|le|les) (?:(?:han|an|estan) )?sal\w+ (?:\w+ )?(?:ronchas?|sarpullidos?|urticaria)\b",
            # An allergy is meant, unless it is said what else somebody reacts to, or how: to a price, with anger.
            r"(?:(?:le|les|me|nos) (?:esta |a |ha )?(?:da|dan|dio|dado|dando|entra|entrado)"
            rf"|{SOMEBODY} (?:\w+ ){{0,2}}?(?:esta |a |ha )?(?:tiene|tienen|tuvo|tenido|teniendo|sufr\w+|presenta\w*))"
            r" (?:como )?(?:una )?(?:mala |fuerte )?reaccion\b(?! (?:\w+ ){0,3}?"
            r"(?:preci|sub|cambi|notici|respuest|coment|mensaj|corre|ofert|promo|campan|quej|factur|cuenta|esper|anunci"
            r"|norm|dec|negativ|positiv|violent|agresiv|exagerad|inesperad|quimic|enfad|buen|bonit|alegr|estupend|genial"
            r"|fantastic|maravillos|favorable|desproporcionad|desmedid|airad)\w*)",
            rf"{ALLERGIC}\b(?: \w+){{0,6}}? (?:se )?(?:(?:a|ha|han|an) (?:\w+ )?(?:comid|tomad|probad|bebid|ingerid"
            r"|tragad)o|comio|comieron|tomo|probo|bebio|ingirio|acaba de (?:comer|tomar|probar))\b(?! nota)",
            rf"{ALLERGIC}\b(?: \w+){{0,6}}? (?:se )?(?:come|comen|toma|prueba|bebe|ingiere) "
            r"(?!en |aqui|hoy|con |sin |solo |fuera|siempre|nota|asiento|el menu|(?:\w+ ){1,4}sin )",
            rf"(?:comido|tomado|probado|comio|tomo|probo|bebido|bebio)\b(?: \w+){{0,6}} {ALLERGIC}",
            r"(?:(?:e|he|hemos|a|ha|han) (?:servido|puesto|dado)|servi|servimos|sirvo|sirve|doy)\b(?!.* sin\b)"
            rf"(?! al? )(?!(?: \w+)? (?:carta|hoja|lista|informacion|ficha|tabla|menu|mesa)\b)(?: \w+){{0,6}} "
            rf"{ALLERGIC}",
            r"(?:pica|picor (?:en|de)) (?:mucho )?(?:la|el) (?:boca|lengua|garganta)\b",
            r"(?:lips?|face|tongue|throat|eyes?) (?:\w+ ){0,2}sw[eo]ll\w*",
            r"swollen (?:lips?|face|tongue|throat|eyes?)\b",
            r"(?:has|having) an? (?:\w+ )?allergic reaction\b",
        ),
        mishaps=r"ronchas?|sarpullidos?|urticaria|anafila\w+|shock|reaccion(?:es)? alergicas?",
        names="reaccion(?:es)? alergicas?|anafila|adrenalina|sufre una reaccion",
    ),
    emergency(
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
    emergency(
        wording="qué hacer si alguien se desmaya o se marea",
        signs=(
            r"(?:se|me|nos) (?:\w+ )?(?:desmay|mare)\w+",
            r"(?:desmay|mare)ad[oa]s?\b",
            r"(?<!error )(?<!forma )(?<!manera )(?<!gesto )inconsciente\b",
            r"(?:perdido|perdio|pierden?|perdiendo) (?:el|la) (?:conocimiento|sentido|conciencia)\b",
            r"convulsiona\w*",
            rf"(?:{WITH_ASIDES}|{ANYBODY}(?:que )?)no (?:reacciona|se (?:despierta|mueve))n?\b"
            rf"(?! (?:al?|ante|con|de|frente)\b){NO_THING_BEHIND}",
            rf"{_NO_ORDER}{WITH_ASIDES}se {HAS}(?:desplom|desvanec)\w+",
            # Who eats his fill «se pone morado» as well.
            rf"{WITH_ASIDES}se {HAS}(?:pone|poniendo|puesto) (?:azul|morad[oa])\b"
            r"(?! (?:al?|de) (?:comer|beber|cenar|tapas|marisco|gambas|jamon|pasteles|dulces|canapes|cervezas?)\b)",
            rf"se {HAS}(?:desplom|desvanec)\w+ (?:\w+ )?{SOMEBODY}\b",
            r"(?:me|le|les) (?:esta )?(?:duele|doliendo|aprieta|oprime) (?:\w+ )?(?:el )?(?:pecho|corazon)\b",
            r"(?:sin|no tiene) pulso\b",
            r"faint(?:s|ed|ing)\b",
            r"passed out\b",
        ),
        mishaps=(
            "desmayos?|mareos?|convulsion(?:es)?|infarto|ictus|paro cardiaco|ataque (?:epileptico|al corazon)"
            "|crisis epileptica"
            r"|dolor (?:\w+ )?(?:en el|de) pecho"
        ),
        names=f"desmay|mareo|inconscien|conocimiento|convulsi|infarto|{FIRST_AID}",
    ),
    emergency(
        wording="qué hacer si alguien se quema, quemaduras",
        signs=(
            # «Se me quemó el arroz» is said of rice.
            r"(?:me|nos) (?:e|he|hemos) (?:\w+ )?quemad[oa]\b",
            r"(?<!\bse )me quem[eo]\b",
            r"(?:me|nos) acab\w+ de quemar\b|acab\w+ de quemar(?:me|nos)\b",
            rf"{WITH_ASIDES}se acaba de quemar\b|{WITH_ASIDES}acaba de quemarse\b",
            rf"{SOMEBODY} (?:\w+ )?se (?:(?:a|ha) )?quem\w*",
            rf"se (?:(?:a|ha) quemado|quemo) (?:\w+ )?(?:{SOMEBODY}|{BODY}|con)\b",
            rf"se quema (?:\w+ )?(?:{SOMEBODY}|{BODY})\b",
            rf"(?:me|le|les|nos) {HAS}(?:salpic(?:ado|a|o|an|ando)|salt(?:ado|a|o|an|ando)) "
            rf"(?:\w+ ){{0,2}}(?:aceite|grasa|{HOT}|agua hirviendo)\b{NOT_ON_A_THING}",
            rf"{SOMEBODY} (?:\w+ )?se (?:(?:a|ha) salpicado|salpica|salpico) (?:\w+ ){{0,2}}(?:aceite|{HOT})\b",
            rf"(?:me|nos) (?:(?:e|he|hemos) salpicado|salpique|salpicamos|salpico) (?:\w+ ){{0,2}}(?:aceite|{HOT})\b",
            rf"se (?:(?:a|ha|an|han) salpicado|salpico|salpicaron) (?:\w+ ){{0,2}}(?:aceite (?:hirviendo|(?:muy "
            rf")?caliente)|{HOT})\b",
            rf"(?:me|le|les|nos) {HAS}(?:caido|caen?|cayo|cayendo|cayeron) (?:encima )?(?:\w+ ){{0,2}}"
            rf"(?:aceite (?:hirviendo|(?:muy )?caliente)|{HOT})\b{NOT_ON_A_THING}",
            r"burn(?:ed|t) (?:my|his|her|their|him|her)\w*\b",
        ),
        mishaps="quemaduras?",
        names=f"quemadur|quemad[oa]s? |{FIRST_AID}",
    ),
    emergency(
        wording="qué hacer si alguien se corta o sangra, heridas",
        signs=(
            rf"(?:me|nos) (?:e|he|hemos) (?:\w+ )?{HURT}\b",
            r"(?<!\bse )me cort[eo]\b(?! (?:el pelo|la llamada|el telefono|la luz|la palabra))",
            r"(?:me|nos) acab\w+ de (?:cortar|pinchar|clavar)\b|acab\w+ de (?:cortar|pinchar|clavar)(?:me|nos)\b",
            rf"{WITH_ASIDES}(?:se acaba de (?:cortar|pinchar)|acaba de (?:cortar|pinchar)se)\b(?! la (?:llamada"
            rf"|comunicacion))",
            # Programs and tills «se clavan» as well.
            rf"se (?:me|le|les|nos) {HAS}clav(?:ado|a|o|an|aron) (?:\w+ ){{0,4}}?(?:{BODY}|{_SHARP})\b"
            rf"(?!(?: \w+){{0,4}} {THING}\b)",
            rf"{ANYBODY}se corta (?:\w+ )?(?:{SOMEBODY}|{BODY})\b(?! (?:de|la|el)\b)",
            rf"(?:perdido|arrancado|amputado|arranca|amputa) una? {BODY}\b|se (?:a |ha )?amput\w+",
            r"won\W?t stop bleeding\b",
            rf"{SOMEBODY} (?:\w+ )?se (?:corta|corto|(?:a|ha) {HURT})\b",
            rf"se (?:(?:a|ha) {HURT}|corto) (?:\w+ )?(?:{SOMEBODY}|{BODY})\b",
            rf"se (?:a|ha) {HURT} (?:\w+ )?con\b",
            r"hay (?:mucha )?sangre\b",
            r"cut (?:my|his|her|their)\w*\b",
            r"bleeding\b",
        ),
        shared_signs=(
            r"(?<!\bse )sangr(?:an?|ando)\b",
            r"(?:par|dej|ces)\w+ de sangrar\b",
            r"(?:sale|saliendo|pierde|perdiendo|echa|echando) (?:mucha |bastante )?sangre\b",
        ),
        mishaps="heridas?|hemorragias?",
        names=rf"heridas?\b|heridos?\b|sangr|{FIRST_AID}",
    ),
    emergency(
        wording="qué hacer si hay un accidente de trabajo o alguien se lesiona",
        signs=(
            rf"{SOMEBODY} (?:\w+ )?(?:se )?{FELL}\b{OFF_A_LIST}",
            rf"{WITH_ASIDES}se {FALLS}\b{OFF_A_LIST}(?! con (?:un |el )?(?:error|problema|precio))",
            rf"se {FALLS} (?:\w+ )?{SOMEBODY}\b{OFF_A_LIST}",
            rf"{WITH_ASIDES}(?:tropieza|tropezo|ha tropezado|resbala)n?\b(?! con (?:un |el )?(?:error|problema"
            rf"|precio))",
            r"me (?:e |he )?(?:hago|hecho|hice) (?:mucho )?dano\b|nos (?:hemos hecho|hacemos|hicimos) (?:mucho "
            r")?dano\b",
            r"se (?:a |ha |han |an )?(?:hacen?|hecho|hizo|hicieron) (?:mucho )?dano\b",
            r"me (?:caigo|resbalo|tropiezo|acabo de (?:caer|resbalar|golpear|lastimar))\b",
            r"acabo de (?:caer|resbalar|golpear|lastimar)me\b",
            rf"se {HAS}(?:caen?|caido|cayo) (?:de|por) (?:la|las|una|unas) escaleras?\b",
            rf"golpe (?:\w+ )?en (?:el|la|los|las|un|una) {BODY}\b",
            rf"(?:me|le|les|nos) {HAS}(?:caen?|caido|cayo|cayendo|cayeron) (?:(?!{_SPILT}\b)\w+ ){{0,3}}encima\b"
            rf"(?! (?:de|(?:\w+ )?{_SPILT})\b)",
            rf"(?:caen?|caido|cayo|cayeron) (?:(?!{_SPILT}\b)\w+ ){{0,4}}encima del? (?:\w+ )?{SOMEBODY}\b",
            r"atropell(?:a|an|o|ado|aron)\b",
            rf"(?:me|l[aeo]s?|nos) {_BITES} (?:una?|el|la) "
            rf"{_ANIMAL}\b",
            rf"(?:una?|el|la) {_ANIMAL} {_BITES} a (?:\w+ )?{SOMEBODY}\b",
            rf"{_BITES} (?:una?|el|la) {_ANIMAL} a (?:\w+ )?{SOMEBODY}\b",
            rf"{SOMEBODY} (?:\w+ )?se (?:(?:an|han) (?:caido|resbalado)|cayeron|resbalaron)\b",
            rf"se {FELL} (?:\w+ )?{SOMEBODY}\b",
            r"me (?:e|he) (?:caido|resbalado)\b",
            r"me (?:cai|resbale)\b",
            r"golpe en la cabeza\b",
            r"se (?:a |ha )?(?:golpe\w+|peg\w+) (?:\w+ ){0,3}cabeza\b",
            r"electrocut\w+",
            r"(?:me|le|les|nos) (?:(?:a|ha) dado|dio|da|esta dando) (?:la |una? )?"
            r"(?:corriente|descarga|calambr\w+|chispazo|sacudida)\b(?! en )",
            rf"se {BROKE} (?:el|la|un|una) {BODY}\b(?! del?\b)",
            rf"{SOMEBODY} (?:\w+ )?se {INJURED}\b",
            rf"se {INJURED} (?:\w+ )?{SOMEBODY}\b",
            r"me (?:(?:e|he) (?:lastimado|lesionado)|lastime|lesione)\b",
            # «Se le ha caído una caja en el pie», but not «se le ha caído un pelo en la cara del envase».
            rf"(?:cay[oe]|cayeron|caido|ca[ie]n|cae|cayendo) {_NOTHING_SOFT}(?:\w+ ){{0,6}}(?:en|sobre|encima del?) "
            rf"(?:(?:el|la|los|las|un|una|su) )?(?!ojos?\b){BODY}\b(?! del?\b)",
            rf"(?:me|se) (?:(?:a|ha|e|he) )?(?:pill|atrap|machuc|aplast)\w+ (?:\w+ )?{BODY}\b",
        ),
        mishaps="descarga electrica|accidentes?(?: de trabajo| laboral(?:es)?)?",
        names=rf"accidentes?\b|accidentad|lesion|{FIRST_AID}",
    ),
)
_ILLNESSES = (
    emergency(
        wording="qué hacer si un producto químico salpica en los ojos o se ingiere",
        signs=(
            # «Ojo, este producto…» only warns: it must have got into the eye.
            rf"{SPLASHED}\b{_SOON}\b(?:{CHEMICAL}|producto)\b{_SOON}\b{IN_THE_EYE}\b",
            rf"(?:{CHEMICAL}|producto)\b{_SOON}\b{SPLASHED}\b{_SOON}\b{IN_THE_EYE}\b",
            rf"{SPLASHED}\b{_SOON}\b{IN_THE_EYE}\b{_SOON}\b(?:{CHEMICAL}|producto)\b",
            rf"{CHEMICAL} (?:\w+ ){{0,2}}{IN_THE_EYE}\b(?! de\b)",
            rf"(?:me|le|les) (?:pic|escuec|ard|quem|llor)\w+ (?:\w+ )?(?:los|el|un) ojos?\b{_SOON}\b{CHEMICAL}\b",
            rf"{DRUNK} (?:\w+ ){{0,3}}(?:{CHEMICAL}|producto (?:quimico|toxico|de limpieza))\b",
            rf"(?:respirado|respire|respiro|inhalado|inhale|inhalo|inhala) (?:\w+ ){{0,3}}(?:{CHEMICAL}|gas|gases"
            rf"|vapores|humos?)\b",
            rf"(?:mezclad[oa]|mezcle|mezclo|mezclamos) (?:\w+ ){{0,3}}(?:{CHEMICAL} (?:con|y) (?:\w+ ){{0,2}}"
            rf"(?:{CHEMICAL}|{_ACID})|{_ACID} (?:con|y) (?:\w+ ){{0,2}}{CHEMICAL})\b",
            rf"{CHEMICAL}\b(?: \w+){{0,3}} (?:en|a|por) (?:el|la|los|las|mi|su|toda la) (?:{BODY}|piel)\b(?! de\b)",
            r"se (?:(?:a|ha) tragado|trago|traga) (?:\w+ ){0,4}"
            r"(?:pilas?|iman(?:es)?|huesos?|espinas?|cristal(?:es)?|vidrios?|plastico|tornillo|clavo|alfiler"
            r"|canica|medicamentos?|pastillas?)\b",
            rf"{SOMEBODY} se (?:(?:a|ha) tragado|trago|traga) (?:una?|la|el) (?!tarjeta|billete|anuncio|espera)\w+",
            rf"(?:bebe|ingiere|traga|se toma) (?:\w+ ){{0,3}}(?:{CHEMICAL}|producto (?:quimico|toxico|de limpieza))\b",
            rf"(?:me|le|les|nos) {HAS}(?:entr|met|salt|salpic|cae|cai|cay)\w* (?:\w+ ){{0,3}}{IN_THE_EYE}\b",
            r"intoxicad\w+",
            r"se intoxic\w+",
            r"envenenad\w+",
        ),
        mishaps="intoxicacion(?:es)?|envenenamientos?",
        names=f"toxicolog|intoxica|ingesti[oó]n|contacto con los ojos|{FIRST_AID}",
    ),
    emergency(
        wording="qué hacer si alguien se encuentra mal",
        signs=(
            rf"(?:{WITH_ASIDES}|{ANYBODY})se (?:(?:a|ha) )?(?:encuentra|siente|sintio|sentido|sintiendo|esta "
            rf"sintiendo) "
            rf"(?:muy |bastante |super |tan )?(?:mal|fatal|indispuest[oa]){NOT_SERVED}{NOT_HURT}{AT_HOME}",
            rf"no (?:se (?:encuentra|siente)|me (?:encuentro|siento)) (?:muy |nada "
            rf")?bien\b{NOT_SERVED}{NOT_HURT}{AT_HOME}",
            r"(?:le|me|les) (?:a |ha |esta )?(?:da|dio|dado|dando) un "
            r"(?:ataque(?! de (?:risa|celos|ira|rabia|furia|hambre|generosidad|sinceridad)\b)"
            r"|jamacuco|patatus|telele|vahido|sincope|yuyu|soponcio)\b",
            r"(?:le|me|les) (?:esta dando|va a dar) algo\b(?! (?:a|para|de)\b)",
            rf"(?:me encuentro|me siento) (?:muy |bastante )?(?:mal|fatal){NOT_SERVED}{NOT_HURT}{AT_HOME}",
            rf"{WITH_ASIDES}se (?:(?:a|ha) puesto|pone|puso|esta poniendo) (?:muy )?(?:mal"
            rf"|mal[oa])\b{NOT_SERVED}{AT_HOME}",
            rf"{_GUEST} (?:\w+ ){{0,3}}?se (?:(?:a|ha) puesto|pone|puso) (?:muy )?enferm[oa]\b{AT_HOME}",
            rf"{WITH_ASIDES}esta (?:muy (?:mal[oa]?|grave)|fatal|vomitando)\b{NOT_SERVED}{AT_HOME}",
            rf"(?:{WITH_ASIDES}se|se) (?:a |ha )?descomp(?:uso|uesto|ensad[oa]|enso) (?:\w+ )?{SOMEBODY}\b",
            rf"{WITH_ASIDES}se (?:a |ha )?descomp(?:uso|uesto|ensad[oa]|enso)\b",
            r"(?:le|me|les) (?:a |ha |esta )?(?:da|dio|dado|dando) (?:un|una) "
            r"(?:bajon|bajada|subida) de (?:tension|azucar|glucosa)\b",
            r"(?:se (?:a|ha) puesto|se pone|esta) de parto\b|(?:(?:a|ha) roto|rompio|rompe) aguas\b",
            r"(?:se quiere|quiere|va a|amenaza con|intent\w+) (?:suicidarse|suicidar|matarse|quitarse la vida)\b",
            r"(?:feels?|feeling|is|are) (?:\w+ )?(?:sick|unwell|ill)\b",
        ),
        mishaps=(
            "ataques? de (?:ansiedad|panico|nervios)|crisis (?:de ansiedad|nerviosa)|golpe de calor|lipotimias?"
            "|hipoglucemias?|coma etilico"
        ),
        names=(
            r"(?:encuentr|sient|pon|pus)\w+ (?:muy )?(?:mal|malo|mala|enferm[oa])\b|indispuest|indisposici|desmay|mareo"
            rf"|inconscien|reaccion(?:es)? alergicas?|sufre una reaccion|ansiedad|intoxicaci|{FIRST_AID}"
        ),
    ),
)
EMERGENCIES: tuple[Emergency, ...] = (*_INJURIES, *DANGERS, *_ILLNESSES)  # whose signs are told first is the one
