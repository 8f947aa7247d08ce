"""Outlines and lessons made from small documents."""

from collections.abc import Sequence

import pytest

from courses.drafting.chapters import chapters_of
from courses.drafting.legibility import illegible_pages, legible
from courses.drafting.misreadings import casing_of, misread_headings
from courses.drafting.outline import LONGEST_WORDS, OutlinedModule, SourceDocument, outline
from courses.drafting.titles import Casing, clean_title, is_noise, joint_title, joint_title_to_end
from courses.drafting.writing import write_lesson
from documents.parsing.types import Block, BlockKind
from tests.factories import make_blocks

CASING = Casing(["El TPV y la caja se cierran cada noche con el plan APPCC. Las alergias alimentarias son graves."])


def words(count: int, topic: str = "caja") -> str:
    return " ".join(f"{topic}{number}" for number in range(count - 1)) + " fin."


def outlined(text: str, title: str = "Manual") -> list[OutlinedModule]:
    return outline([SourceDocument(1, 7, title, make_blocks(text))])


def lesson_titles(modules: Sequence[OutlinedModule]) -> list[list[str]]:
    return [[lesson.title for lesson in module.lessons] for module in modules]


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("1.2 ¿Qué es una alergia?", "¿Qué es una alergia?"),
        ("MÓDULO 1 ALERGIAS ALIMENTARIAS", "Alergias alimentarias"),
        ("CIERRE DE LA CAJA Y DEL TPV", "Cierre de la caja y del TPV"),
        ("CAPÍTULO II Ejercicio de los derechos", "Capítulo II. Ejercicio de los derechos"),
        ("Artículo 9.1(c): Lista de menciones.", "Artículo 9.1(c). Lista de menciones"),
        ("5. | Elemento crítico: Producción", "Elemento crítico: Producción"),
        ("Artículo 1°.- (Objeto)", "Artículo 1°. Objeto"),
        ("2024", "2024"),
    ],
)
def test_headings_become_titles(heading: str, title: str):
    assert clean_title(heading, CASING) == title


def test_several_sections_share_one_readable_title():
    assert joint_title(["Objetivos", "Programas"]) == "Objetivos y programas"
    assert joint_title(["Permanencia", "Inscripción"]) == "Permanencia e inscripción"
    assert (
        joint_title(["Artículo 4. Exactitud", "Artículo 5. Deber", "Artículo 6. Permiso"])
        == "Artículos 4 a 6: Exactitud, deber y permiso"
    )
    assert len(joint_title(["Una sección de nombre muy largo que ocupa casi todo el espacio"] * 3)) <= 90


def test_a_title_of_two_long_sections_ends_its_quotes_and_can_be_stored_whole():
    long = "obligaciones generales aplicables a todas las personas trabajadoras"
    ends = [f"{name} y {long} {long} {long}" for name in ("Apertura", "Cierre")]
    title = joint_title([ends[0], "Recogida", ends[1]])
    assert title.startswith("De «Apertura")
    assert title.count("«") == title.count("»") == 2
    assert len(title) <= 200


def test_chapters_become_modules_and_sections_lessons():
    modules = outlined(
        f"# Caja\n## Apertura\n{words(400)}\n## Cierre\n{words(500)}\n# Almacén\n## Pedidos\n{words(600, 'almacen')}"
    )
    assert [module.title for module in modules] == ["Caja", "Almacén"]
    assert lesson_titles(modules) == [["Apertura", "Cierre"], ["Almacén"]]
    source = modules[0].lessons[1].sources[0]
    assert (source.heading_path, source.version_id, source.with_subsections) == (("Caja", "Cierre"), 7, True)


