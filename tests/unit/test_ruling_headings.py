"""What a heading forbids is not shown as if it were allowed."""

from dataclasses import replace

import pytest

from retrieval.types import Passage
from tests.unit.answers import answer
from tests.unit.passages import passage
from tutor.extractive import compose
from tutor.faithfulness import judged_statements
from tutor.ruling_headings import ruling_headings
from tutor.scoring import Match, score_units
from tutor.units import UnitKind

BOOKS = "- Tarjetas regalo.\n- Libros de cocina sin retractilado.\n- Congelados."
PHONE = "- Fumar en el almacén.\n- Usar el móvil personal en la caja.\n- Comer en el mostrador."


def below(text: str, *headings: str) -> Passage:
    return replace(passage(text), heading_path=headings)


@pytest.mark.parametrize(
    ("question", "source", "shown"),
    [
        (
            "¿Puedo usar el móvil personal?",
            below(PHONE, "4. Prohibiciones"),
            "Prohibiciones:\n\n- Usar el móvil personal en la caja.",
        ),
        (
            "¿Puedo usar el móvil personal?",
            below(PHONE, "Prohibiciones", "En tienda"),
            "Prohibiciones: En tienda:\n\n- Usar el móvil personal en la caja.",
        ),
        (
            "¿Puedo usar el móvil personal?",
            below(f"En tienda:\n\n{PHONE}", "Faltas graves"),
            "Faltas graves: En tienda:\n\n- Usar el móvil personal en la caja.",
        ),
        (
            "¿Puedo usar el móvil personal?",
            below(PHONE, "Prohibiciones", "En tienda:"),
            "Prohibiciones: En tienda:\n\n- Usar el móvil personal en la caja.",
        ),
        (
            "¿Puedo devolver libros de cocina?",
            below(BOOKS, "2.3 Cuándo no se admite la devolución"),
            "Cuándo no se admite la devolución:\n\n- Libros de cocina sin retractilado.",
        ),
        (
            "¿Puedo devolver libros de cocina?",
            below(BOOKS, "Productos que no se devuelven"),
            "Productos que no se devuelven:\n\n- Libros de cocina sin retractilado.",
        ),
        (
            "¿Puedo devolver libros de cocina?",
            below(BOOKS.replace("- ", ""), "Productos que no se devuelven"),
            "Productos que no se devuelven: Libros de cocina sin retractilado.",
        ),
        (
            "¿Puedo usar el móvil?",
            below("Fumar.\nUsar el móvil personal.\nComer.", "Conductas prohibidas"),
            "Conductas prohibidas: Usar el móvil personal.",
        ),
        (
            "¿Puedo usar el móvil?",
            below("Usar el móvil personal en la caja mientras se atiende a un cliente.", "Conductas prohibidas"),
            "Conductas prohibidas: Usar el móvil personal en la caja mientras se atiende a un cliente.",
        ),
        (
            "¿Puedo devolver un libro?",
            below("Producto | Motivo\nLibro | Se copia\nVino | Se bebe", "No admiten devolución"),
            "No admiten devolución:\n\n- Libro — Motivo: Se copia",
        ),
    ],
)
def test_what_a_heading_forbids_is_shown_below_it(question: str, source: Passage, shown: str):
    draft = answer(question, source)
    assert draft.text.replace(" [Fuente 1]", "").startswith(shown)
    assert all(stands for _, stands in judged_statements(draft.text, {1: source}))


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (below("No se puede usar el móvil en la caja.", "Prohibiciones"), "No se puede usar el móvil en la caja."),
        (below(PHONE, "8. Cuando el cliente no está de acuerdo"), "- Usar el móvil personal en la caja."),
        (below(PHONE, "Si no hay conexión"), "- Usar el móvil personal en la caja."),
        (below(PHONE, "Costumbres"), "- Usar el móvil personal en la caja."),
        (below(PHONE, "3. Producto no conforme"), "- Usar el móvil personal en la caja."),
        (below(PHONE, "Tarifas (sin IVA)"), "- Usar el móvil personal en la caja."),
        (below(PHONE, "Manual 1", "Costumbres"), "- Usar el móvil personal en la caja."),
        (
            below("El móvil personal se guarda en la taquilla al empezar cada turno.", "Faltas y sanciones"),
            "El móvil personal se guarda en la taquilla al empezar cada turno.",
        ),
        (
            below(f"Está prohibido:\n\n{PHONE}", "Prohibiciones"),
            "Está prohibido:\n\n- Usar el móvil personal en la caja.",
        ),
    ],
)
def test_what_says_so_itself_or_is_not_turned_stands_alone(source: Passage, shown: str):
    assert answer("¿Puedo usar el móvil personal?", source).text.replace(" [Fuente 1]", "") == shown


