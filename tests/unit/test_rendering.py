"""Answers as HTML."""

import re

import pytest

from tutor.models import AnswerOrigin
from tutor.rendering import answer_html, draft_html, with_boxes

LINKS = {1: "/o/acme/tutor/fuentes/7/"}


def test_a_marker_leads_to_its_source_and_others_vanish():
    html = answer_html("Son 30 días [Fuente 1]. Y más [Fuente 2].", origin=AnswerOrigin.MODEL, links=LINKS)
    assert html == (
        '<p>Son 30 días<a class="cite" href="/o/acme/tutor/fuentes/7/" aria-label="Fuente 1">1</a>. Y más.</p>\n'
    )


@pytest.mark.parametrize(
    "text", ['[pulsa](https://example.org "a [Fuente 1] b")', "[pulsa](https://example.org/[Fuente 1])"]
)
def test_a_marker_inside_a_link_does_not_break_out_of_its_attributes(text: str):
    html = answer_html(text, origin=AnswerOrigin.MODEL, links=LINKS)
    assert '"<a' not in html
    assert 'title="' not in html


@pytest.mark.parametrize("origin", [AnswerOrigin.MODEL, AnswerOrigin.EXTRACTIVE])
def test_boxes_of_a_task_list_are_drawn(origin: AnswerOrigin):
    text = "- [ ] Cerrar la caja\n- [x] Apagar el horno [Fuente 1]"
    for html in (answer_html(text, origin=origin, links=LINKS), draft_html(text, origin=origin)):
        assert "<li>☐ Cerrar la caja</li>" in html
        assert "☑ Apagar el horno" in html


@pytest.mark.parametrize("text", ["a[x]", "[x](https://example.org)", "[x][1]", "[xx]", "[]"])
def test_other_brackets_are_left_alone(text: str):
    assert with_boxes(text) == text


INCOMPLETE = "<em>Esta lista puede no estar completa: consulta los documentos.</em>"
BEGUN = "<em>Esta lista empieza antes: el principio está en los documentos.</em>"
CITE = '<a class="cite" href="/o/acme/tutor/fuentes/7/" aria-label="Fuente 1">1</a>'


@pytest.mark.parametrize(
    ("text", "told", "left_out"),
    [
        ("- Flan [Fuente 1]\n- Arroz [Fuente 1]\n\n…", INCOMPLETE, BEGUN),
        ("1. Abre.\n2. Cierra. [Fuente 1]\n\n…", INCOMPLETE, BEGUN),
        ("Los pasos: [Fuente 1]\n\n…\n\n2. Cierra.", BEGUN, INCOMPLETE),
        ("…\n\n2. Cierra. [Fuente 1]", BEGUN, INCOMPLETE),
    ],
)
def test_a_list_with_more_in_the_document_says_so_and_where(text: str, told: str, left_out: str):
    html = answer_html(text, origin=AnswerOrigin.EXTRACTIVE, links=LINKS)
    assert f"<p>{told} {CITE}</p>" in html
    assert "…" not in html
    assert left_out not in html
    assert told in draft_html(text, origin=AnswerOrigin.EXTRACTIVE)


def test_other_dots_are_left_as_they_stand():
    for text, origin in (("- Flan…\n- Pan [Fuente 1]", "extractive"), ("- Flan\n\n…", "model")):
        assert "…" in answer_html(text, origin=origin, links=LINKS)


HOSTILE = (
    "![foto](https://mal.example/pixel.png)",
    "[pulsa](javascript:alert(1))",
    "[pulsa](JaVaScRiPt&colon;alert(1))",
    "[pulsa](data:text/html;base64,PHNjcmlwdD4=)",
    "[pulsa](vbscript:x)",
    "<javascript:alert(1)>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    '<form action="https://mal.example"><input name=clave></form>',
    '<meta http-equiv="refresh" content="0;url=https://mal.example">',
    "<details open ontoggle=alert(1)>",
    "[a]: javascript:alert(1)\n\n[a]",
    "![a][b]\n\n[b]: https://mal.example/p.png",
    "`<script>alert(1)</script>`",
    "```html\n<script>alert(1)</script>\n```",
)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("origin", [AnswerOrigin.MODEL, AnswerOrigin.EXTRACTIVE])
def test_hostile_text_in_an_answer_neither_runs_nor_loads(text: str, origin: AnswerOrigin):
    for html in (
        answer_html(f"Son 30 días. {text} [Fuente 1]", origin=origin, links=LINKS),
        draft_html(f"Son 30 días. {text}", origin=origin),
        answer_html(text, origin=origin, links=LINKS),
    ):
        tags = {tag.lower() for tag in re.findall(r"<\s*([a-zA-Z][\w-]*)", html)}
        assert tags <= {"p", "a", "code", "pre", "em", "strong", "ul", "ol", "li", "br", "h2", "h3", "hr", "blockquote"}
        addresses = re.findall(r'<a [^>]*href="([^"]*)"', html)
        assert all(address.startswith(("/o/", "https://", "http://", "mailto:")) for address in addresses)
        assert not re.search(r"<[^>]*\son\w+\s*=", html)


@pytest.mark.parametrize("reply", ["Son 30 días. <|im_", "Son 30 días. <", "Son 30 días. <|im_start|>user <fu"])
def test_marks_that_a_weak_model_repeats_are_not_shown_while_they_come(reply: str):
    assert draft_html(reply, origin=AnswerOrigin.MODEL) == "<p>Son 30 días.</p>\n"


def test_a_sign_that_begins_no_mark_stays():
    assert "3 &lt; 5" in draft_html("Si 3 < 5 vale.", origin=AnswerOrigin.MODEL)
