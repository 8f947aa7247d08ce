"""What a comparison of two versions says, on small documents."""

from documents.diffing import Change, compare
from documents.parsing.types import Block, BlockKind
from tests.factories import make_blocks

CASH = """# Caja
## Apertura
Cuenta el efectivo antes de abrir la tienda.
Anota el fondo de 150 euros en el libro.
## Cierre
Firma el arqueo y guarda el sobre en la caja fuerte.
# Alarma
Conecta la alarma a las 22:15 y llama a seguridad.
"""


def changes(before: str, after: str) -> list[tuple[tuple[Change, ...], str]]:
    found = compare(make_blocks(before), make_blocks(after))
    return [(one.changes, (one.after or one.before).path[-1]) for one in found]


def table(*rows: tuple[str, ...]) -> list[Block]:
    text = "\n".join(" | ".join(row) for row in rows)
    return [
        *make_blocks("# Precios"),
        Block(BlockKind.TABLE, text, heading_path=("Precios",), rows=rows, header_rows=1),
    ]


def changed_words(line_side) -> list[str]:
    return [span.text for cell in line_side for span in cell if span.is_changed]


def test_equal_versions_have_no_changes():
    assert changes(CASH, CASH) == []


def test_added_and_removed_sections_are_told_apart():
    assert changes(CASH, CASH + "# Llaves\nLas llaves quedan en recepción.") == [((Change.ADDED,), "Llaves")]
    assert changes(CASH + "# Llaves\nLas llaves quedan en recepción.", CASH) == [((Change.REMOVED,), "Llaves")]


def test_an_edited_section_marks_the_words_that_changed_and_no_others():
    [change] = compare(make_blocks(CASH), make_blocks(CASH.replace("150", "200")))
    assert change.changes == (Change.EDITED,)
    assert change.after.path == ("Caja", "Apertura")
    [edited] = [line for line in change.lines if line.before != line.after]
    assert changed_words(edited.before) == ["150"]
    assert changed_words(edited.after) == ["200"]


def test_a_section_with_another_heading_is_renamed_and_may_be_edited_as_well():
    renamed = CASH.replace("## Cierre", "## Final del día")
    assert changes(CASH, renamed) == [((Change.RENAMED,), "Final del día")]
    edited = renamed.replace("caja fuerte", "caja azul")
    assert changes(CASH, edited) == [((Change.RENAMED, Change.EDITED), "Final del día")]


def test_a_renamed_chapter_leaves_its_sections_alone():
    assert changes(CASH, CASH.replace("# Caja", "# Efectivo")) == [((Change.RENAMED,), "Efectivo")]


def test_a_section_in_another_place_has_moved():
    swapped = "# Alarma\nConecta la alarma a las 22:15 y llama a seguridad.\n" + CASH.partition("# Alarma")[0]
    assert changes(CASH, swapped) == [((Change.MOVED,), "Alarma")]


def test_a_section_under_another_chapter_has_moved():
    moved = (
        CASH.replace("## Cierre\nFirma el arqueo y guarda el sobre en la caja fuerte.\n", "")
        + "## Cierre\nFirma el arqueo y guarda el sobre en la caja fuerte.\n"
    )
    assert changes(CASH, moved) == [((Change.MOVED,), "Cierre")]


def test_the_changed_cell_of_a_table_is_marked():
    before = table(("Producto", "Precio"), ("Pan", "1,20"), ("Leche", "0,95"))
    after = table(("Producto", "Precio"), ("Pan", "1,20"), ("Leche", "1,05"), ("Huevos", "2,10"))
    [change] = compare(before, after)
    edited, added = change.lines[-2:]
    assert changed_words(edited.before) == ["0", "95"]
    assert changed_words(edited.after) == ["1", "05"]
    assert added.before is None
    assert [cell[0].text for cell in added.after] == ["Huevos", "2,10"]


def test_long_equal_stretches_are_left_out_and_counted():
    lines = [f"Regla número {number} de la tienda." for number in range(12)]
    after = ["Regla nueva del todo y distinta.", *lines]
    [change] = compare(make_blocks("# Reglas\n" + "\n".join(lines)), make_blocks("# Reglas\n" + "\n".join(after)))
    assert [line.hidden_count for line in change.lines] == [0, 0, 11]


def test_sections_with_the_same_heading_are_paired_in_order():
    before = "# A\nUno de los primeros textos.\n# A\nDos de los otros textos."
    assert changes(before, before.replace("Dos", "Tres")) == [((Change.EDITED,), "A")]


def test_a_chapter_without_text_of_its_own_is_recognised_by_its_sections():
    before = CASH.replace("# Alarma", "# Seguridad\n## Alarma")
    after = before.replace("# Seguridad", "# Puertas").replace("22:15", "22:30")
    assert changes(before, after) == [((Change.RENAMED,), "Puertas"), ((Change.EDITED,), "Alarma")]


def test_equal_texts_go_to_the_section_of_their_name():
    before = "# A\n## Uno\nNo se aplica aquí.\n## Dos\nNo se aplica aquí.\n"
    after = before.replace("# A\n", "# B\n", 1)
    assert changes(before, after) == [((Change.RENAMED,), "B")]


def test_a_long_chapter_behind_short_ones_has_moved_alone():
    long = "# Largo\nUno dos tres.\n" + "".join(f"## Parte {n}\nTexto propio número {n}.\n" for n in range(6))
    short = ["# Caja\nSe abre a las nueve.\n", "# Alarma\nSe apaga al entrar.\n", "# Luces\nSe encienden luego.\n"]
    assert changes(long + "".join(short), "".join(short) + long) == [((Change.MOVED,), "Largo")]


def test_of_many_sections_in_another_order_as_few_as_can_be_have_moved():
    names = ["Uno", "Dos", "Tres", "Cuatro", "Cinco", "Seis"]

    def manual(order: list[int]) -> str:
        return "".join(f"# {names[at]}\nEl punto {names[at]} trata de lo suyo.\n" for at in order)

    moved = changes(manual([0, 1, 2, 3, 4, 5]), manual([4, 0, 1, 5, 2, 3]))
    assert moved == [((Change.MOVED,), "Cinco"), ((Change.MOVED,), "Seis")]
