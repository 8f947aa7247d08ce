"""When the first heading of a file is its title, and when it is the first section among others."""

import pytest

from documents.parsing.types import Block, BlockKind
from documents.titles import below_letterhead, is_no_title, names_a_section, section_words


def blocks(*lines: str) -> list[Block]:
    """«# ENTRADAS» is a heading of the first level, anything else a paragraph."""
    return [
        Block(BlockKind.HEADING, line.lstrip("# "), level=line.count("#"))
        if line.startswith("#")
        else Block(BlockKind.PARAGRAPH, line)
        for line in lines
    ]


MENU = blocks("# ENTRADAS", "## Focaccia", "Pan.", "# PRINCIPALES", "Carne.", "# POSTRES", "Flan.")


def test_the_first_of_several_sections_with_parts_of_its_own_is_no_title():
    assert names_a_section("ENTRADAS", MENU)


@pytest.mark.parametrize("title", ["1. Uso de la caja", "2.1 Alarma", "IV. Cierre", "Introducción", "OBJETO"])
def test_what_is_numbered_or_named_like_a_section_is_no_title(title: str):
    assert names_a_section(title, blocks(f"# {title}", "Texto.", "# Otra", "Más.", "# Fin"))


def test_an_address_in_the_web_is_no_title():
    assert is_no_title("Source: https://www.archivo.example/docs/1", blocks("# Source", "Texto."))
    assert is_no_title("ENTRADAS", MENU)
    assert not is_no_title("Carta de verano", MENU)


def test_what_the_file_itself_says_it_is_called_is_a_title():
    assert not names_a_section("Carta de verano", MENU)


def test_a_heading_above_all_others_is_a_title():
    assert not names_a_section("Carta", blocks("# Carta", "## Entradas", "Pan.", "## Postres", "Flan.", "## Vinos"))


def test_a_heading_with_one_annex_beside_it_is_a_title():
    assert not names_a_section("Manual", blocks("# Manual", "## Caja", "Texto.", "# Anexo", "Más."))


def test_a_title_page_of_the_same_rank_as_its_chapters_is_a_title():
    lines = ("# MANUAL DE CAJA", "Edición de mayo.", "# Capítulo 1", "Texto.", "# Capítulo 2", "Más.", "# Fin")
    assert not names_a_section("MANUAL DE CAJA", blocks(*lines))


def test_a_long_heading_is_a_title_whatever_stands_below_it():
    title = "Implantación de mejoras en los procesos"
    assert not names_a_section(title, blocks(f"# {title}", "## Uno", "Texto.", "# Parte 1", "Más.", "# Parte 2"))


def test_a_file_without_headings_has_no_sections():
    assert not names_a_section("Nota", blocks("Texto."))


def test_the_title_stands_below_an_institutions_letterhead():
    lines = ("# UNIVERSIDAD DEL VALLE", "Ciudad Real", "## BORRADOR", "# Reglamento de higiene", "Texto.")
    assert below_letterhead("UNIVERSIDAD DEL VALLE", blocks(*lines)) == "Reglamento de higiene"


@pytest.mark.parametrize(
    "lines",
    [
        ("# Instituto Mediterráneo", "Una historia de la casa que se cuenta aquí con más de sesenta letras.", "# Sede"),
        ("# Instituto Mediterráneo", "## Sedes", "Texto."),
        ("# Instituto Mediterráneo",),
        ("Texto.", "# Otra cosa", "# Reglamento"),
    ],
)
def test_an_institution_that_is_written_about_is_a_title(lines: tuple[str, ...]):
    assert below_letterhead("Instituto Mediterráneo", blocks(*lines)) == "Instituto Mediterráneo"


@pytest.mark.parametrize(
    ("title", "below"),
    [
        ("Gobierno corporativo", "Consejo de administración"),
        ("Gobierno del dato", "Principios de calidad"),
        ("GOBIERNO DEL DATO", "Principios de calidad"),
        ("Universidad corporativa", "Formación inicial"),
        ("UNIVERSIDAD CORPORATIVA", "1. Formación inicial"),
        ("Instituto de belleza Ana: carta de servicios", "Masajes"),
        ("Instituto de Belleza Ana: carta de servicios", "Masajes"),
    ],
)
def test_a_subject_that_begins_like_an_institution_is_a_title(title: str, below: str):
    lines = (f"# {title}", f"# {below}", "Texto.", "# Otra parte", "Más.", "# Fin")
    assert below_letterhead(title, blocks(*lines)) == title


@pytest.mark.parametrize("name", ["Ministerio de Sanidad", "Universitat d'Alacant", "AYUNTAMIENTO DE LUGO"])
def test_an_institution_by_its_own_name_is_a_letterhead(name: str):
    assert below_letterhead(name, blocks(f"# {name}", "# Guía de acogida", "Texto.")) == "Guía de acogida"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (["Plan de limpieza", "Cocina", "Suelos"], ["Cocina", "Suelos"]),
        (["PLAN DE LIMPIEZA"], []),
        (["Instituto Superior N.º 197", "Régimen", "Régimen", "Inscripción"], ["Régimen", "Inscripción"]),
        (["RM...", "Módulo 4"], ["Módulo 4"]),
        (["Departamento de ventas", "Horarios"], ["Departamento de ventas", "Horarios"]),
        (["Instituto Superior N.º 197"], ["Instituto Superior N.º 197"]),
        (["Gobierno del dato", "Calidad"], ["Gobierno del dato", "Calidad"]),
    ],
)
def test_a_sections_path_says_what_the_title_does_not(path: list[str], words: list[str]):
    assert section_words(path, "Plan de limpieza") == words
