import pytest

from documents.cleaning import clean_code, clean_file_name, clean_line, clean_text, is_page_counter


def test_decomposed_accents_become_single_letters():
    assert clean_line("Devolucio\u0301n de man\u0303ana") == "Devolución de mañana"


def test_ligatures_soft_hyphens_and_control_characters_leave_plain_words():
    assert clean_line("o\ufb01cina\x00 de\u00advolu\u200bción \ufb02uida") == "oficina devolución fluida"


def test_symbol_font_bullets_become_bullets():
    assert clean_line("\uf0b7 Casco\ue123") == "• Casco"


def test_spaces_fold_and_empty_lines_are_at_most_one():
    assert clean_text("Uno\t  dos\u00a0tres\r\n\r\n\r\n\r\nfin") == "Uno dos tres\n\nfin"


@pytest.mark.parametrize("line", ["Página 3", "- Página 3 de 10 -", "Page 3 of 10", "3/10", "Pág. 7", "4 de 12"])
def test_page_counters_are_recognized_and_dropped(line: str):
    assert is_page_counter(line)
    assert clean_text(f"antes\n{line}\ndespués") == "antes\ndespués"


@pytest.mark.parametrize("line", ["Página web de la tienda", "3 de mayo", "24/7 abierto", "Page1", "12,5 de 20"])
def test_sentences_with_numbers_are_no_page_counters(line: str):
    assert not is_page_counter(line)


def test_code_keeps_its_indentation():
    assert clean_code("si x:\n    imprime  x\n") == "si x:\n    imprime  x"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("../../etc/pass\x00wd.pdf", "passwd.pdf"),
        (r"C:\docs\Manual de caja.docx", "Manual de caja.docx"),
        ("  .. ", "documento"),
        ('in"forme<1>.txt', "informe1.txt"),
    ],
)
def test_file_names_lose_folders_and_forbidden_characters(name: str, expected: str):
    assert clean_file_name(name) == expected


def test_long_file_names_keep_their_extension():
    short = clean_file_name("a" * 400 + ".docx")
    assert len(short) == 150
    assert short.endswith(".docx")