def test_short_neighbours_share_a_lesson_and_a_long_one_is_cut_between_paragraphs():
    short = "".join(f"## Parte {name}\n{words(100)}\n" for name in ("alfa", "beta", "gamma"))
    long = "\n".join(words(150) for _ in range(16))
    modules = outlined(f"# Corto\n{short}# Largo\n{long}")
    lessons = [lesson for module in modules for lesson in module.lessons]
    assert [len(lesson.sources) for lesson in lessons if lesson.title == "Corto"] == [1]
    cut = [lesson for lesson in lessons if lesson.title.startswith("Largo")]
    assert [lesson.title for lesson in cut] == ["Largo (1 de 3)", "Largo (2 de 3)", "Largo (3 de 3)"]
    assert all(lesson.words <= LONGEST_WORDS for lesson in cut)


def test_every_word_stands_in_exactly_one_lesson():
    text = f"{words(30)}\n# Uno\n{words(80)}\n## Dos\n{words(1300)}\n{words(900)}\n# Tres\n### Cuatro\n{words(20)}"
    blocks = make_blocks(text)
    modules = outline([SourceDocument(1, 7, "Manual", blocks)])
    taken = [at for module in modules for one in module.lessons for r in one.ranges for at in range(r.first, r.last)]
    bodies = [at for at, block in enumerate(blocks) if block.kind is not BlockKind.HEADING]
    assert sorted(at for at in taken if at in bodies) == bodies
    assert len(taken) == len(set(taken))


def test_a_heading_that_holds_the_whole_document_gives_way_to_what_is_below_it():
    modules = outlined(f"# Manual de tienda\n## Caja\n{words(500)}\n## Almacén\n{words(500)}")
    assert [module.title for module in modules] == ["Caja", "Almacén"]


def test_contents_tables_are_left_out_and_a_section_named_contents_is_not():
    contents = "# Índice\nCaja .......... 3\nAlmacén ....... 9\n"
    assert "Índice" not in str(outlined(f"{contents}# Caja\n{words(500)}\n# Almacén\n{words(500)}"))
    assert "Contenido" in str(outlined(f"# Contenido\n{words(500)}\n# Almacén\n{words(500)}"))


def test_a_document_without_headings_is_cut_by_its_pages():
    text = "\n".join(f"[p{page}]\n{words(700)}" for page in range(1, 7))
    [module] = outlined(text, "Informe")
    assert module.title == "Informe"
    assert module.lessons[0].title.startswith("Página")
    assert all(lesson.sources[0].page for lesson in module.lessons)


def test_several_documents_follow_each_other_each_in_its_modules():
    documents = [SourceDocument(at, at, f"Manual {at}", make_blocks(f"# A\n{words(300)}")) for at in (1, 2)]
    assert [module.title for module in outline(documents)] == ["Manual 1", "Manual 2"]
    assert outline([SourceDocument(1, 1, "Vacío", [])]) == []


def test_a_name_that_stands_twice_is_said_once():
    assert joint_title(["Inscripción", "Permanencia", "Inscripción"]) == "Inscripción y permanencia"


def test_a_title_with_an_and_of_its_own_is_joined_by_a_comma():
    assert joint_title(["Formatos", "Estándares y prácticas"]) == "Formatos, estándares y prácticas"


def test_sections_named_by_number_are_counted_even_when_short():
    sections = [f"## Artículo {number}. Tema {number}\n{words(size)}" for number, size in ((4, 150), (5, 20), (6, 20))]
    [lesson] = outlined(f"# Ley\n## Objeto\n{words(600)}\n" + "\n".join(sections))[0].lessons[1:]
    assert lesson.title == "Artículos 4 a 6: Tema 4, tema 5 y tema 6"


def test_a_question_in_a_title_of_several_stays_one():
    assert joint_title(["Introducción", "¿Qué es?"]) == "Introducción. ¿Qué es?"


MARKS = (
    f"# Riesgos\n## Mlaborali\n### Almacén\n{words(300, 'almacen')}\n## Mmaborali\n{words(300, 'cocina')}\n"
    f"## Prot\nLas proteínas se separan.\n## Objetivo\n{words(300, 'objeto')}"
)


