"""Sentences of a manual as a language model may write them: in other words, and saying something else. Pure.

Every rule gives the altered sentence, or nothing where it does not apply. What it makes reads like Spanish most of the
time; a few are clumsy, as weak models are.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence

Rule = Callable[[str, str, random.Random], str | None]  # sentence, its whole passage, chance

_NUMBERS = {
    "2": "dos", "3": "tres", "4": "cuatro", "5": "cinco", "6": "seis", "7": "siete", "8": "ocho", "9": "nueve",
    "10": "diez", "12": "doce", "14": "catorce", "15": "quince", "20": "veinte", "24": "veinticuatro",
    "25": "veinticinco", "30": "treinta", "40": "cuarenta", "45": "cuarenta y cinco", "48": "cuarenta y ocho",
    "50": "cincuenta", "60": "sesenta", "72": "setenta y dos", "90": "noventa", "100": "cien",
}  # fmt: skip
_PLAIN_FIGURE = re.compile(r"(?<![\w.,:/-])\d+(?![\w:/-]|[.,]\d)")
# Two ways to say the same; each is turned into the other.
_SAME = (
    ("dispone de", "tiene"), ("deberá", "tiene que"), ("deben", "tienen que"), ("debe", "tiene que"),
    ("se debe", "hay que"), ("hay que", "es necesario"), ("es obligatorio", "hay que"), ("realizar", "hacer"),
    ("realiza", "hace"), ("finalizar", "terminar"), ("comenzar", "empezar"), ("utilizar", "usar"), ("utiliza", "usa"),
    ("solicitar", "pedir"), ("solicita", "pide"), ("abonar", "pagar"), ("abona", "paga"), ("cada día", "a diario"),
    ("diariamente", "cada día"), ("está prohibido", "no está permitido"), ("queda prohibido", "no se permite"),
    ("se prohíbe", "no se permite"), ("no se permite", "está prohibido"), ("inmediatamente", "enseguida"),
    ("trabajador", "empleado"), ("trabajadores", "empleados"), ("empleado", "trabajador"), ("clientes", "compradores"),
    ("cliente", "comprador"), ("avisar", "informar"), ("avisa", "informa"), ("comunicar", "avisar"),
    ("comprobar", "revisar"), ("comprueba", "revisa"), ("mediante", "por medio de"), ("a través de", "por medio de"),
    ("posteriormente", "después"), ("previamente", "antes"), ("en caso de", "si hay"), ("salvo", "excepto"),
    ("excepto", "menos"), ("así como", "y también"), ("máximo de", "hasta"), ("al menos", "como mínimo"),
    ("como mínimo", "al menos"), ("limpio", "aseado"), ("guardar", "conservar"), ("conservar", "guardar"),
    ("producto", "artículo"), ("productos", "artículos"), ("artículo", "producto"), ("tique", "recibo"),
)  # fmt: skip
_CONTRARY = (
    ("antes", "después"), ("máximo", "mínimo"), ("máxima", "mínima"), ("más", "menos"), ("siempre", "nunca"),
    ("dentro", "fuera"), ("superior", "inferior"), ("obligatorio", "opcional"), ("prohibido", "permitido"),
    ("prohibida", "permitida"), ("abrir", "cerrar"), ("abierto", "cerrado"), ("abierta", "cerrada"),
    ("apertura", "cierre"), ("encender", "apagar"), ("entrada", "salida"), ("primero", "último"), ("subir", "bajar"),
    ("caliente", "frío"), ("frío", "caliente"), ("inicio", "final"), ("con", "sin"), ("gratis", "de pago"),
    ("mayor", "menor"), ("aumentar", "reducir"), ("aceptar", "rechazar"), ("interior", "exterior"),
    ("todos", "ninguno de"), ("conectar", "desconectar"), ("activar", "desactivar"), ("crear", "eliminar"),
)  # fmt: skip
_UNITS = (
    ("días", "horas"), ("días", "meses"), ("horas", "días"), ("minutos", "horas"), ("minutos", "segundos"),
    ("meses", "años"), ("años", "meses"), ("semanas", "meses"), ("segundos", "minutos"), ("euros", "céntimos"),
    ("€", "%"), ("%", "€"), ("kg", "g"), ("cm", "m"), ("m", "km"), ("litros", "mililitros"), ("ºC", "ºF"),
)  # fmt: skip
_WHO = (
    "encargado", "encargada", "gerente", "director", "directora", "camarero", "cocinero", "cliente", "proveedor",
    "trabajador", "empleado", "responsable", "jefe de sala", "cajero", "administrador", "profesor", "alumno",
    "técnico", "instalador", "usuario", "empresario", "inspector", "médico",
)  # fmt: skip
_NAMES = ("Zaragoza", "Almacén", "Contabilidad", "Portugal", "Recepción", "Garrido", "Logística", "Ventas", "Europa")
_VERB = re.compile(
    r"\b(?:se (?:debe|deben|puede|pueden|admite|admiten|permite|aplica|aplican|entrega|devuelve|guarda|hace|realiza)|"
    r"debe|deben|deberá|deberán|puede|pueden|podrá|podrán|tiene|tienen|es|son|está|están|hay|dispone|incluye|requiere)\b"
)


def _swapped(
    sentence: str, pairs: Sequence[tuple[str, str]], chance: random.Random, *, both: bool = False
) -> str | None:
    turned = [*pairs, *((new, old) for old, new in pairs)] if both else list(pairs)
    found = [(old, new) for old, new in turned if re.search(rf"(?<!\w){re.escape(old)}(?!\w)", sentence, re.IGNORECASE)]
    if not found:
        return None
    old, new = chance.choice(found)
    return re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, sentence, count=1, flags=re.IGNORECASE)


def _small(sentence: str) -> str:
    """The sentence as it goes on behind other words."""
    return sentence if sentence[:2].isupper() else sentence[:1].lower() + sentence[1:]


def _introduced(sentence: str, passage: str, chance: random.Random) -> str | None:
    return chance.choice(
        ("Según el manual, ", "Sí: ", "En resumen, ", "Recuerda que ", "El documento indica que ")
    ) + _small(sentence)


def _same_words(sentence: str, passage: str, chance: random.Random) -> str | None:
    first = _swapped(sentence, _SAME, chance)
    return None if first is None else _swapped(first, _SAME, chance) or first


def _all_other_words(sentence: str, passage: str, chance: random.Random) -> str | None:
    changes = 0
    for old, new in _SAME:
        sentence, count = re.subn(rf"(?<!\w){re.escape(old)}(?!\w)", new.upper(), sentence, flags=re.IGNORECASE)
        changes += bool(count)
    words = [word.lower() if word.isupper() and len(word) > 3 else word for word in sentence.split(" ")]
    return " ".join(words) if changes > 1 else None


def _spelled(sentence: str, passage: str, chance: random.Random) -> str | None:
    figures = [match for match in _PLAIN_FIGURE.finditer(sentence) if match[0] in _NUMBERS]
    if not figures:
        return None
    match = chance.choice(figures)
    return sentence[: match.start()] + _NUMBERS[match[0]] + sentence[match.end() :]


def _turned(sentence: str, passage: str, chance: random.Random) -> str | None:
    match = re.match(
        r"(?P<when>(?:si|cuando|en caso de|para|una vez)\b[^,;:.]{8,}),\s+(?P<then>[^,;:.]{12,})\.?$",
        sentence,
        re.IGNORECASE,
    )
    return None if match is None else f"{match['then'][:1].upper()}{match['then'][1:]} {_small(match['when'])}."


def _shortened(sentence: str, passage: str, chance: random.Random) -> str | None:
    parts = re.split(r"[,;]\s+", sentence)
    return f"{parts[0]}." if len(parts) > 1 and len(parts[0].split()) >= 6 and _VERB.search(parts[0]) else None


def _joined(sentence: str, passage: str, chance: random.Random) -> str | None:
    at = passage.find(sentence)
    rest = passage[at + len(sentence) :].lstrip()
    following = re.match(r"[A-ZÁÉÍÓÚ][^.\n|:]{20,120}\.", rest) if at >= 0 and sentence.endswith(".") else None
    return None if following is None else f"{sentence[:-1]} y, además, {_small(following[0])}"


def _in_figures(sentence: str, passage: str, chance: random.Random) -> str | None:
    return _swapped(sentence, [(word, figure) for figure, word in _NUMBERS.items() if " " not in word], chance)


def _another_sentence(sentence: str, passage: str, chance: random.Random) -> str | None:
    others = [one for one in re.findall(r"[A-ZÁÉÍÓÚ][^.\n|:]{25,200}\.(?=\s|$)", passage) if one not in sentence]
    return chance.choice(others) if others else None


def _row_told(sentence: str, passage: str, chance: random.Random) -> str | None:
    lines = [line.strip("| ").split(" | ") for line in passage.splitlines() if " | " in line]
    rows = [row for row in lines[1:] if len(row) == len(lines[0]) and any(map(str.isalnum, row[0]))]
    if not rows:
        return None
    row = chance.choice(rows)
    return f"{row[0]}: " + ", ".join(f"{_small(name)} {cell}" for name, cell in zip(lines[0][1:], row[1:], strict=True))


def _addressed(sentence: str, passage: str, chance: random.Random) -> str | None:
    pairs = (
        ("debe", "debes"),
        ("deberá", "deberás"),
        ("puede", "puedes"),
        ("tiene", "tienes"),
        ("se debe", "debes"),
        ("hay que", "tienes que"),
        ("es necesario", "tienes que"),
        ("dispone de", "tienes"),
    )
    return _swapped(sentence, pairs, chance)


def _other_figure(sentence: str, passage: str, chance: random.Random) -> str | None:
    figures = list(_PLAIN_FIGURE.finditer(sentence))
    if not figures:
        return None
    match = chance.choice(figures)
    known = set(re.findall(r"\d+", passage))
    free = [
        one
        for one in ("2", "3", "5", "6", "8", "12", "18", "20", "25", "35", "45", "60", "75", "90", "120")
        if one not in known
    ]
    return sentence[: match.start()] + chance.choice(free) + sentence[match.end() :]


def _figure_of_the_passage(sentence: str, passage: str, chance: random.Random) -> str | None:
    figures = list(_PLAIN_FIGURE.finditer(sentence))
    others = sorted({match[0] for match in _PLAIN_FIGURE.finditer(passage)} - {match[0] for match in figures})
    if not figures or not others:
        return None
    match = chance.choice(figures)
    return sentence[: match.start()] + chance.choice(others) + sentence[match.end() :]


def _other_spelled(sentence: str, passage: str, chance: random.Random) -> str | None:
    figures = list(_PLAIN_FIGURE.finditer(sentence))
    if not figures:
        return None
    match = chance.choice(figures)
    known = set(re.findall(r"\d+", passage))
    words = [word for figure, word in _NUMBERS.items() if figure not in known and word not in passage.lower()]
    return sentence[: match.start()] + chance.choice(words) + sentence[match.end() :]


def _other_unit(sentence: str, passage: str, chance: random.Random) -> str | None:
    found = [(old, new) for old, new in _UNITS if re.search(rf"\d\s*{re.escape(old)}(?!\w)", sentence)]
    if not found:
        return None
    old, new = chance.choice(found)
    return re.sub(rf"(\d\s*){re.escape(old)}(?!\w)", rf"\g<1>{new}", sentence, count=1)


def _denied(sentence: str, passage: str, chance: random.Random) -> str | None:
    match = _VERB.search(sentence)
    if match is None or re.search(r"\b(?:no|sin|nunca|ni|prohib\w+|tampoco|ning\w+)\b", sentence, re.IGNORECASE):
        return None
    return f"{sentence[: match.start()]}no {sentence[match.start() :]}"


def _affirmed(sentence: str, passage: str, chance: random.Random) -> str | None:
    made = re.sub(r"\b[Nn]o (?=\w)", "", sentence, count=1)
    return made[:1].upper() + made[1:] if made != sentence else None


def _contrary(sentence: str, passage: str, chance: random.Random) -> str | None:
    return _swapped(sentence, _CONTRARY, chance, both=True)


def _somebody_else(sentence: str, passage: str, chance: random.Random) -> str | None:
    there = [who for who in _WHO if re.search(rf"\b{who}\b", sentence, re.IGNORECASE)]
    others = [who for who in _WHO if who not in passage.lower()]
    if not there or not others:
        return None
    return re.sub(rf"\b{chance.choice(there)}\b", chance.choice(others), sentence, count=1, flags=re.IGNORECASE)


def _another_name(sentence: str, passage: str, chance: random.Random) -> str | None:
    names = list(re.finditer(r"(?<=[a-záéíóúñ,] )[A-ZÁÉÍÓÚ][a-záéíóúñ]{3,}", sentence))
    others = [name for name in _NAMES if name not in passage]
    if not names or not others:
        return None
    match = chance.choice(names)
    return sentence[: match.start()] + chance.choice(others) + sentence[match.end() :]


FAITHFUL: Mapping[str, Rule] = {
    "introduced": _introduced,
    "other words for the same": _same_words,
    "all words that can be others": _all_other_words,
    "figure spelled out": _spelled,
    "clauses turned": _turned,
    "shortened": _shortened,
    "two sentences joined": _joined,
    "addressed": _addressed,
    "number in figures": _in_figures,
    "another sentence of the passage": _another_sentence,
    "a row told": _row_told,
}
UNFAITHFUL: Mapping[str, Rule] = {
    "another figure": _other_figure,
    "another figure of the passage": _figure_of_the_passage,
    "another figure, spelled out": _other_spelled,
    "another unit": _other_unit,
    "denied": _denied,
    "affirmed": _affirmed,
    "the contrary": _contrary,
    "somebody else": _somebody_else,
    "another name": _another_name,
}
