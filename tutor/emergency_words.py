"""Words by which people tell of an emergency: who shows its signs, what only seems to, and what it happens with.

Pure data: patterns, parted by blanks, as `tutor.wording.asked` writes words, which has no accents and no ñ: «compañera»
and «caño» are «companera» and «cano» here. See `tutor.patterns.any_of`.
"""

from typing import Final

# A list of people is never whole: what must not be missed may not rest on it alone. By how they make their plural.
PEOPLE_IN_S: Final = """
    client[ea] senorita nin[oa] nen[ea] bebe chic[oa] muchach[oa] chav[oa] persona companer[oa] colega emplead[oa]
    trabajadora operari[oa] ayudante encargad[oa] jef[ea] gerente camarer[oa] meser[oa] moz[oa] cociner[oa] mecanic[oa]
    cajer[oa] dependient[ea] repartidora vigilante conserje recepcionista carnicer[oa] panader[oa] peluquer[oa]
    enfermer[oa] electricista fontaner[oa] socorrista estudiante pasajer[oa] alumn[oa] usuari[oa] pacient[ea] visitante
    turista vecin[oa] duen[oa] propietari[oa] ancian[oa] abuel[oa] viejit[oa] tia hij[oa] madre padre mama marido
    espos[oa] novi[oa] herman[oa] prim[oa] sobrin[oa] niet[oa] amig[oa] senora hombre profesora
"""
PEOPLE_IN_ES: Final = "senor trabajador repartidor mujer comensal chofer profesor albanil"
BODY: Final = """
    caras? labios? lengua boca nariz garganta cuello parpados? ojos? manos? dedos? brazos? munecas? piernas? rodillas?
    tobillos? pies? cabeza cuerpo
"""
FOOD: Final = """
    comida pan leche tortillas? masa arroz pizzas? carne salsas? sopas? cafe tostadas? cebolla ajo guiso pollo pescado
    bizcocho tarta torta galletas? caramelo mantequilla manteca
"""
# What is said to choke, to be short of air, or to bleed, and is nobody.
THINGS: Final = r"""
    coches? carros? autos? motos? motocicletas? vespa scooters? furgon\w* furgoneta camion(?:es|eta\w*)? vehiculos?
    tractor(?:es)? motor(?:es)? carburador(?:es)? calderas? compresor(?:es)? bombas? quemador(?:es)? hornos? estufas?
    generador(?:es)? motosierras? sierras? cortacesped desbrozadoras? maquinas? aspiradoras? barredoras? fregadoras?
    lavadoras? secadoras? cafeteras? carretillas? ventilador(?:es)? filtros? tuberias? desagues? impresoras? tintas?
    parrafos? frenos? circuitos? aire\sacondicionado ruedas? llantas? neumaticos? pistolas? plantas? raiz raices cesped
    vinos? telas? ropa prendas? tejidos? calzado zapat(?:o|illa)s? botas? camis(?:a|eta)s? uniformes? chaquetas?
    abrigos? colchon(?:es)? almohadas? mascarillas? barbijos? cubrebocas quesos? carnes filetes? entrecots? chulet\w+
    solomillos? bistecs? bifes? sofas? sillon(?:es)? butacas? tapiceria pared(?:es)?
    hamburguesas? pollos pescados radiador(?:es)? negocios? empresas?
"""
LAMPS: Final = "bombill[oa] foco lampara luz fusible placa resistencia embrague pantalla"
# What swells as lips do, beside food.
SWELLING_THINGS: Final = """
    baterias? pilas? ruedas? llantas? neumaticos? madera puertas? tapas? latas? envases? bolsas? paquetes? globos?
    colchon(?:es)? suelo piso parquet papel
"""
CHEMICALS: Final = """
    lejia lavandina cloro desengrasante quitagrasas detergente desinfectante limpiador limpiacristales amoniaco sosa
    salfuman lavavajillas abrillantador disolvente insecticida quimico acido
"""