def test_a_logo_read_in_several_ways_and_a_cut_word_head_nothing():
    blocks = make_blocks(MARKS)
    assert misread_headings(blocks) == {"Mlaborali", "Mmaborali", "Prot"}
    modules = outlined(MARKS)
    titles = [title for module in modules for title in (module.title, *(lesson.title for lesson in module.lessons))]
    assert not any("aborali" in title or "Prot" in title for title in titles)
    written = write_lesson("Riesgos", [blocks], casing_of(blocks))
    assert "aborali" not in written.content
    assert "cocina1" in written.content


def test_cells_of_a_table_run_together_are_no_heading():
    cells = "Problema Potecial CONSIDERACIONES DE BUENAS PRÁCTICAS"
    blocks = make_blocks(
        f"# {cells}\nEl problema potencial se anota y se gestiona.\n"
        "# = Segestiona\nLos envases se cierran.\n"
        "# Notas SOBRE LIMPIEZA Diaria\nLa limpieza diaria se anota sobre la hoja.\n"
        "# Consideraciones Generales\nSe miran las prácticas."
    )
    assert misread_headings(blocks) == {cells, "= Segestiona"}


def test_text_under_a_misread_heading_is_still_reached_by_a_source():
    sources = [
        source.heading_path for module in outlined(MARKS) for lesson in module.lessons for source in lesson.sources
    ]
    assert any(path == ("Riesgos",) for path in sources) or ("Riesgos", "Mmaborali") in sources


CLEAN = "\n".join(
    f"[p{page}]\n# Zona {page}\n" + "\n".join([f"La zona {page} se limpia. " * 12] * 7) for page in (1, 2, 4)
)
TORN = (
    "[p3]\n# Generación\n= Se gestionan los cambios\nde alérgenoen\npotes\n= Los envases\nlimpieza.\nde la línea\n"
    "eficazmente los olérgenos."
)


def torn_document() -> list[Block]:
    first, rest = CLEAN.split("[p4]")
    return make_blocks(f"{first}{TORN}\n[p4]{rest}")


def test_a_page_in_pieces_is_named_in_the_lesson_and_not_copied_into_it():
    blocks = torn_document()
    assert illegible_pages(blocks) == {3}
    modules = outline([SourceDocument(1, 7, "Limpieza", blocks)])
    lessons = [lesson for module in modules for lesson in module.lessons]
    assert not any("Generación" in lesson.title for lesson in lessons)
    pieces = [legible(blocks[one.first : one.last], frozenset({3})) for lesson in lessons for one in lesson.ranges]
    content = write_lesson("Limpieza", pieces, casing_of(blocks)).content
    assert "olérgenos" not in content
    assert content.count("La página 3 del documento") == 1
    assert any(source.page == 3 for lesson in lessons for source in lesson.sources)


def covered_pages(modules: Sequence[OutlinedModule], blocks: Sequence[Block]) -> set[int | None]:
    ranges = [one for module in modules for lesson in module.lessons for one in lesson.ranges]
    return {block.page for one in ranges for block in blocks[one.first : one.last]}


def test_an_illegible_page_before_the_first_heading_keeps_its_note_and_source():
    torn = "\n".join(TORN.splitlines()[2:])
    blocks = make_blocks("[p1]\n" + torn + "\n" + CLEAN.replace("[p1]", "[p3]"))
    assert illegible_pages(blocks) == {1}
    modules = outline([SourceDocument(1, 7, "Limpieza", blocks)])
    assert covered_pages(modules, blocks) == {1, 2, 3, 4}
    first = modules[0].lessons[0]
    pieces = [legible(blocks[one.first : one.last], frozenset({1})) for one in first.ranges]
    assert "La página 1 del documento" in write_lesson(first.title, pieces, casing_of(blocks)).content
    assert any(source.page == 1 for source in first.sources)


