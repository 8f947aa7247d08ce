"""Markdown becomes HTML that cannot harm."""

import pytest

from skillnet.markup import render_markdown


def test_ordinary_markdown_is_rendered():
    html = render_markdown("# Título\n\nUn **aviso**.\n\n- uno\n- dos\n\n3. tres\n\n| A | B |\n|---|---|\n| 1 | 2 |")
    assert "<h2>Título</h2>" in html
    assert "<strong>aviso</strong>" in html
    assert "<li>uno</li>" in html
    assert '<ol start="3">' in html
    assert "<th>A</th>" in html


def test_each_table_has_a_box_that_scrolls_by_itself_and_takes_the_focus():
    html = render_markdown("Uno `<table>`\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\nDos\n\n| C |\n|---|\n| 3 |")
    assert html.count('tabindex="0"') == html.count('role="region"') == 2
    assert html.count("</table></div>") == 2
    assert html.index("</div>") < html.index("Dos")


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        '<img src=x onerror="alert(1)">',
        "[pulsa](javascript:alert(1))",
        "[pulsa](JaVaScRiPt&#58;alert(1))",
        "[pulsa](data:text/html;base64,PHNjcmlwdD4=)",
        "<javascript:alert(1)>",
        "![foto](https://elsewhere.example/pixel.png)",
        '<a href="https://x.example" onclick="alert(1)">x</a>',
        "<style>body{display:none}</style>",
        '<iframe src="https://x.example"></iframe>',
    ],
)
def test_nothing_that_runs_or_loads_survives(text):
    html = render_markdown(text)
    for dangerous in ("<script", "<img", "<iframe", "<style", "<a href=", 'href="javascript', 'href="data'):
        assert dangerous not in html.lower()


def test_a_link_has_no_title_to_hide_text_in():
    assert "oculto" not in render_markdown('[pulsa](https://example.org "oculto")')


def test_raw_html_is_shown_as_text():
    assert "&lt;b&gt;" in render_markdown("un <b>texto</b>")


def test_links_to_the_web_and_to_own_pages_work_and_pass_nothing_on():
    html = render_markdown("[fuera](https://example.org/a) [dentro](/o/acme/)")
    assert 'href="https://example.org/a"' in html
    assert 'href="/o/acme/"' in html
    assert html.count("noopener") == 2


@pytest.mark.parametrize("marks", ["#", "##", "####"])
def test_the_uppermost_headings_stand_right_below_the_title_of_the_page(marks):
    html = render_markdown(f"{marks} uno\n\n{marks}# dos")
    assert "<h2>uno</h2>" in html
    assert "<h3>dos</h3>" in html


def test_an_image_leaves_its_words():
    assert "foto del TPV" in render_markdown("![foto del TPV](https://elsewhere.example/tpv.png)")
