"""Lessons written from small documents: whole, in order, summed up in sentences that can be read alone."""

import pytest

from courses.drafting.misreadings import casing_of
from courses.drafting.spelling import Spelling
from courses.drafting.titles import Casing, clean_title
from courses.drafting.writing import central_sentences, glossary, key_facts, write_lesson
from documents.parsing.types import Block, BlockKind
from tests.factories import make_blocks

CASING = Casing(["El TPV y la caja se cierran cada noche con el plan APPCC. Las alergias alimentarias son graves."])


def words(count: int, topic: str = "caja") -> str:
    return " ".join(f"{topic}{number}" for number in range(count - 1)) + " fin."


def test_a_lesson_keeps_the_text_whole_and_shows_marks_as_they_are():
    blocks = [
        Block(BlockKind.HEADING, "Precios", level=2, heading_path=("Precios",)),
        Block(BlockKind.PARAGRAPH, "Pon *asterisco* y <b>negrita</b> tal cual.", heading_path=("Precios",)),
        Block(BlockKind.LIST_ITEM, "• Pan", heading_path=("Precios",)),
        Block(BlockKind.TABLE, "", heading_path=("Precios",), rows=(("Artículo", "€"), ("Pan", "1")), header_rows=1),
    ]
    content = write_lesson("Precios", [blocks], CASING).content
    assert "\\*asterisco\\* y \\<b\\>negrita" in content
    assert "- Pan" in content
    assert "| Pan | 1 |" in content
    assert "Precios" not in content  # the page says it above


def test_a_summary_is_made_of_whole_sentences_that_stand_alone():
    sentences = [
        "La caja se abre con un fondo de cien euros que cuenta el encargado cada mañana.",
        "Este fondo de caja lo firma el encargado de la caja en el libro de caja cada mañana.",
        "El encargado anota el fondo de la caja en el libro antes de abrir la tienda al público.",
        "¿Quién cuenta el fondo de la caja por la mañana antes de abrir la tienda al público?",
    ]
    chosen = central_sentences(sentences, 2, 60)
    assert chosen == [sentences[0], sentences[2]]


@pytest.mark.parametrize(
    "sentence",
    [
        "Transcurrido ese plazo deberá procederse a la destrucción de los datos en 30 días.",
        "En su elaboración deberán participar los representantes de los trabajadores cada 6 meses.",
        "Se hacía así eco de los trabajos que debe cuidar el consejo desde hace 20 años.",
        "Y siempre se mantiene la prohibición de guardar la fruta a más de 8 grados en la tienda.",
    ],
)
def test_what_points_back_is_neither_summary_nor_fact(sentence):
    other = "La fruta se guarda siempre a menos de 8 grados en la cámara de la tienda de abajo."
    assert central_sentences([sentence, other], 2, 60) == [other]
    assert key_facts([sentence, other]) == [other]


def test_speaking_of_the_document_itself_is_no_pointing_back():
    sentence = "En esta guía se dice que la cámara se limpia siempre cada 3 días por la noche."
    assert key_facts([sentence]) == [sentence]


def test_what_is_not_named_before_is_summed_up_by_something_else():
    vague = "La caja de la tienda queda cerrada cuando el encargado de la caja retire dicha cuantía de la tienda."
    plain = "El encargado retira el efectivo al llegar la noche y lo guarda."
    assert central_sentences([vague, plain, vague], 1, 60) == [plain]


def test_a_sentence_cut_by_the_end_of_a_page_is_whole_again():
    blocks = make_blocks("[p1]\n# Cierre\nEl encargado cierra la caja y la deja en el\n[p2]\nDespacho de la tienda.")
    content = write_lesson("Cierre", [blocks], CASING).content
    assert "y la deja en el Despacho de la tienda." in content


def test_the_title_of_an_article_that_another_text_quotes_is_no_sentence():
    text = "«Artículo 20 bis. Derechos de los trabajadores a la intimidad en relación con el entorno digital.\n"
    told = "Los trabajadores tienen derecho a la intimidad en el uso de los dispositivos de la tienda.\n"
    assert write_lesson("Cambios", [make_blocks(f"# Cambios\n{text}{told}")], CASING).summary == told.strip()


def test_words_read_wrong_are_mended_by_how_the_document_spells_them():
    told = "\n".join(f"= El alérgeno {at} se guarda aparte de los alérgenos de la tienda." for at in range(12))
    blocks = make_blocks(f"# Gestión de olérgenos\n{told}\nLos olérgenos están en la cocina, y no hay otra copa.")
    casing = casing_of(blocks)
    assert clean_title("GESTIÓN DE OLÉRGENOS", casing) == "Gestión de alérgenos"
    assert "Los alérgenos están en la cocina" in write_lesson("Otra", [blocks], casing).content
    assert casing.spelling.is_doubtful("Los olérgenos") and not casing.spelling.is_doubtful("Los alérgenos de la copa")
    clean = make_blocks(f"# Gestión\n{told.replace('= ', '')}\nLos olérgenos.")
    assert not casing_of(clean).spelling.is_doubtful("Los olérgenos")  # nothing in it was read in pictures