def test_a_chapter_of_illegible_pages_alone_is_offered_and_is_in_a_lesson():
    first, rest = CLEAN.split("[p4]")
    torn = "\n".join(TORN.splitlines()[2:])
    blocks = make_blocks(f"{first}# Generación\n[p3]\n{torn}\n[p4]{rest}")
    assert illegible_pages(blocks) == {3}
    chapters = chapters_of(blocks)
    assert [chapter.title for chapter in chapters] == ["Zona 1", "Zona 2", "Generación", "Zona 4"]
    chosen = outline([SourceDocument(1, 7, "Limpieza", blocks, frozenset({chapters[2].key}))])
    [lesson] = chosen[0].lessons
    assert (lesson.title, [source.heading_path for source in lesson.sources]) == ("Generación", [("Generación",)])
    pieces = [legible(blocks[one.first : one.last], frozenset({3})) for one in lesson.ranges]
    assert "La página 3 del documento" in write_lesson(lesson.title, pieces, casing_of(blocks)).content


def test_a_document_written_all_in_lower_case_is_read_as_it_is():
    text = "\n".join(f"[p{page}]\n" + "\n".join(["se abre la caja y se cuenta"] * 8) for page in (1, 2))
    assert illegible_pages(make_blocks(text)) == frozenset()


def test_bullets_read_as_marks_are_bullets_and_a_sentence_in_cells_is_one_again():
    rows = (("relacionados con", "la"), ("exposición y", "las"), ("circunstancias", ""))
    blocks = [
        Block(BlockKind.PARAGRAPH, "= Cierra los envases.", page=1),
        Block(BlockKind.TABLE, "", page=1, rows=rows),
        Block(BlockKind.TABLE, "", page=1, rows=(("Pan", "1 €"), ("Leche", "2 €"))),
    ]
    bullet, sentence, table = legible(blocks, frozenset())
    assert (bullet.kind, bullet.text) == (BlockKind.LIST_ITEM, "Cierra los envases.")
    assert sentence.text == "relacionados con la exposición y las circunstancias"
    assert table.rows == blocks[2].rows


@pytest.mark.parametrize(
    ("titles", "parent", "title"),
    [
        (
            [
                "Perfiles de hardware para las máquinas virtuales",
                "Escenarios de ejecución",
                "Configuración de los escenarios de la aplicación",
            ],
            "",
            "Perfiles de hardware, escenarios de ejecución y configuración de los escenarios de la aplicación",
        ),
        (
            [
                f"Artículo {at}. {topic}"
                for at, topic in (
                    (4, "Exactitud de los datos"),
                    (5, "Deber de confidencialidad de todas las personas"),
                    (6, "Tratamiento basado en el consentimiento"),
                    (7, "Consentimiento de los menores de edad"),
                )
            ],
            "Título II. Principios",
            "Artículos 4 a 7: de «Exactitud de los datos» a «Consentimiento de los menores de edad»",
        ),
        (["Artículo 80", "Artículo 81"], "Capítulo III. Revocación", "Revocación: artículos 80 y 81"),
        (
            ["Disposición derogatoria primera", "Disposición derogatoria segunda"],
            "",
            "Disposiciones derogatorias primera y segunda",
        ),
        (["Una sección de nombre muy largo que ocupa casi todo el espacio que hay en la línea"] * 3, "Caja", "Caja"),
    ],
)
def test_a_title_of_many_sections_neither_ends_half_way_nor_in_and_more(titles: list[str], parent: str, title: str):
    assert joint_title(titles, parent) == title


def test_a_title_too_long_loses_its_circumstances_before_its_end_is_cut():
    long = (
        "Tratamiento de los datos de contacto de las personas que trabajan en la empresa, " + "de sus familiares " * 5
    )
    assert (
        clean_title(long, CASING) == "Tratamiento de los datos de contacto de las personas que trabajan en la empresa"
    )


@pytest.mark.parametrize(
    "heading",
    [
        "Octubre del 2021",
        "### BEGIN INIT INFO",
        "Última modificación: 6 de mayo de 2024",
        "La información cumplirá en todo caso los requisitos siguientes:",
    ],
)
def test_dates_comments_and_words_that_lead_in_a_list_head_nothing(heading: str):
    assert is_noise(heading)


