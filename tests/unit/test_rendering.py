"""Answers as HTML."""

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
