"""Which lines of a PDF's margins are running lines, and which are text that happens to stand there."""

from pathlib import Path

import pytest

from documents.parsing import parse
from documents.parsing.types import BlockKind
from tests.unit.parsing_files import BODY, BOLD, Text, prose, write_pdf

TOPICS = ("Apertura", "Cobros", "Vales", "Devoluciones", "Inventario", "Arqueo", "Cierre", "Seguridad")
REMINDER = "Lee esta hoja entera antes de empezar y pregunta a tu responsable si algo no está claro."


def own_text(topic: str, y: float = 100) -> list[Text]:
    """Text that no other page has."""
    lines = [
        f"Para {topic.lower()} hace falta la llave de la tienda y el cuaderno de {topic.lower()}, que se guarda",
        f"en el cajón de la mesa. Quien se encarga de {topic.lower()} firma al terminar y avisa a la persona",
        f"que entra en el turno siguiente de lo que ha quedado pendiente en {topic.lower()} ese día.",
    ]
    return prose(lines, y=y)


def read(tmp_path: Path, pages: list[list[Text]]) -> tuple[list[str], str]:
    """The headings and the whole text of a PDF with these pages."""
    blocks = parse(write_pdf(tmp_path / "manual.pdf", pages)).blocks
    return [block.text for block in blocks if block.kind is BlockKind.HEADING], "\n".join(b.text for b in blocks)


@pytest.mark.parametrize(("size", "gap"), [(14, 30), (10, 14), (10, 24)])
def test_headings_that_differ_by_a_number_stay_though_it_follows_the_pages(tmp_path: Path, size: int, gap: int):
    pages = [
        [(72, 60, f"Procedimiento {number}", size, BOLD), *own_text(topic, y=60 + gap)]
        for number, topic in enumerate(TOPICS, start=1)
    ]
    headings, text = read(tmp_path, pages)
    assert headings == [f"Procedimiento {number}" for number in range(1, 9)]
    assert text.count("el cajón") == 8


def test_plain_lines_that_differ_by_a_number_stay_where_they_lead_the_text(tmp_path: Path):
    pages = [
        [(72, 60, f"Ficha {number} de la tienda", 10, BODY), *own_text(topic, y=73)]
        for number, topic in enumerate(TOPICS, start=1)
    ]
    assert read(tmp_path, pages)[1].count("de la tienda y") == 8
    assert read(tmp_path, pages)[1].count("Ficha") == 8


@pytest.mark.parametrize("sentence", [REMINDER, "La ficha {number} se lee entera antes de empezar el turno de tarde."])
def test_a_sentence_that_opens_every_page_stays_under_differing_headings(tmp_path: Path, sentence: str):
    pages = [
        [
            (72, 60, topic, 14, BOLD),
            (72, 84, sentence.format(number=number), 10, BODY),
            *own_text(topic, y=97),
        ]
        for number, topic in enumerate(TOPICS, start=1)
    ]
    headings, text = read(tmp_path, pages)
    assert headings == list(TOPICS)
    assert text.count("antes de empezar") == 8


def test_a_sentence_that_opens_some_pages_stays(tmp_path: Path):
    pages = [[*(prose([REMINDER], y=60) if topic in TOPICS[2:6] else []), *own_text(topic, y=73)] for topic in TOPICS]
    assert read(tmp_path, pages)[1].count("Lee esta hoja") == 4


def test_a_line_at_one_height_of_most_pages_goes_even_close_to_the_text(tmp_path: Path):
    pages = [[(72, 60, "Tiendas del Norte, uso interno", 10, BODY), *own_text(topic, y=73)] for topic in TOPICS]
    assert "uso interno" not in read(tmp_path, pages)[1]


def test_left_and_right_pages_may_have_running_lines_of_their_own(tmp_path: Path):
    pages = [
        [(72, 40, "Manual de tienda" if number % 2 else "Tiendas del Norte", 8, BODY), *own_text(topic)]
        for number, topic in enumerate(TOPICS, start=1)
    ]
    text = read(tmp_path, pages)[1]
    assert "Manual de tienda" not in text
    assert "Tiendas del Norte" not in text


def test_the_running_line_of_a_chapter_goes_and_its_heading_stays(tmp_path: Path):
    chapters = ["La caja"] * 4 + ["El almacén"] * 4
    pages = [
        [
            *([(72, 80, chapter, 18, BOLD)] if number in (0, 4) else [(72, 40, chapter, 8, BODY)]),
            *own_text(topic, y=110),
        ]
        for number, (chapter, topic) in enumerate(zip(chapters, TOPICS, strict=True))
    ]
    headings, text = read(tmp_path, pages)
    assert headings == ["La caja", "El almacén"]
    assert (text.count("La caja"), text.count("El almacén")) == (1, 1)


def test_running_lines_stacked_at_the_edge_go_together_with_their_numbers(tmp_path: Path):
    pages = [
        [
            (72, 30, "Tiendas del Norte", 12, BOLD),
            (72, 42, f"Manual de tienda | {number + 10}", 8, BODY),
            (72, 60, topic, 14, BOLD),
            *own_text(topic, y=90),
            (72, 800, f"Revisado en 2024 - Pág. {number}", 10, BODY),
        ]
        for number, topic in enumerate(TOPICS, start=1)
    ]
    headings, text = read(tmp_path, pages)
    assert headings == list(TOPICS)
    assert "Norte" not in text
    assert "Manual de tienda" not in text
    assert "Revisado" not in text


@pytest.mark.parametrize("numbers", ["12345678", ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii"]])
def test_page_numbers_alone_go(tmp_path: Path, numbers: str | list[str]):
    pages = [
        [*own_text(topic), (290, 800, f"{number}", 10, BODY)] for number, topic in zip(numbers, TOPICS, strict=True)
    ]
    lines = read(tmp_path, pages)[1].split()
    assert not set(numbers) & set(lines)