def test_a_title_that_any_chapter_has_says_of_which_it_is():
    chapters = [
        f"# {name}\n## Introducción\n{words(400)}\n## Uso de {name}\n{words(400)}" for name in ("Horno", "Caja")
    ]
    assert lesson_titles(outlined("\n".join(chapters))) == [
        ["Horno: introducción", "Uso de Horno"],
        ["Caja: introducción", "Uso de Caja"],
    ]


def test_lessons_of_the_same_title_are_numbered():
    chapters = "\n".join(
        f"# {name}\n## Limpieza\n{words(400)}\n## Uso de {name}\n{words(400)}" for name in ("Horno", "Caja")
    )
    assert [titles[0] for titles in lesson_titles(outlined(chapters))] == ["Limpieza (1 de 2)", "Limpieza (2 de 2)"]


def test_a_first_heading_taken_for_the_title_names_no_more_than_its_section():
    [module] = outlined("".join(f"# {name}\n{words(100)}\n" for name in ("Entradas", "Pizzas", "Postres")), "Entradas")
    assert module.title == "Entradas, pizzas y postres"


HANDBOOK = "".join(
    f"# {name}\n{words(size, name[-4:])}\n"
    for name, size in (
        ("Manual del empleado", 80),
        ("1. Jornada, horarios y calendario laboral", 340),
        ("2. Vacaciones, permisos y ausencias", 410),
        ("3. Sueldo, complementos salariales, anticipos y beneficios sociales", 310),
        ("4. Normas de convivencia, faltas y sanciones", 290),
        ("5. Si dejas la empresa", 54),
    )
)


def test_a_title_above_numbered_chapters_names_the_module():
    handbook = SourceDocument(1, 7, "Manual del empleado", make_blocks(HANDBOOK))
    deck = SourceDocument(2, 8, "Bienvenida", make_blocks(f"# Hola\n{words(80)}"))
    assert outline([handbook, deck])[0].title == "Manual del empleado"
    assert outline([handbook])[0].title == "Jornada, horarios y calendario laboral"


def test_a_span_of_sections_ends_with_the_last_one_however_short():
    long = "{} y obligaciones generales aplicables a todas las personas trabajadoras"
    names = [long.format(name) for name in ("Limpieza", "Mantenimiento", "Vigilancia")]
    assert joint_title_to_end(names, "Despedida").endswith("a «Despedida»")
    assert joint_title_to_end(["Limpieza", "Vigilancia"], "Despedida") == "Limpieza y vigilancia"
    text = "".join(f"# {name}\n{words(150, name[:4])}\n" for name in names) + f"# Despedida\n{words(40, 'adios')}"
    assert outlined(text, names[0])[0].title.endswith("a «Despedida»")


def test_a_deck_of_slides_is_more_than_one_lesson():
    slides = "".join(f"# Diapositiva sobre {name}\n{words(50, name)}\n" for name in "abcdefghijkl")
    [module] = outlined(slides, "Bienvenida")
    assert [len(lesson.sources) for lesson in module.lessons] == [6, 6]
    assert module.title not in [lesson.title for lesson in module.lessons]
    few = outlined("".join(f"# Parte {name}\n{words(50, name)}\n" for name in "abcd"))
    assert [len(module.lessons) for module in few] == [1]


def numbered(*sizes: int, title: str = "", above: str = "##") -> str:
    chapters = (f"{above} {at}. Tema {at}\n{words(size, f'tema{at}x')}" for at, size in enumerate(sizes, start=1))
    return "\n".join([*([f"# {title}"] if title else []), *chapters])


@pytest.mark.parametrize(
    "text",
    [
        numbered(90, 120, 60, 55, title="Guía del taller"),
        numbered(90, 120, 60, 55, above="#"),
        numbered(90, 120, 60, 55, title="Guía del taller").replace("1. ", "").replace("3. ", ""),
    ],
)
def test_short_chapters_are_lessons_of_their_own(text):
    [module] = outlined(text)
    assert [lesson.title for lesson in module.lessons] == ["Tema 1", "Tema 2", "Tema 3", "Tema 4"]


