"""People to invite, read from a table that an administrator uploads. Nothing is sent here."""

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.utils import getaddresses

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from skillnet.decoding import NotText, decode
from skillnet.errors import SkillNetError
from skillnet.models import Group, Role
from skillnet.separators import without_hint

# What a column may be called; compared without accents, spaces and capitals.
_HEADINGS = {
    "name": ("nombre", "nombreyapellidos", "nombrecompleto", "persona", "name", "nome"),
    "surname": ("apellidos", "apellido", "surname", "lastname", "apelidos", "sobrenome"),
    "email": ("correo", "correoelectronico", "email", "mail", "direcciondecorreo"),
    "role": ("rol", "role", "perfil", "funcao"),
    "groups": ("grupos", "grupo", "groups", "equipo"),
}
_ROLES = {
    Role.ADMIN: ("administracion", "administrador", "administradora", "administrator", "administracao", "admin"),
    Role.EDITOR: ("edicion", "editor", "editora", "edicao"),
    Role.EMPLOYEE: ("empleado", "empleada", "employee", "colaborador", "colaboradora", ""),
}
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run it
_LIKE_AN_ADDRESS = re.compile(r"@|\S[.#]\S|\bat\b|arroba", re.IGNORECASE)  # mistyped ones, too
_NUMBER = re.compile(r"[\d\W]+")
MAX_NAME = 150


class UnreadableTable(SkillNetError):
    """The file as a whole is of no use; each row's own faults are said at the row."""

    code = "unreadable_table"


