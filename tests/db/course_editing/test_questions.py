"""Questions, approved only with their passage."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from courses.quiz_forms import passage_key
from skillnet.tenancy import organization_scope
from tests.db.course_editing.editing import TEXT, address, make_item, posted, reviewed
from tests.factories import make_document


def test_a_question_is_approved_with_its_passage_in_the_lessons_sources(admin, organization, document, lesson):
    item = make_item(organization, lesson, document)
    assert "Por revisar" in admin.get(address("edit_quiz", lesson.pk)).content.decode()
    admin.post(address("approve_question", item.pk))
    assert reviewed(organization, item)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"quote": "El fondo es de 500 euros."}, "palabra por palabra"),
        ({"quote": ""}, "palabra por palabra"),
        ({"heading_path": ["Alarma"], "quote": "El código caduca."}, "no está entre las fuentes"),
        ({"options": ["200 euros", "200  EUROS"]}, "dicen lo mismo"),
        ({"answer": [5]}, "cuál es la respuesta correcta"),
        ({"options": ["200 euros"]}, "entre 2 y 8"),
        ({"kind": "order", "options": ["Abrir", "abrir"], "answer": []}, "dicen lo mismo"),
        ({"kind": "fill", "options": [], "answer": [" "]}, "al menos una respuesta"),
    ],
)
def test_an_unsound_question_is_not_approved(admin, organization, document, lesson, fields, why):
    item = make_item(organization, lesson, document, **fields)
    assert why in admin.post(address("approve_question", item.pk), follow=True).content.decode()
    assert not reviewed(organization, item)


def test_all_are_approved_but_those_with_something_to_mend(admin, organization, document, lesson):
    good, bad = make_item(organization, lesson, document), make_item(organization, lesson, document, quote="Inventado")
    assert "¿Aprobar todas" in admin.get(address("approve_all", lesson.pk)).content.decode()
    html = admin.post(address("approve_all", lesson.pk), follow=True).content.decode()
    assert "1 pregunta aprobada." in html
    assert "1 pregunta sigue por revisar" in html
    assert reviewed(organization, good)
    assert not reviewed(organization, bad)


GONE = "Su pasaje ya no está en el documento"


def test_a_question_whose_passage_left_the_document_is_marked_and_left_out_of_approving_all(
    admin, organization, document, lesson
):
    outdated = make_item(organization, lesson, document)
    sound = make_item(
        organization, lesson, document, question="¿Cuándo abre?", heading_path=["Caja"], quote="se abre a las 8:50."
    )
    assert GONE not in admin.get(address("edit_quiz", lesson.pk)).text
    make_document(organization, text=TEXT.replace("200 euros", "300 euros"), version_of=document)
    assert admin.get(address("edit_quiz", lesson.pk)).text.count(GONE) == 1
    asked = admin.get(address("approve_all", lesson.pk)).text
    to_approve, left_out = asked.split("1 pregunta se queda fuera")
    assert sound.question in to_approve
    assert outdated.question not in to_approve
    assert outdated.question in left_out
    admin.post(address("approve_all", lesson.pk))
    assert reviewed(organization, sound)
    refused = admin.post(address("approve_question", outdated.pk), follow=True).text
    assert "palabra por palabra" in refused
    assert not reviewed(organization, outdated)


def test_a_question_whose_section_left_the_document_is_marked(admin, organization, document, lesson):
    make_item(organization, lesson, document)
    make_item(organization, lesson, document, heading_path=["Alarma"], quote="El código caduca.")  # never taught here
    text = "# Caja\nLa caja se abre a las 8:50.\n# Alarma\nEl código caduca."
    make_document(organization, text=text, version_of=document)
    assert admin.get(address("edit_quiz", lesson.pk)).text.count(GONE) == 1


def test_nothing_is_offered_to_approve_when_every_question_has_something_to_mend(admin, organization, document, lesson):
    make_item(organization, lesson, document, quote="Inventado")
    assert address("approve_all", lesson.pk) not in admin.get(address("edit_quiz", lesson.pk)).text
    asked = admin.get(address("approve_all", lesson.pk)).text
    assert "1 pregunta se queda fuera" in asked
    assert 'type="submit">' not in asked.split("<h1")[1].split("</main>")[0]


@pytest.mark.parametrize("count", [1, 6])
def test_each_document_is_read_once_however_many_questions_it_has(admin, organization, document, lesson, count):
    for _number in range(count):
        make_item(organization, lesson, document)
    with CaptureQueriesContext(connection) as queries:
        admin.get(address("edit_quiz", lesson.pk))
    assert sum("documents_parsedcontent" in query["sql"] for query in queries) == 1


@pytest.mark.parametrize(
    ("kind", "fields", "stored"),
    [
        ("single_choice", {"option_0": "100", "option_1": "200", "option_2": "", "right": 1}, (["100", "200"], [1])),
        ("order", {"lines": "Abrir\nContar"}, (["Abrir", "Contar"], [])),
        ("fill", {"lines": "200\ndoscientos"}, ([], ["200", "doscientos"])),
    ],
)
def test_questions_of_each_kind_are_written_by_hand(admin, organization, document, lesson, kind, fields, stored):
    data = {
        "question": "¿De cuánto es el fondo?",
        "quote": "El fondo es  de 200 euros.",
        "passage": passage_key(document.pk, ["Caja", "Cambio"]),
    }
    assert admin.post(address("create_question", lesson.pk, kind), data | fields).status_code == 302
    with organization_scope(organization.pk):
        item = lesson.quiz_items.get()
        assert (item.options, item.answer) == stored
        assert (item.is_reviewed, item.page, item.heading_path) == (True, 2, ["Caja", "Cambio"])
    assert admin.get(address("edit_question", item.pk)).status_code == 200


def test_a_question_whose_passage_was_made_up_is_not_saved(admin, organization, document, lesson):
    data = {
        "question": "¿?",
        "quote": "El fondo es de 900 euros.",
        "passage": passage_key(document.pk, ["Caja", "Cambio"]),
        "lines": "900",
    }
    response = admin.post(address("create_question", lesson.pk, "fill"), data)
    assert response.status_code == 422
    assert "palabra por palabra" in response.content.decode()
    with organization_scope(organization.pk):
        assert not lesson.quiz_items.exists()


def test_questions_go_back_to_review_when_their_section_is_no_longer_taught(
    admin, organization, document, lesson, source
):
    item = make_item(organization, lesson, document, is_reviewed=True)
    data = posted(lesson, source, **{"sources-0-section": '["Alarma"]'})
    html = admin.post(address("edit_lesson", lesson.pk), data, follow=True).content.decode()
    assert "vuelve a estar por revisar" in html
    assert not reviewed(organization, item)
