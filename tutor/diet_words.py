"""Words of questions about dishes and allergens, as `tutor.wording.asked` writes them, which has no accents.

Pure data: patterns, parted by blanks, each for a whole word. See `tutor.patterns.any_of`.
"""

from typing import Final

# Whatever is on a menu.
DISHES: Final = r"""
    algo algun\w* platos? postres? productos? opcion(?:es)? menus? alternativas? tapas? entrantes? primeros segundos
    bebidas? comidas? cosas helados? tartas? pan(?:es)?
"""

# What a question may ask for around dishes that are no dishes themselves.
NO_DISHES: Final = r"""
    protocolos? procedimientos? pasos? cuidados? precaucion\w* medidas? normas? precios? hora\w* diferenci\w+
    neveras? camaras? congelador\w* temperaturas? riesgos? peligros? sintomas? reaccion\w* efectos? consecuencias?
    sitios? lugar(?:es)? zonas? partes? estantes? estanterias? armarios? almacen\w* bandejas? recipientes? envases?
    cubiertos? cuberteria tenedor(?:es)? cucharas? vajillas? menaje ollas? cazos? pinzas? tostador[ae]\w* batidoras?
    mantel(?:es)? servilletas? panos? bayetas? estropajos?
    hornos? freidoras? planchas? sartene?s? utensilios? cuchillos? tablas? trapos? guantes uniformes? mesas? dias?
    momentos? casos? plazos? tiempos? caducidad\w* cantidad\w* informacion\w* fichas? documentos? etiquet\w+
    cartel(?:es)? simbolos? iconos? color(?:es)? codigos? numeros? ley(?:es)? reglamentos? obligacion\w* formacion
    motivos? razon(?:es)? maneras? formas? modos? personas? companer[oa]s? responsables? encargad[oa]s? proveedor\w*
    contaminacion\w* problemas?
"""

# Between «qué» and the verb that says what is asked.
BEFORE_VERBS: Final = r"""
    se le les me nos te hay que tengo tenemos tienen? debo debe debemos puedo puede podemos
"""

# «¿Qué hago si…?», «¿qué significa…?»: such questions want no dishes.
OTHER_VERBS: Final = r"""
    hago hac\w+ pas(?:a|o|aria|e) ocurr\w+ sucede digo decir\w* es tal pregunt\w+ significa\w* quiere\sdecir
    us(?:o|a|an|ar|amos) utili\w+ guard\w+ limpi\w+ lav\w+ avis\w+ apunt\w+ anot\w+ comunic\w+ inform\w+ revis\w+
    comprob\w+ compruebo vigil\w+ separ\w+ tener\sen\scuenta sab(?:er|emos) supon\w+ implica\w* conlleva\w*
    provoca\w* causan? produce\w*
"""

# What is not to be done, behind «no»: «no puede comer», «no son aptos».
UNFIT: Final = r"""
    pued\w+ pod\w+ deb\w+ apt[oa]s? recom\w+ aconsej\w+ sirv\w+ val(?:e|en) convien\w+ adecuad\w+ indicad\w+
    segur[oa]s? tom\w+ com(?:er|e|en) ofre\w+ serv\w+ dar doy damos permit\w+
"""

# Plain words: what a question for dishes says beside the name of one.
ANY_DISH: Final = """
    platos postres productos opciones menu carta alternativas tapas entrantes primeros segundos bebidas comidas cosas
    raciones casa dia cocina cliente clientes restaurante aptos comer tomar ofrecer servir llevan contiene trazas
"""