def test_a_chapter_of_a_few_lines_and_the_text_under_the_title_join_their_neighbour():
    text = numbered(90, 10, 120, title="Guía del taller").replace("## 1.", f"{words(30)}\n## 1.")
    [module] = outlined(text)
    assert [(lesson.title, len(lesson.sources)) for lesson in module.lessons] == [("Tema 1", 3), ("Tema 3", 1)]


def test_articles_and_many_short_sections_share_lessons_as_before():
    articles = "\n".join(f"## Artículo {at}. Tema {at}\n{words(70)}" for at in range(1, 9))
    assert len(outlined(f"# Ley de ventas\n{articles}")[0].lessons) < 4
    assert len(outlined(numbered(*[70] * 20, title="Preguntas"))[0].lessons) < 8


@pytest.mark.parametrize(
    "headings",
    [
        ["10 consejos", "24 horas de servicio", "3 turnos", "Vi la luz"],
        ["Vi la luz", "X días de plazo", "Mi turno", "V de vendetta"],
        ["2 en caja", "2 en sala", "2 en cocina", "2 en almacén"],
        ["1. Tema", "Uno más", "Otro más", "El último"],
    ],
)
def test_headings_that_begin_with_a_figure_or_letter_are_no_numbered_chapters(headings: list[str]):
    text = "\n".join(f"# {heading}\n{words(55, f'tema{at}x')}" for at, heading in enumerate(headings))
    assert len(outlined(text)[0].lessons) < 4


@pytest.mark.parametrize(
    "headings",
    [
        ["I. Caja", "II. Sala", "III. Cocina", "IV. Almacén"],
        ["Capítulo 1. Caja", "CAPÍTULO 2. Sala", "capítulo 3. Cocina", "Capítulo 4: Almacén"],
        ["Tema I. Caja", "Tema II. Sala", "Tema III. Cocina", "Tema IV. Almacén"],
        ["1 Caja", "2 Sala", "3 Cocina", "5 Almacén"],
        ["IX. Caja", "X. Sala", "XI. Cocina", "XII. Almacén"],
    ],
)
def test_chapters_whose_numbers_rise_stand_by_themselves(headings: list[str]):
    text = "\n".join(f"# {heading}\n{words(70, f'tema{at}x')}" for at, heading in enumerate(headings))
    assert all(len(lesson.sources) == 1 for lesson in outlined(text)[0].lessons)


def test_an_introduction_below_the_only_title_is_not_called_after_it():
    text = numbered(90, 80, title="Guía del taller").replace("1. Tema 1", "1. Introducción")
    assert outlined(text)[0].lessons[0].title == "Introducción"


def slide(number: int, kind: BlockKind, text: str, *, is_said: bool = False) -> Block:
    said = {"notes": True} if is_said else {}
    return Block(kind, text, 1 if kind is BlockKind.HEADING else None, locator={"slide": number, **said})


def test_what_a_speaker_says_is_told_from_what_stands_on_the_slides():
    deck = [
        slide(1, BlockKind.HEADING, "Cierre"),
        slide(1, BlockKind.PARAGRAPH, "La caja se cuenta dos veces."),
        slide(1, BlockKind.PARAGRAPH, "Aquí pregunto quién la ha contado *alguna vez*.", is_said=True),
        slide(1, BlockKind.PARAGRAPH, "Y espero a que respondan.", is_said=True),
        slide(2, BlockKind.PARAGRAPH, "Ahora enseño el informe.", is_said=True),
        slide(3, BlockKind.HEADING, "Informe"),
        slide(3, BlockKind.PARAGRAPH, "El informe Z se guarda cinco años."),
    ]
    content = write_lesson("Turno", [deck], casing_of(deck)).content
    assert "\n**Notas del ponente:** Aquí pregunto quién la ha contado \\*alguna vez\\*.\n\nY espero" in content
    assert "\n**Notas del ponente:** Ahora enseño el informe.\n" in content
    assert content.count("Notas del ponente") == 2
