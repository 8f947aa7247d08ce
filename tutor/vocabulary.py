"""Other words for the words of a question: those that mean the same, and those that mean the opposite. Pure.

People in a hurry do not know the manual's words: «se ahoga», «copia de seguridad».
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache

from tutor.prepared import lexicon
from tutor.wording import stems

# Each line: everyday words, and those that a manual has for the same. None whose stem is also that of a common word
# of another meaning: «granos» would stand for «gran», «llamas» for «llamo».
_EVERYDAY = """
    ahogar ahoga ahogando ahogo asfixia atraganta garganta respirar respiracion
    marear mareo mareado mareada desmayo desmayar desmayado inconsciente
    hinchar hincha hinchando hinchado hinchazon inflamar inflamacion
    sarpullido ronchas urticaria erupcion
    picar pica picor picazon
    sangrar sangra sangre herida
    quemar quemado quemadura
    fuego incendio humo
    robar robado
    ambulancia urgencia emergencia
    copia copias respaldo respaldos respaldar
    restaurar restauracion recuperar recupero
    descuadre diferencia arqueo
    boton tecla
    pegatina etiqueta
    timar timando timo estafa fraude
    furgon camion transporte
    caer caido derramar derrama derrame
    sola solo solitario
    movil telefono
    grabar grabaciones imagenes
    precio cuesta coste costo
    gluten celiaco celiacos celiaca celiacas celiaquia
    leche lactosa lacteos
    sanciones multa multas sancion
    aseo aseos lavabo lavabos baño baños
    wifi inalambrica inalambrico
    aparcamiento garaje parking
    incidencia averia
    fallecer fallecido fallecida fallecimiento defuncion morir muerto muerta muerte
    nacimiento paternidad maternidad
    diario diaria diariamente
    kilometro kilometros km kilometraje
    terminar termina extinguir extingue extincion
    arrancar arranca iniciar inicia inicio
    ley leyes legislacion
    ordenador dispositivo dispositivos
    diarrea intestinal gastroenteritis
    fumar fuma fuman fumador fumadores tabaco
    peso pesa pesan
    pendrive pendrives usb
    parar detener detiene
"""
_OPPOSED = """
    respaldar respaldo copia / restaurar restauracion
    efectivo / tarjeta
    instalar instalacion / desinstalar desinstalacion
    crear creacion / borrar eliminar eliminacion
    activar activacion / desactivar desactivacion
    conectar conexion / desconectar desconexion
"""
# Of these whoever asks for one is answered by the other: «¿se abre los domingos?», «los domingos está cerrada».
_OPPOSED_STATES = """
    abrir abre abren abro abrimos abierto apertura / cerrar
    encender / apagar
"""


def kin(word: str) -> frozenset[str]:
    """The stems (see `tutor.wording.stems`) that stand for the same as one; without itself."""
    return _kin().get(word, frozenset())


def opposites(word: str, *, asks_whether: bool = False) -> frozenset[str]:
    """The stems that stand for the opposite of one. Of two states the other answers who `asks_whether` it is one."""
    found = _opposites(_OPPOSED).get(word, frozenset())
    return found if asks_whether else found | _opposites(_OPPOSED_STATES).get(word, frozenset())


def says_the_opposite(asked: frozenset[str], said: frozenset[str], *, asks_whether: bool = False) -> bool:
    """Whether stems hold the opposite of one that was asked for, and not itself. Who asks for both gets either."""
    return any(
        word not in said and asked.isdisjoint(against) and not said.isdisjoint(against)
        for word in asked
        if (against := opposites(word, asks_whether=asks_whether))
    )


@cache
def _kin() -> Mapping[str, frozenset[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for group in _lines(lexicon.SYNONYMS + _EVERYDAY):
        words = stems(group)
        for word in words:
            found[word] |= words - {word}
    return {word: frozenset(others) for word, others in found.items()}


@cache
def _opposites(listed: str) -> Mapping[str, frozenset[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for line in _lines(listed):
        left, right = (stems(side) for side in line.split("/"))
        for word in left:
            found[word] |= right - left
        for word in right:
            found[word] |= left - right
    return {word: frozenset(others) for word, others in found.items()}


def _lines(text: str) -> Iterator[str]:
    return (line for line in text.splitlines() if line.strip())
