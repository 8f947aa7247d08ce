"""Plain text in its many forms, and what a file is taken for."""

import sys
from pathlib import Path

import pytest

from documents.parsing import detect_media_type, parse
from documents.parsing.errors import EmptyFile, NoText, UnsupportedFormat
from documents.parsing.types import BlockKind, ParsedDocument


def parsed(tmp_path: Path, name: str, content: str | bytes) -> ParsedDocument:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return parse(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "cp1252", "cp850"])
def test_accents_survive_every_encoding(tmp_path: Path, encoding: str):
    text = "El niño comió paella con ñoquis.\n\nDevolución según el artículo 5."
    document = parsed(tmp_path, "a.txt", text.encode(encoding))
    assert [block.text for block in document.blocks] == text.split("\n\n")


def test_text_headings_are_underlined_numbered_or_capitals(tmp_path: Path):
    text = "MANUAL DE TIENDA\n\nPlazos\n------\nSon treinta días.\n\n2.1 Vales\n\nCaducan al año.\n"
    blocks = parsed(tmp_path, "a.txt", text).blocks
    assert [(block.level, block.text) for block in blocks if block.kind is BlockKind.HEADING] == [
        (1, "MANUAL DE TIENDA"),
        (2, "Plazos"),
        (2, "2.1 Vales"),
    ]


def test_boxes_to_tick_are_no_words_of_a_list(tmp_path: Path):
    blocks = parsed(tmp_path, "a.md", "- [ ] Baja la persiana.\n- [x] Apaga el horno.\n- [E-12] Avisa.\n").blocks
    assert [block.text for block in blocks] == ["• Baja la persiana.", "• Apaga el horno.", "• [E-12] Avisa."]


def test_markdown_keeps_headings_lists_tables_and_code(tmp_path: Path):
    text = (
        "# Caja\n\nTexto con [enlace](http://x.es) y **negrita**.\n\n3. Abre\n4. Cierra\n   - apaga\n\n"
        "| Código | Motivo |\n|---|---|\n| E-1 | Papel |\n\n```\nreinicia  -f\n```\n"
    )
    blocks = parsed(tmp_path, "a.md", text).blocks
    assert [(block.kind.value, block.level, block.text) for block in blocks] == [
        ("heading", 1, "Caja"),
        ("paragraph", None, "Texto con enlace y negrita."),
        ("list_item", 1, "3. Abre"),
        ("list_item", 1, "4. Cierra"),
        ("list_item", 2, "• apaga"),
        ("table", None, "Código | Motivo\nE-1 | Papel"),
        ("code", None, "reinicia  -f"),
    ]


def test_html_drops_what_no_reader_sees(tmp_path: Path):
    page = (
        "<html lang='es-ES'><head><title>Ayuda</title><style>p{}</style><script>var x='<p>no</p>'</script></head><body>"
        "<nav>Menú</nav><h1>Cobrar</h1><p>Pulsa <b>Cobrar</b><br>y espera.</p><div hidden>secreto</div>"
        "<ul><li>uno<ul><li>dos</li></ul></li></ul><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr>"
        "</table></body></html>"
    )
    document = parsed(tmp_path, "a.html", page)
    assert (document.title, document.language) == ("Ayuda", "es")
    assert [block.text for block in document.blocks] == [
        "Cobrar",
        "Pulsa Cobrar\ny espera.",
        "• uno",
        "• dos",
        "A | B\n1 | 2",
    ]


@pytest.mark.parametrize("separator", [";", ",", "\t", "|"])
def test_csv_separator_is_found_and_quoted_cells_stay_whole(tmp_path: Path, separator: str):
    lines = [["Producto", "Nota"], ["Casco", '"con; comas, y\nsaltos"'], ["Guante", "par"]]
    document = parsed(tmp_path, "a.csv", "\n".join(separator.join(line) for line in lines))
    assert document.blocks[0].rows == (
        ("Producto", "Nota"),
        ("Casco", "con; comas, y saltos"),
        ("Guante", "par"),
    )


def test_transcripts_become_paragraphs_with_their_time(tmp_path: Path):
    text = (
        "WEBVTT - Curso\n\nNOTE no se lee\n\n7b-1\n"
        "00:00:01.000 --> 00:00:03.000 position:10%\n<v Ana>Hola a todas,</v>\n\n"
        "00:00:03.000 --> 00:00:05.000\n<v Ana>empezamos.</v>\n\n01:02:00.000 --> 01:02:02.000\nSegunda parte.\n"
    )
    document = parsed(tmp_path, "a.vtt", text)
    assert [(block.text, block.locator) for block in document.blocks] == [
        ("Ana: Hola a todas, empezamos.", {"time": "00:00:01"}),
        ("Segunda parte.", {"time": "01:02:00"}),
    ]


def test_subrip_files_are_known_without_their_name(tmp_path: Path):
    path = tmp_path / "a.txt"
    path.write_text("1\n00:00:01,000 --> 00:00:02,000\nHola.\n")
    assert detect_media_type(path) == "application/x-subrip"


def test_questions_and_their_answers_are_one_block(tmp_path: Path):
    document = parsed(tmp_path, "a.txt", "P: ¿Cuántos días hay?\n\nR: Hay treinta días.\n\nOtra cosa.")
    assert [block.kind for block in document.blocks] == [BlockKind.QA, BlockKind.PARAGRAPH]


def test_the_name_does_not_decide_what_a_file_is(tmp_path: Path):
    path = tmp_path / "informe.txt"
    path.write_bytes(b"\xef\xbb\xbf%PDF-1.4\n")
    assert detect_media_type(path) == "application/pdf"
    path.write_text("<!DOCTYPE html><html><body><p>hola</p></body></html>")
    assert detect_media_type(path) == "text/html"


def test_useless_files_are_refused(tmp_path: Path):
    with pytest.raises(EmptyFile):
        parsed(tmp_path, "a.txt", b"")
    with pytest.raises(NoText):
        parsed(tmp_path, "a.txt", "\n \n\t")
    with pytest.raises(UnsupportedFormat):
        parsed(tmp_path, "a.txt", bytes(range(256)) * 20)
    with pytest.raises(UnsupportedFormat) as refusal:
        parsed(
            tmp_path, "a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "WordDocument".encode("utf-16-le")
        )
    assert ".docx" in str(refusal.value.user_message)


def test_tables_within_tables_cost_as_much_as_there_is_of_them(tmp_path: Path):
    def steps(depth: int) -> int:
        page = tmp_path / f"{depth}.html"
        page.write_text("<table><tr><td>Turno<p>x</p></td></tr><tr><td><p>Caja</p>" * depth)
        count = 0

        def step(*_call: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(step)
        try:
            parse(page)
        finally:
            sys.setprofile(None)
        return count

    steps(1)  # what is loaded the first time
    assert steps(80) < 2.5 * steps(40)


def test_text_without_letters_says_to_check_the_original(tmp_path: Path):
    with pytest.raises(NoText) as refused:
        parsed(tmp_path, "n.txt", " \n\t\n ")
    assert "Comprueba el original" in str(refused.value.user_message)