@pytest.mark.parametrize(
    "lead",
    [
        "No se admite la devolución de",
        "Queda excluido",
        "No se admite la devolución de los productos siguientes.",
        "Los siguientes productos no se devuelven.",
    ],
)
def test_a_sentence_that_rules_a_list_is_shown_with_its_items_though_it_has_no_colon(lead: str):
    source = below(f"{lead}\n\n{BOOKS}", "Devoluciones")
    question = "¿Puedo devolver libros de cocina?"
    choices = score_units(question, [source], [[Match(0.7, 0.6, 0.7)] * 4])
    lowered = [replace(one, score=one.score - 9.0 * (one.unit.text == lead)) for one in choices]
    text = compose(question, [source], lowered, [0.9]).text
    assert text.startswith(lead)
    assert "- Libros de cocina sin retractilado." in text


def test_the_name_of_the_manual_rules_nothing():
    source = replace(below(PHONE, "Lo que no se puede", "Costumbres"), document_title="Lo que no se puede")
    assert answer("¿Puedo usar el móvil personal?", source).text.startswith("- Usar el móvil")


def test_who_asks_for_a_price_is_told_that_taxes_come_on_top():
    source = below("Servicio | Precio | Plazo\nTorneado | 42 | 5 días\nFresado | 48 | 8 días", "Tarifas (sin IVA)")
    assert answer("¿Cuánto cuesta el torneado?", source).text.startswith("Tarifas (sin IVA):")
    assert "IVA" not in answer("¿Qué plazo tiene el torneado?", source).text


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("Entrar en la cámara sin autorización de nadie.", "Prohibiciones"),
        ("Congelados, salvo los defectuosos.", "Productos que no se devuelven"),
        (
            "El robo con violencia en el interior del local y sus anexos o dependencias.",
            "Exclusiones de la póliza",
        ),
        ("Los daños que no se comuniquen en los siete días siguientes al siniestro.", "Exclusiones de la póliza"),
        ("Las prendas de baño y ropa interior que el cliente ha sacado de su envase.", "No admiten devolución"),
        ("Fumar en el almacén o en los vestuarios cuando no está el encargado.", "Prohibiciones"),
        ("Productos excepto los de marca propia.", "No se devuelve"),
    ],
)
def test_what_names_something_is_ruled_though_it_denies_by_the_way(text: str, heading: str):
    assert ruling_headings(["Manual", heading], UnitKind.SENTENCE, text) == (heading,)


@pytest.mark.parametrize(
    "text",
    [
        "Los productos abiertos no se devuelven.",
        "Los productos que se venden a granel no se devuelven.",
        "Queda prohibido fumar.",
        "Está terminantemente prohibido fumar.",
        "No dejar la puerta abierta.",
        "Nadie puede fumar.",
        "Prohibido fumar.",
        "Fumar no está permitido.",
        "Si el envase está abierto, no se devuelve.",
        "Se devuelve todo, salvo los congelados.",
        "El móvil personal se guarda en la taquilla al empezar cada turno.",
        "Los encargados rellenan el parte de incidencias antes de terminar el turno.",
        "Guarda el móvil en la taquilla antes de empezar cada turno de trabajo.",
        "La sanción será de hasta tres días de suspensión de empleo y sueldo.",
    ],
)
def test_a_sentence_whose_main_verb_says_what_is_so_is_not_ruled(text: str):
    assert not ruling_headings(["Manual", "Prohibiciones"], UnitKind.SENTENCE, text)
