"""Quiz items made from small texts: one right answer each, and none where there could be two."""

from courses.drafting.items import DraftedItem
from courses.drafting.quizzes import draft_items
from documents.parsing.types import Block, BlockKind
from tests.factories import make_blocks


def items(blocks: list[Block], document: list[Block] | None = None) -> list[DraftedItem]:
    return draft_items(blocks, document or blocks)


def right(item: DraftedItem) -> str:
    return item.options[item.answer[0]]


def table(*rows: tuple[str, ...], header_rows: int = 1) -> list[Block]:
    return [Block(BlockKind.TABLE, "", heading_path=("Pluses",), page=4, rows=rows, header_rows=header_rows)]


def steps(*texts: str, heading: str = "Procedimiento de cierre") -> list[Block]:
    return [Block(BlockKind.LIST_ITEM, text, heading_path=(heading,), page=2) for text in texts]


def test_a_table_asks_for_a_cell_by_its_row_and_column():
    [item] = items(table(("Puesto", "Plus"), ("Cajera", "30 €"), ("Mozo", "20 €"), ("Encargado", "80 €")))
    assert item.kind == "single_choice"
    assert len(set(item.options)) == len(item.options) == 3
    assert f"{right(item)}" in item.quote
    assert (item.heading_path, item.page) == (("Pluses",), 4)
    key = item.quote.removesuffix(right(item)).strip()
    assert f"«{key}»" in item.question
    assert "«Plus»" in item.question


def test_a_table_asks_for_each_row_once():
    rows = [
        ("Cajera", "30 €", "lunes", "caja"),
        ("Mozo", "20 €", "martes", "almacén"),
        ("Jefa", "80 €", "jueves", "sala"),
    ]
    wide = [(*row, *(f"{letter}{row[0]}" for letter in "abc")) for row in rows]
    blocks = table(("Puesto", "Plus", "Descanso", "Lugar", "Turno", "Clave", "Mesa"), *wide)
    found = draft_items(blocks, blocks, limit=6)
    assert len({item.quote for item in found}) == len(found) == 3
    assert len({item.question for item in found}) == 3


def test_a_table_whose_rows_cannot_be_told_apart_asks_nothing():
    assert items(table(("Puesto", "Plus"), ("Mozo", "30 €"), ("Mozo", "20 €"), ("Jefe", "80 €"))) == []
    assert items(table(("Puesto", "Plus"), ("Mozo", "1"), ("Jefa", "1"), ("Jefe", "1"))) == []
    assert items(table(("A", "B"), ("A", "C"), ("x", "1"), ("y", "2"))) == []  # the header has two rows
    assert items(table(("Mozo", "1"), ("Jefa", "2"), ("Jefe", "3"), header_rows=0)) == []


def test_numbered_steps_of_a_procedure_are_to_be_put_in_order():
    [item] = items(steps("1. Contar el efectivo.", "2. Anotar el total.", "3. Guardar el sobre."))
    assert item.kind == "order"
    assert item.options == ("Contar el efectivo.", "Anotar el total.", "Guardar el sobre.")
    assert "Procedimiento de cierre" in item.question


def test_numbered_clauses_are_no_steps():
    assert items(steps("1. El cliente paga.", "2. La tienda cobra.", "3. El banco ingresa.", heading="Derechos")) == []


def test_a_lone_figure_is_asked_among_others_of_its_unit():
    document = make_blocks(
        "# Plazos\nLos cambios se aceptan durante los 30 días siguientes a la compra.\n"
        "# Otros\nLa nómina se paga antes de que pasen 5 días.\nEl aviso se da con 15 días."
    )
    item = items(document[:2], document)[0]
    assert right(item) == "30"
    assert set(item.options) == {"30", "5", "15"}
    assert "durante los ____ días" in item.question
    assert item.quote == "Los cambios se aceptan durante los 30 días siguientes a la compra."


def test_without_other_figures_the_number_is_to_be_written_in_any_spelling():
    [item] = items(make_blocks("# Plazos\nEl arqueo de la caja se repite cada 2 horas durante toda la jornada."))
    assert (item.kind, item.options) == ("fill", ())
    assert set(item.answer) == {"2", "dos"}


def test_sentences_with_two_numbers_or_that_point_back_ask_nothing():
    assert items(make_blocks("# A\nEl cambio se hace en 30 días y la garantía dura al menos 3 años enteros.")) == []
    assert items(make_blocks("# A\nEste plazo dura siempre un máximo de 30 días desde el día de la compra.")) == []
    assert items(make_blocks("# A\nLas imágenes se entregan en un plazo de setenta y dos horas como mucho.")) == []