@pytest.mark.parametrize(
    ("often", "text"),
    [
        ("Las medidas adoptadas", "Las raciones adaptadas se sirven aparte."),
        ("La inversión", "La inmersión dura una hora."),
        ("Los alérgenos", "Los olérgenos se anotan. Los olérgenos se guardan."),  # a slip is not made twice
        ("Lo causado", "Quien está cansado descansa."),
    ],
)
def test_a_word_that_may_be_meant_is_doubted_and_left_as_it_stands(often: str, text: str):
    told = "\n".join(f"= {often} de la zona {at} se anota en la hoja." for at in range(24))
    blocks = make_blocks(f"[p1]\n# Cocina\n{told}\n{text}")
    casing = casing_of(blocks)
    assert casing.spelling.mended(text) == text
    assert casing.spelling.is_doubtful(text)


@pytest.mark.parametrize("misread", ["vaeaciones", "vacaclones", "vacacicnes", "VACACLONES"])
def test_letters_of_like_shape_are_put_right(misread: str):
    texts = [*["Las vacaciones se piden."] * 20, f"Las {misread} se piden."]
    assert Spelling(texts, recognized=True).mended(misread).lower() == "vacaciones"


def test_a_bullet_alone_belongs_to_what_follows():
    blocks = make_blocks("# Salas\nHay estas:\n•\nTaller. Un encuentro en el que se trabaja.\n•\n# Otras\nNinguna.")
    content = write_lesson("Salas", [blocks], CASING).content
    assert "- Taller. Un encuentro" in content
    assert "•" not in content


def test_facts_are_sentences_with_figures_or_duties():
    sentences = ["Me gusta mucho el color azul de la tienda.", "La plancha debe limpiarse cada 30 minutos con agua."]
    assert key_facts(sentences) == [sentences[1]]


def test_the_glossary_takes_terms_that_the_text_defines():
    [*blocks] = make_blocks(
        "# Términos\nSe entiende por merma, la pérdida de producto que no se puede vender al cliente.\n"
        "Arqueo: conjunto de pasos con que se cuenta el dinero de la caja.\nPor ejemplo: una caja de diez."
    )
    assert [term for term, _text in glossary(blocks)] == ["Merma", "Arqueo"]


def test_a_box_to_be_ticked_is_an_item_of_a_lesson():
    blocks = [Block(BlockKind.LIST_ITEM, "[ ] Enciende la cafetera a las 7:30.", heading_path=("Apertura",))]
    assert "- Enciende la cafetera" in write_lesson("Apertura", [blocks], casing_of(blocks)).content


def test_a_summary_is_made_of_running_text_before_steps():
    steps = [Block(BlockKind.LIST_ITEM, f"{at}. Enciende las luces del escaparate a las ocho.") for at in (1, 2)]
    text = Block(
        BlockKind.PARAGRAPH,
        "La apertura de la tienda sigue siempre el orden que aquí se dice, cada mañana y en cada local.",
    )
    assert write_lesson("Apertura", [[*steps, text]], CASING).summary == text.text


def test_a_cover_is_no_part_of_the_lesson_but_an_opening_is():
    cover = "Manual de Usuario\nAna Gómez, PhD.\n2017\nCONTENIDO\n"
    body = f"# Introducción\n{words(80)}"
    assert "CONTENIDO" not in write_lesson("Introducción", [make_blocks(cover + body)], CASING).content
    opening = "Esta guía dice qué se hace en la tienda desde que se abre hasta que se cierra cada noche.\n"
    assert "Esta guía" in write_lesson("Introducción", [make_blocks(opening + body)], CASING).content


def test_a_lesson_without_a_telling_sentence_is_summed_up_by_the_words_that_lead_in_its_list():
    lead = Block(
        BlockKind.PARAGRAPH, "Se consideran leves y prescriben al año las faltas de esta lista y todas las siguientes:"
    )
    items = [Block(BlockKind.LIST_ITEM, f"{letter}) Llegar tarde.") for letter in "ab"]
    assert write_lesson("Faltas", [[lead, *items]], CASING).summary == lead.text[:-1] + "."


def test_a_lesson_that_is_a_table_is_summed_up_by_its_columns():
    rows = (("Puesto", "Plus"), ("Cajera", "30 €"), ("Mozo", "20 €"))
    table = Block(BlockKind.TABLE, "", heading_path=("Pluses",), rows=rows, header_rows=1)
    assert write_lesson("Pluses", [[table]], CASING).summary == "Tabla con las columnas «Puesto» y «Plus»."


def test_a_lesson_of_lists_is_summed_up_by_its_sections():
    listed = (
        "Herramientas:\nUna llave inglesa grande para las ruedas de los coches.\nUn gato hidráulico de dos toneladas."
    )
    text = f"# Taller\n## 1. Ruedas\n{listed}\n## 2. Frenos\n{listed.replace('ruedas', 'frenos')}"
    assert write_lesson("Taller", [make_blocks(text)], CASING).summary == "Apartados: Ruedas; Frenos."


def test_one_short_paragraph_after_a_colon_is_still_running_text():
    text = "# Taller\nAntes de empezar:\nEl coche se levanta siempre con el freno de mano puesto y sin nadie dentro."
    assert write_lesson("Taller", [make_blocks(text)], CASING).summary.startswith("El coche se levanta")
