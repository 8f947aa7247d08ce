"""Tables of people to invite."""

import pytest

from skillnet.models import Group
from skillnet.people_csv import Known, Row, UnreadableTable, plain, read

KITCHEN = Group(pk=7, name="Cocina fría")
KNOWN = Known({"ana@acme.example"}, {"luis@acme.example"}, {plain(KITCHEN.name): KITCHEN})


def rows_of(text: str, encoding: str = "utf-8") -> list[Row]:
    return read(text.encode(encoding), KNOWN, max_rows=5)


def only_row(text: str) -> Row:
    (row,) = rows_of(text)
    return row


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_is_read_in_the_encodings_and_separators_of_spreadsheets(encoding, separator):
    lines = ["Nombre,Correo electrónico,Rol,Grupos", "Begoña Núñez,BEGO@acme.example,Edición,cocina fria"]
    row = rows_of("\r\n".join(lines).replace(",", separator), encoding)[0]
    assert row == Row(2, "Begoña Núñez", "bego@acme.example", "editor", (7,))


def test_columns_may_stand_in_any_order_and_role_may_be_missing():
    assert only_row("email,nombre\nbea@acme.example,Bea\n") == Row(2, "Bea", "bea@acme.example", "employee")


def test_surnames_may_have_a_column_of_their_own():
    row = only_row("Nombre;Apellidos;Correo\nBea;Gil  Ruiz;bea@acme.example\n")
    assert (row.name, row.email, row.problem) == ("Bea Gil Ruiz", "bea@acme.example", "")


def test_a_column_of_addresses_needs_no_headings():
    assert [row.email for row in rows_of("bea@acme.example\nleo@acme.example\n")] == [
        "bea@acme.example",
        "leo@acme.example",
    ]
    assert only_row("bea@acme.example;Bea;editora\n") == Row(1, "Bea", "bea@acme.example", "editor")


def test_a_row_of_unknown_headings_is_no_person():
    row = only_row("Trabajador;Contacto;Puesto\nBea;bea@acme.example;editora\n")
    assert row == Row(2, "Bea", "bea@acme.example", "editor")


@pytest.mark.parametrize(
    ("line", "name"), [("Bea;Gil;bea@acme.example;editora", "Bea Gil"), (";bea@acme.example;editora", "")]
)
def test_addresses_show_where_the_columns_are_without_headings(line: str, name: str):
    assert only_row(f"{line}\n") == Row(1, name, "bea@acme.example", "editor")


def test_a_first_person_without_address_is_said_to_lack_it():
    first, second = rows_of("Ana;;empleado\nBea;bea@acme.example;editora\n")
    assert (first.problem, second.problem) == ("Falta el correo.", "")


@pytest.mark.parametrize(
    "written", ["ana.gil#acme.example", "ana.gil.acme.example", "ana(arroba)acme", "ana at acme", "anaacme", "ana gil"]
)
def test_a_first_person_whose_address_is_mistyped_is_said_to_be(written: str):
    first, second = rows_of(f"Ana Gil;{written};empleado\nBea;bea@acme.example;editora\n")
    assert (first.name, first.problem, second.problem) == ("Ana Gil", "El correo no es válido.", "")


def test_a_mistyped_first_address_is_told_from_a_heading_without_roles():
    first, second = rows_of("Ana;ana.gil#acme.example\nBea;bea@acme.example\n")
    assert (first.name, first.problem, second.problem) == ("Ana", "El correo no es válido.", "")


@pytest.mark.parametrize(
    "line",
    [
        "1;Bea;Gil;bea@acme.example;editora",
        "1.;Bea;Gil;bea@acme.example;editora",
        "12345678Z;Bea;Gil;bea@acme.example;editora",
        "Bea;Gil;600 111 222;bea@acme.example;editora",
        "1;bea@acme.example;Bea Gil;editora",
        "N.º;Trabajador;Apodo;Contacto;Puesto\n1;Bea;Gil;bea@acme.example;editora",
    ],
)
def test_numbers_before_an_address_are_no_names(line: str):
    row = only_row(f"{line}\n")
    assert (row.name, row.email, row.role) == ("Bea Gil", "bea@acme.example", "editor")


@pytest.mark.parametrize("text", ["Bea\nLeo\n", "Trabajador;Puesto\nBea;editora\n"])
def test_a_table_without_addresses_says_which_columns_there_are(text: str):
    with pytest.raises(UnreadableTable) as refused:
        rows_of(text)
    assert "«nombre», «correo», «rol» y «grupos»" in str(refused.value.user_message)


@pytest.mark.parametrize("written", ["Bea Gil <BEA@acme.example>", "mailto:bea@acme.example", " bea@acme.example "])
def test_an_address_is_taken_out_of_what_address_books_write_around_it(written: str):
    row = only_row(f"Correo\n{written}\n")
    assert (row.email, row.problem) == ("bea@acme.example", "")


@pytest.mark.parametrize(
    "written",
    ["bea@acme.example, leo@acme.example", "bea@acme.example leo@acme.example", "Gil, Bea <bea@acme.example>"],
)
def test_a_cell_that_does_not_hold_one_address_alone_is_refused_as_it_was_written(written: str):
    row = only_row(f'Nombre;Correo\nBea;"{written}"\n')
    assert (row.email, row.problem) == (written.lower(), "El correo no es válido.")


def test_without_headings_the_order_is_name_address_role():
    assert only_row("Bea;bea@acme.example;administración\n") == Row(1, "Bea", "bea@acme.example", "admin")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("Bea,,empleado", "Falta el correo"),
        ("Bea,bea(arroba)acme,empleado", "no es válido"),
        ("Bea,ana@acme.example,empleado", "Ya está en la organización"),
        ("Bea,luis@acme.example,empleado", "invitación abierta"),
        ("Bea,bea@acme.example,jefa", "El rol «jefa» no existe"),
        ("=1+1,bea@acme.example,empleado", "fórmula"),
        ("@SUM(A1),bea@acme.example,empleado", "fórmula"),
        (f"{'B' * 151},bea@acme.example,empleado", "demasiado largo"),
    ],
)
def test_a_row_says_what_is_wrong_with_it(line, problem):
    assert problem in only_row(f"nombre,correo,rol\n{line}\n").problem


def test_a_group_that_does_not_exist_is_named():
    assert "«Sala»" in only_row("nombre,correo,rol,grupos\nBea,bea@acme.example,empleado,Cocina fría / Sala\n").problem


def test_the_second_of_two_equal_addresses_is_the_duplicate():
    first, second = rows_of("nombre,correo\nBea,bea@acme.example\nBeatriz,Bea@Acme.example\n")
    assert not first.problem
    assert "Repetido" in second.problem


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "vac"),
        (b"\n\n  \n", "vac"),
        (b"nombre,rol\nBea,empleado\n", "Falta la columna"),
        (b"nombre,correo\n", "solo tiene la fila de t"),
        (b"correo\n" + b"".join(b"p%d@acme.example\n" % n for n in range(6)), "el máximo es 5"),
        (bytes(range(32)) * 40, "CSV"),
    ],
)
def test_a_file_that_is_of_no_use_says_what_to_do(data, message):
    with pytest.raises(UnreadableTable) as refused:
        read(data, KNOWN, max_rows=5)
    assert message in str(refused.value.user_message)