def test_a_reference_to_a_rule_is_no_second_number():
    [item] = items(make_blocks("# A\nSegún el artículo 12.3 el plazo para reclamar dura un máximo de 30 días."))
    assert "artículo 12.3" in item.question


def test_articles_are_asked_for_what_they_are_about():
    text = "\n".join(
        f"# Artículo {number}. {topic}.\nTexto."
        for number, topic in enumerate(("Objeto de la norma", "Ámbito", "Plazo", "Pago"), 1)
    )
    document = make_blocks(text)
    [item] = items(document[:2], document)
    assert item.question == "¿De qué trata el artículo 1?"
    assert right(item) == "Objeto de la norma"
    assert len(item.options) == 4
    assert items(document[2:4], document) == []  # «Ámbito» alone says too little


def test_the_same_text_gives_the_same_items():
    blocks = table(("Puesto", "Plus"), ("Cajera", "30 €"), ("Mozo", "20 €"), ("Encargado", "80 €"))
    assert items(blocks) == items(blocks)


def test_a_column_of_data_makes_no_question():
    table = Block(
        BlockKind.TABLE,
        "",
        heading_path=("Ejemplo",),
        rows=(("provincia", "valor_usd"), ("Jujuy", "1"), ("Salta", "2"), ("Chaco", "3")),
        header_rows=1,
    )
    assert draft_items([table], [table]) == []


def test_the_column_that_names_the_rows_may_stand_further_right_and_a_header_may_join_columns():
    upper = ("Escenario", "Equipos", "Total", "")
    lower = ("Escenario", "Equipos", "Núcleos", "Memoria")
    rows = [("1", "uno", "1", "1024"), ("2", "dos", "2", "2048"), ("3", "tres", "5", "5120")]
    item = items(table(upper, lower, *rows))[0]
    assert "«Escenario " in item.question
    assert right(item) in item.quote
    named = items(table(("Nº", "Perfil", "RAM"), ("", "Chico", "1"), ("", "Medio", "2"), ("", "Grande", "4")))
    assert [one.question for one in named if "«RAM»" in one.question]


def test_what_a_term_is_said_to_be_is_asked_among_the_documents_other_terms():
    document = make_blocks(
        "# Mandos\n"
        "El parámetro turno es un número entero que dice cuántas personas trabajan a la vez.\n"
        "El parámetro pausa indica los minutos que descansa cada persona por la mañana.\n"
        "El parámetro relevo es el nombre de quien abre la tienda cada mañana."
    )
    [first, *_others] = items(document)
    assert right(first) == "Parámetro turno"
    assert first.question == ("¿Qué se describe así? «es un número entero que dice cuántas personas trabajan a la vez»")
    assert set(first.options) == {"Parámetro turno", "Parámetro pausa", "Parámetro relevo"}


def test_a_term_that_its_own_description_names_or_that_stands_alone_is_not_asked():
    assert (
        items(make_blocks("# Mandos\nEl parámetro pausa indica los minutos que descansa cada persona cada día.")) == []
    )
    text = (
        "# Glosario\nPausa larga: La pausa más larga que toma cada persona a lo largo del día.\n"
        "Relevo: Persona que abre la tienda cada mañana con las llaves.\n"
        "Turno: Horas que trabaja cada persona sin salir de la tienda en el día."
    )
    assert "Pausa larga" not in [right(one) for one in items(make_blocks(text))]


def test_a_figure_is_asked_once_a_lesson():
    document = make_blocks(
        "# Plazos\nLos cambios de ropa se aceptan durante los 30 días siguientes a la compra.\n"
        "Las devoluciones de zapatos se aceptan durante los 30 días siguientes a la compra.\n"
    )
    assert len(items(document)) == 1


def test_what_an_article_is_about_is_asked_only_where_there_is_nothing_better():
    topics = ["Exactitud de los datos", "Deber de guardar secreto", "Datos de los menores", "Avisos a los clientes"]
    document = make_blocks("\n".join(f"# Artículo {at}. {topic}.\nTexto." for at, topic in enumerate(topics, start=1)))
    assert [item.question for item in items(document[:2], document)] == ["¿De qué trata el artículo 1?"]
    told = make_blocks("# Artículo 1. Exactitud.\nLos datos se corrigen siempre antes de que pasen 5 días hábiles.")
    assert ["____ días" in item.question for item in items(told, [*told, *document[2:]])] == [True]