@dataclass(frozen=True, slots=True)
class Row:
    """One person of the table. `problem` says why they cannot be invited; empty when they can."""

    line: int
    name: str
    email: str
    role: str
    group_ids: tuple[int, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """What an organization has already: addresses in lower case, and its groups by `plain` name."""

    members: Collection[str]
    invited: Collection[str]
    groups: Mapping[str, Group]


def read(data: bytes, known: Known, *, max_rows: int) -> list[Row]:
    """The people of a table (name, e-mail, role, groups), each with what is wrong with them.

    Without a row of headings, or with one that says nothing known, the addresses show where the e-mail is: names and
    surnames stand right before it, or the name right behind it, then role and groups.
    Several groups are separated by `/` or `|`. Raises: UnreadableTable.
    """
    lines = list(_lines(data))
    if not lines:
        raise UnreadableTable(user_message=_("El archivo está vacío."))
    columns = _columns(lines[0][1])
    if columns is None:
        rows = [values for _line, values in lines]
        email = _most_addresses(rows)
        if _are_headings(rows[0], email):
            lines, rows = lines[1:], rows[1:]
        columns = _around(email, rows)
    else:
        lines = lines[1:]
    if "email" not in columns:
        raise UnreadableTable(user_message=_("Falta la columna «correo». Ponla en la primera fila y súbelo otra vez."))
    if not lines:
        raise UnreadableTable(user_message=_("El archivo solo tiene la fila de títulos. Añade una persona por fila."))
    if len(lines) > max_rows:
        raise UnreadableTable(
            user_message=_("El archivo tiene %(count)d filas y el máximo es %(max)d. Divídelo en varios.")
            % {"count": len(lines), "max": max_rows}
        )
    seen: set[str] = set()
    return [_row(line, values, columns, known, seen) for line, values in lines]


def _lines(data: bytes) -> Iterator[tuple[int, list[str]]]:
    try:
        text, separator = without_hint(decode(data).text.replace("\x00", ""))
    except NotText as error:
        raise UnreadableTable(
            str(error), user_message=_("No es una tabla de texto. Guárdala en tu hoja de cálculo como CSV y súbela.")
        ) from error
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        for values in reader:
            stripped = [value.strip() for value in values]
            if any(stripped):
                yield reader.line_num, stripped
    except csv.Error as error:
        raise UnreadableTable(
            str(error), user_message=_("La tabla está dañada. Guárdala otra vez como CSV y súbela.")
        ) from error


def _columns(headings: list[str]) -> dict[str, int] | None:
    """Where each column is, or None when the first row is a person already."""
    found: dict[str, int] = {}
    for position, heading in enumerate(headings):
        for name, words in _HEADINGS.items():
            if plain(heading) in words:
                found.setdefault(name, position)
    return found or None


def _most_addresses(rows: Sequence[Sequence[str]]) -> int:
    """The column where most addresses stand. Raises: UnreadableTable, where nothing is an address."""
    addresses = Counter(position for row in rows for position, cell in enumerate(row) if "@" in cell)
    if not addresses:
        raise UnreadableTable(
            user_message=_(
                "No hay ningún correo en el archivo. Pon en la primera fila los títulos «nombre», «correo», «rol» y "
                "«grupos», y debajo una persona en cada fila."
            )
        )
    return min(addresses, key=lambda position: (-addresses[position], position))


def _are_headings(row: Sequence[str], email: int) -> bool:
    """Whether a row without known headings names columns all the same: it is nobody with a mistyped address."""
    written = _cell(row, email)
    roles = {word for words in _ROLES.values() for word in words if word}
    return bool(written) and not _LIKE_AN_ADDRESS.search(written) and not any(plain(cell) in roles for cell in row)


def _around(email: int, rows: Sequence[Sequence[str]]) -> dict[str, int]:
    """Where each column is in a table without known headings: names right before the addresses, or behind them where
    nothing but numbers stands before.
    """
    width = max((len(row) for row in rows), default=0)
    before = [position for position in range(email) if not _are_numbers([_cell(row, position) for row in rows])]
    behind = ("role", "groups") if before else ("name", "role", "groups")
    found = {"email": email, **dict(zip(("name", "surname"), before[-2:], strict=False))}
    return found | dict(zip(behind, range(email + 1, width), strict=False))


def _are_numbers(cells: Sequence[str]) -> bool:
    written = [cell for cell in cells if cell]
    return bool(written) and all(_NUMBER.fullmatch(cell) for cell in written)


def _cell(values: Sequence[str], position: int) -> str:
    return values[position] if position < len(values) else ""


def _row(line: int, values: list[str], columns: Mapping[str, int], known: Known, seen: set[str]) -> Row:
    def value(column: str) -> str:
        position = columns.get(column)
        return "" if position is None else _cell(values, position)

    name = " ".join(f"{value('name')} {value('surname')}".split())
    email = _address(value("email"))
    role = next((role for role, words in _ROLES.items() if plain(value("role")) in words), None)
    names = [part.strip() for part in re.split(r"[/|]", value("groups")) if part.strip()]
    groups = [known.groups.get(plain(part)) for part in names]
    missing = [part for part, group in zip(names, groups, strict=True) if group is None]
    problem = _email_problem(email, known, seen) or _name_problem(name)
    if not problem and role is None:
        problem = _("El rol «%(role)s» no existe: usa administración, edición o empleado.") % {"role": value("role")}
    if not problem and missing:
        problem = _("El grupo «%(group)s» no existe: créalo antes o corrige el nombre.") % {"group": missing[0]}
    seen.add(email)
    group_ids = tuple(dict.fromkeys(group.pk for group in groups if group is not None))
    return Row(line, name, email, str(role or Role.EMPLOYEE), group_ids, problem)


def _address(text: str) -> str:
    """The address in what address books write around it: `Ana Pérez <ana@x.es>`, `mailto:ana@x.es`.

    Text with several, or with a name that is none of an address, stays as it is: which was meant is not ours to say.
    """
    text = text.strip().removeprefix("mailto:")
    found = getaddresses([text])
    address = found[0][1] if len(found) == 1 else ""
    return (address or text).strip().lower()


def _email_problem(email: str, known: Known, seen: set[str]) -> str:
    if not email:
        return _("Falta el correo.")
    try:
        validate_email(email)
    except ValidationError:
        return _("El correo no es válido.")
    if email.startswith(_FORMULA):
        return _("El correo no es válido.")
    if email in seen:
        return _("Repetido: ya está más arriba en el archivo.")
    if email in known.members:
        return _("Ya está en la organización.")
    if email in known.invited:
        return _("Ya tiene una invitación abierta.")
    return ""


def _name_problem(name: str) -> str:
    if len(name) > MAX_NAME:
        return _("El nombre es demasiado largo.")
    if name.startswith(_FORMULA):
        return _("El nombre empieza por un signo que las hojas de cálculo toman por una fórmula.")
    return ""


def plain(text: str) -> str:
    """`text` without accents, spaces, signs and capitals, for comparing what people type."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if letter.isalnum())