def test_a_number_written_twice_is_one_gap():
    [item] = items(make_blocks("# Plazos\nLa reclamación se presenta en la oficina en el plazo de quince (15) días."))
    assert "en el plazo de ____ días" in item.question
    assert {"quince", "15"} <= set(map(str, item.answer))


def test_nothing_is_asked_about_words_that_were_read_wrong():
    told = "\n".join(f"= El alérgeno {at} se guarda aparte de los alérgenos que hay en la tienda." for at in range(12))
    wrong = "Los olérgenos de la cocina se guardan aparte durante 48 horas antes de la venta."
    right = "Los yogures de la cocina se guardan aparte durante 48 horas antes de la venta."
    assert items(make_blocks(f"# Cocina\n{told}\n{wrong}")) == []
    assert len(items(make_blocks(f"# Cocina\n{told}\n{right}"))) == 1


def test_steps_are_named_once_where_their_title_says_what_they_are():
    [item] = items(steps("1. Contar el oro.", "2. Anotar el oro.", "3. Guardar.", heading="II. PASOS PARA CERRAR"))
    assert item.question == "Ordena los pasos para cerrar."


def test_a_wrong_answer_is_never_part_of_the_right_one():
    rows = [("Una", "Jefa"), ("Dos", "Jefa y otra"), ("Tres", "Jefa y caja"), ("Cuatro", "Jefa y almacén")]
    for item in items(table(("Etapa", "Quién"), *rows)):
        assert right(item) == "Jefa" or "Jefa" not in item.options


def test_a_number_in_another_unit_than_the_others_is_not_asked_for():
    rows = [("Chico", "1024"), ("Medio", "2048"), ("Grande", "4096"), ("Enorme", "6")]
    assert all(right(item) != "6" for item in items(table(("Perfil", "RAM"), *rows)))
    for name in ("A", "B", "C", "D"):  # whichever row is taken
        assert all(right(one) != "6" for one in items(table(("Perfil", f"RAM {name}"), *rows)))


def test_articles_are_known_however_their_numbers_are_written():
    names = ("Objeto de la norma", "Alcance y ámbito", "Salud e higiene", "Comité de higiene y salud")
    text = "\n".join(f"# Artículo {at}°.- ({name})\nTexto." for at, name in enumerate(names, start=1))
    [item] = items(make_blocks(text))
    assert item.question == "¿De qué trata el artículo 1°?"
    assert right(item) == "Objeto de la norma"


def paragraph(text: str) -> Block:
    return Block(BlockKind.PARAGRAPH, text, heading_path=("Procedimiento de cierre",), page=2)


def test_a_step_that_leads_in_a_list_is_told_with_it_and_no_later_one_is_lost():
    one, two, three, four = steps("1. Contar el oro.", "2. Anotar:", "3. Guardar el sobre.", "4. Cerrar la caja.")
    [item] = items([one, two, paragraph("El total."), paragraph("• La fecha."), three, four])
    assert item.options == (
        "Contar el oro.",
        "Anotar: el total; la fecha.",
        "Guardar el sobre.",
        "Cerrar la caja.",
    )
    assert item.quote == "Contar el oro."


def test_what_explains_a_step_neither_ends_the_list_nor_is_put_in_order():
    one, two, three = steps("1. Contar el oro.", "2. Anotar el total.", "3. Guardar el sobre.")
    below = Block(BlockKind.LIST_ITEM, "1. Con guantes.", level=2, heading_path=one.heading_path, page=2)
    [item] = items([one, below, two, paragraph("Con tinta azul."), three])
    assert item.options == ("Contar el oro.", "Anotar el total.", "Guardar el sobre.")


def test_steps_of_which_one_is_a_mere_label_or_missing_are_not_asked():
    assert items(steps("1. Contar el oro.", "2. Anotar el total.", "3. Guardar:")) == []
    assert items(steps("1. Contar el oro.", "2. Anotar:", "3. Guardar el sobre.")) == []
    assert items(steps("1. Contar el oro.", "2. Anotar.", "3. Guardar.", "5. Cerrar.")) == []


def test_a_title_inside_the_question_has_no_capitals_that_running_text_writes_small():
    named = steps(
        "1. Abrir Kali.", "2. Seguir la instalación.", "3. Reiniciar.", heading="Pasos para la Instalación de Kali"
    )
    assert items(named)[0].question == "Ordena los pasos para la instalación de Kali."
