"""The tutor's pages: asking, reading, sources, and who may see them."""

import re
import uuid
from collections.abc import Callable
from typing import Any

import pymupdf
import pytest
from django.test import Client
from django.urls import reverse

from courses.models import Course, CourseDocument, CourseStatus, Enrolment, Lesson, LessonSource, Module
from documents.models import Document, DocumentVersion, Status
from skillnet.models import Classification, Membership, Organization
from skillnet.tenancy import organization_scope
from tests import factories
from tutor import services
from tutor.models import Citation, Conversation, Turn, TurnStatus

LogIn = Callable[[Membership], Client]
QUESTION = "¿Cuántos días naturales hay para devolver un producto no alimentario?"
MANUAL = """
# Plazos
El cliente dispone de 30 días naturales para devolver un producto no alimentario con su tique.
[p2]
# Caja
El arqueo de la caja se hace dos veces al día, antes de abrir y después de cerrar la tienda.
"""

pytestmark = pytest.mark.django_db


@pytest.fixture
def manual(organization: Organization) -> Document:
    return factories.make_document(organization, "Manual de devoluciones", MANUAL)


def form_data(question: str = QUESTION, **fields: Any) -> dict[str, Any]:
    return {"question": question, "submission": uuid.uuid4(), "conversation": uuid.uuid4(), **fields}


def turns(organization: Organization) -> list[Turn]:
    with organization_scope(organization.pk):
        return list(Turn.objects.order_by("asked_at"))


def read(response: Any) -> str:
    return b"".join(response.streaming_content).decode()


def answered_turn(client: Client, organization: Organization, question: str = QUESTION) -> Turn:
    """A question asked and answered as a browser with scripts does it."""
    client.post(reverse("tutor:ask", args=[organization.slug]), form_data(question))
    turn = turns(organization)[-1]
    read(client.get(reverse("tutor:stream", args=[organization.slug, turn.pk])))
    return turns(organization)[-1]


def test_a_plain_form_leads_to_the_conversation(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    response = client.post(reverse("tutor:ask", args=["acme"]), form_data())
    (turn,) = turns(organization)
    assert response.status_code == 302
    assert response["Location"] == reverse("tutor:conversation", args=["acme", turn.conversation_id])
    page = client.get(response["Location"]).content.decode()
    assert reverse("tutor:stream", args=["acme", turn.pk]) in page
    assert f'action="{reverse("tutor:answer", args=["acme", turn.pk])}"' in page  # without scripts


def test_the_same_form_sent_twice_makes_one_conversation_with_one_turn(
    client_for: LogIn, employee_membership: Membership, organization: Organization
):
    client, data = client_for(employee_membership), form_data()
    locations = {client.post(reverse("tutor:ask", args=["acme"]), data)["Location"] for _ in range(2)}
    assert len(locations) == 1
    assert len(turns(organization)) == 1


@pytest.mark.parametrize(("question", "message"), [("  \n ", "Escribe tu pregunta."), ("a" * 2001, "caben 2000")])
def test_a_question_that_cannot_be_taken_keeps_its_text_and_says_why(
    client_for: LogIn, employee_membership: Membership, organization: Organization, question: str, message: str
):
    response = client_for(employee_membership).post(reverse("tutor:ask", args=["acme"]), form_data(question))
    assert response.status_code == 422
    page = response.content.decode()
    assert message in page
    assert question.strip() in page
    assert turns(organization) == []


def test_line_breaks_count_once_towards_the_limit(
    client_for: LogIn, employee_membership: Membership, organization: Organization
):
    question = "a\r\n" * 999 + "a"
    response = client_for(employee_membership).post(reverse("tutor:ask", args=["acme"]), form_data(question))
    assert response.status_code == 302


def test_htmx_gets_the_turn_and_a_fresh_form(
    client_for: LogIn, employee_membership: Membership, organization: Organization
):
    client, data = client_for(employee_membership), form_data()
    response = client.post(reverse("tutor:ask", args=["acme"]), data, headers={"HX-Request": "true"})
    page = response.content.decode()
    assert "<html" not in page
    assert f"turn-{turns(organization)[0].pk}" in page
    assert 'hx-swap-oob="outerHTML"' in page
    assert str(data["submission"]) not in page
    assert str(data["conversation"]) in page


def test_htmx_gets_a_refused_form_in_place_of_the_form(
    client_for: LogIn, employee_membership: Membership, organization: Organization
):
    response = client_for(employee_membership).post(
        reverse("tutor:ask", args=["acme"]), form_data(" "), headers={"HX-Request": "true"}
    )
    assert (response.status_code, response["HX-Retarget"], response["HX-Reswap"]) == (422, "#ask", "outerHTML")


def test_an_answer_is_read_with_its_source_and_page(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    with organization_scope(organization.pk):
        cited = Citation.objects.get(turn=turn)
    page = client.get(reverse("tutor:conversation", args=["acme", turn.conversation_id])).content.decode()
    assert "30 días naturales" in page
    assert reverse("tutor:source", args=["acme", cited.pk]) in page
    assert (cited.page, cited.heading_path, cited.number) == (1, ["Plazos"], 1)


def test_the_second_page_is_cited_for_what_stands_there(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    question = "¿Cuántas veces al día se hace el arqueo de la caja?"
    turn = answered_turn(client_for(employee_membership), organization, question)
    with organization_scope(organization.pk):
        assert [cited.page for cited in Citation.objects.filter(turn=turn)] == [2]


def test_a_question_without_evidence_says_so_and_shows_no_source(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    turn = answered_turn(client_for(employee_membership), organization, "¿Qué tiempo hace en Mongolia Exterior?")
    assert turn.answer.startswith("No tengo información sobre esto en los documentos disponibles.")
    assert (turn.evidence, turn.rung, turn.origin) == (False, "none", "none")
    with organization_scope(organization.pk):
        assert not Citation.objects.exists()


def test_without_scripts_the_answer_is_given_by_a_form(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    client.post(reverse("tutor:ask", args=["acme"]), form_data())
    (turn,) = turns(organization)
    page = read(client.post(reverse("tutor:answer", args=["acme", turn.pk])))
    assert reverse("tutor:conversation", args=["acme", turn.conversation_id]) in page
    assert 'rel="icon"' in page
    assert turns(organization)[0].status == TurnStatus.DONE


def test_the_source_shows_its_section_with_the_words_marked(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    with organization_scope(organization.pk):
        cited = Citation.objects.get(turn=turn)
    page = client.get(reverse("tutor:source", args=["acme", cited.pk])).content.decode()
    marked = re.findall(r"<mark>(.*?)</mark>", page, re.DOTALL)
    assert marked == ["El cliente dispone de 30 días naturales para devolver un producto no alimentario con su tique."]
    assert "Manual de devoluciones" in page
    assert "La vigente es" not in page


def test_the_source_of_an_old_version_says_that_there_is_a_newer_one(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    factories.make_document(organization, text=MANUAL.replace("30 días", "15 días"), version_of=manual)
    with organization_scope(organization.pk):
        cited = Citation.objects.get(turn=turn)
    page = client.get(reverse("tutor:source", args=["acme", cited.pk])).content.decode()
    assert "cita la versión 1. La vigente es la 2" in page
    assert "30 días naturales" in page


def test_a_source_that_may_no_longer_be_read_is_not_there(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    with organization_scope(organization.pk):
        cited = Citation.objects.get(turn=turn)
        Document.objects.filter(pk=manual.pk).update(classification=Classification.CONFIDENTIAL)
    for name in ("tutor:source", "tutor:source_image"):
        assert client.get(reverse(name, args=["acme", cited.pk])).status_code == 404


WITHHELD = "Esta respuesta usaba un documento que ya no puedes ver."


def shown(client: Client, turn: Turn) -> list[str]:
    """The answer on its page, and as the last event of its stream."""
    return [
        client.get(reverse("tutor:conversation", args=["acme", turn.conversation_id])).content.decode(),
        read(client.get(reverse("tutor:stream", args=["acme", turn.pk]))),
    ]


def test_an_answer_from_a_document_that_may_no_longer_be_read_is_withheld(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    for page in shown(client, turn):
        assert "30 días naturales" in page
        assert WITHHELD not in page
    with organization_scope(organization.pk):
        Document.objects.filter(pk=manual.pk).update(classification=Classification.CONFIDENTIAL)
    for page in shown(client, turn):
        assert WITHHELD in page
        assert "30 días naturales" not in page
        assert "Manual de devoluciones" not in page
        assert "Fuente" not in page.partition("<footer")[0]
    assert QUESTION in shown(client, turn)[0]  # the person's own words stay


def test_an_answer_is_withheld_when_only_one_of_its_documents_is_out_of_reach(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    secret = factories.make_document(organization, "Nóminas", classification=Classification.CONFIDENTIAL)
    with organization_scope(organization.pk):
        Turn.objects.filter(pk=turn.pk).update(answer="Treinta [Fuente 1] y mil euros [Fuente 2].")
        version = secret.versions.get()
        Citation.objects.create(
            organization=organization, turn=turn, number=2, document=secret, version=version,
            quote="mil euros", passage="mil euros", relevance=0.9,
        )  # fmt: skip
    for page in shown(client, turn):
        assert WITHHELD in page
        assert "mil euros" not in page


def test_an_answer_from_a_deleted_document_is_withheld(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    with organization_scope(organization.pk):
        Document.objects.filter(pk=manual.pk).update(active_version=None)
        Document.objects.get(pk=manual.pk).delete()
    for page in shown(client, turn):
        assert WITHHELD in page
        assert "30 días naturales" not in page


@pytest.mark.parametrize(("relevance", "words"), [(0.95, "alta"), (0.5, "media"), (0.1, "baja")])
def test_a_source_says_how_well_it_fits(
    client_for: LogIn,
    employee_membership: Membership,
    organization: Organization,
    manual: Document,
    relevance: float,
    words: str,
):
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    with organization_scope(organization.pk):
        Citation.objects.update(relevance=relevance)
    assert f"Relevancia {words}" in shown(client, turn)[0]


def test_a_quote_shows_boxes_and_is_stored_word_for_word(
    client_for: LogIn, employee_membership: Membership, organization: Organization
):
    sentence = "El cliente dispone de 30 días naturales para devolver un producto no alimentario."
    factories.make_document(organization, "Plazos", f"# Plazos\n[ ] {sentence}")
    client = client_for(employee_membership)
    turn = answered_turn(client, organization)
    with organization_scope(organization.pk):
        assert Citation.objects.get(turn=turn).quote.startswith("[ ] El cliente")
    page = shown(client, turn)[0]
    assert page.count("☐ El cliente") == 2  # in the answer and in its source
    assert "[ ]" not in page


def test_deleting_a_course_keeps_what_people_asked_in_it(
    client_for: LogIn, employee_membership: Membership, organization: Organization
):
    with organization_scope(organization.pk):
        course = Course.objects.create(organization=organization, title="Higiene", slug="higiene")
        conversation = services.start_conversation(
            organization=organization, user=employee_membership.user, course=course
        )
        services.open_turn(conversation=conversation, question="¿Mi pregunta?", submission=uuid.uuid4())
        course.delete()
    response = client_for(employee_membership).get(reverse("tutor:conversation", args=["acme", conversation.pk]))
    assert "¿Mi pregunta?" in response.content.decode()


def addresses(turn: Turn, citation: Citation, slug: str) -> list[str]:
    return [
        reverse("tutor:conversation", args=[slug, turn.conversation_id]),
        reverse("tutor:stream", args=[slug, turn.pk]),
        reverse("tutor:answer", args=[slug, turn.pk]),
        reverse("tutor:source", args=[slug, citation.pk]),
        reverse("tutor:source_image", args=[slug, citation.pk]),
    ]


def test_nobody_sees_another_persons_conversation_not_even_an_administrator(
    client_for: LogIn,
    employee_membership: Membership,
    admin_membership: Membership,
    organization: Organization,
    manual: Document,
):
    turn = answered_turn(client_for(employee_membership), organization)
    with organization_scope(organization.pk):
        cited = Citation.objects.get(turn=turn)
    stranger = client_for(admin_membership)
    assert {stranger.get(address).status_code for address in addresses(turn, cited, "acme")} == {404}
    intruding = form_data(conversation=turn.conversation_id)
    assert stranger.post(reverse("tutor:ask", args=["acme"]), intruding).status_code == 404
    assert len(turns(organization)) == 1


def test_another_organizations_turn_is_not_there_under_any_address(
    client_for: LogIn,
    employee_membership: Membership,
    organization: Organization,
    other_organization: Organization,
    manual: Document,
):
    turn = answered_turn(client_for(employee_membership), organization)
    with organization_scope(organization.pk):
        cited = Citation.objects.get(turn=turn)
    outsider = client_for(factories.make_member(other_organization, "fuera@otra.example"))
    for slug in ("acme", "otra"):
        assert {outsider.get(address).status_code for address in addresses(turn, cited, slug)} == {404}
    stolen = form_data(conversation=turn.conversation_id)
    assert outsider.post(reverse("tutor:ask", args=["otra"]), stolen).status_code == 404


def test_an_empty_tutor_suggests_questions_about_documents_the_person_may_read(
    client_for: LogIn, employee_membership: Membership, organization: Organization
):
    factories.make_document(organization, "Manual", "# 2.1 Plazos de devolución\nSon 30 días naturales.")
    factories.make_document(
        organization,
        "Nóminas",
        "# Salario de la dirección\nEs alto.",
        classification=Classification.CONFIDENTIAL,
    )
    page = client_for(employee_membership).get(reverse("tutor:home", args=["acme"])).content.decode()
    assert "¿Qué debo saber sobre plazos de devolución?" in page
    assert "Salario" not in page


def test_the_history_lists_the_persons_own_conversations(
    client_for: LogIn, employee_membership: Membership, admin_membership: Membership, organization: Organization
):
    with organization_scope(organization.pk):
        for membership, question in ((employee_membership, "¿Mi pregunta?"), (admin_membership, "¿La del jefe?")):
            conversation = services.start_conversation(organization=organization, user=membership.user)
            services.open_turn(conversation=conversation, question=question, submission=uuid.uuid4())
        assert Conversation.objects.count() == 2
    page = client_for(employee_membership).get(reverse("tutor:home", args=["acme"])).content.decode()
    assert "¿Mi pregunta?" in page
    assert "¿La del jefe?" not in page


def test_a_course_that_the_person_may_not_open_has_no_tutor(
    client_for: LogIn, employee_membership: Membership, organization: Organization
):
    client = client_for(employee_membership)
    for course in ("12345", "x"):
        assert client.get(reverse("tutor:home", args=["acme"]), {"curso": course}).status_code == 404


@pytest.fixture
def printed(organization: Organization, employee_membership: Membership) -> Citation:
    """A citation of page 2 of a drawn PDF of two pages."""
    with pymupdf.open() as file:
        for text in ("Portada", "Arqueo de caja"):
            file.new_page(width=300, height=400).insert_text((40, 80), text)
        content = file.tobytes()
    with organization_scope(organization.pk):
        document = Document.objects.create(organization=organization, title="Impreso")
        version = factories.make_version(document, content, status=Status.READY)
        DocumentVersion.objects.filter(pk=version.pk).update(media_type="application/pdf", page_count=2)
        conversation = services.start_conversation(organization=organization, user=employee_membership.user)
        turn = services.open_turn(conversation=conversation, question="¿Arqueo?", submission=uuid.uuid4())
        return Citation.objects.create(
            organization=organization, turn=turn, number=1, document=document, version=version, page=2,
            locator={"rects": [[40, 70, 120, 84]]}, quote="Arqueo de caja", passage="Arqueo de caja", relevance=0.9,
        )  # fmt: skip


def test_the_cited_page_of_a_pdf_is_shown_with_its_mark_and_others_without(
    client_for: LogIn, employee_membership: Membership, printed: Citation
):
    client = client_for(employee_membership)
    image = reverse("tutor:source_image", args=["acme", printed.pk])
    page = client.get(reverse("tutor:source", args=["acme", printed.pk])).content.decode()
    assert f"{image}?pagina=2" in page
    assert 'rel="prev" href="?pagina=1"' in page
    assert 'rel="next"' not in page

    def has_mark(number: int) -> bool:
        pixels = pymupdf.Pixmap(client.get(image, {"pagina": number}).content)
        x, y = round(100 * pixels.width / 300), round(72 * pixels.height / 400)
        red, _green, blue = pixels.pixel(x, y)
        return bool(blue < red)

    assert (has_mark(2), has_mark(1)) == (True, False)


def test_an_image_kept_by_the_browser_is_shown_only_while_its_document_may_be_read(
    client_for: LogIn, employee_membership: Membership, organization: Organization, printed: Citation
):
    client = client_for(employee_membership)
    url = reverse("tutor:source_image", args=["acme", printed.pk])
    first = client.get(url)
    assert "private" in first["Cache-Control"]
    assert "no-cache" in first["Cache-Control"]
    assert client.get(url, {"pagina": 1})["ETag"] != first["ETag"]
    kept = {"If-None-Match": first["ETag"]}
    assert client.get(url, headers=kept).status_code == 304
    with organization_scope(organization.pk):
        Document.objects.filter(pk=printed.document_id).update(classification=Classification.CONFIDENTIAL)
    assert client.get(url, headers=kept).status_code == 404


@pytest.mark.parametrize("page", ["0", "3", "99999999999999999999"])
def test_a_page_that_the_document_does_not_have_is_not_there(
    client_for: LogIn, employee_membership: Membership, printed: Citation, page: str
):
    response = client_for(employee_membership).get(
        reverse("tutor:source_image", args=["acme", printed.pk]), {"pagina": page}
    )
    assert response.status_code == 404


def test_a_course_is_asked_about_its_own_documents_and_offers_the_library(
    client_for: LogIn, employee_membership: Membership, organization: Organization, manual: Document
):
    other = factories.make_document(organization, "Higiene", "# Manos\nLávate las manos antes de tocar un alimento.")
    with organization_scope(organization.pk):
        course = Course.objects.create(
            organization=organization, title="Higiene", slug="higiene", status=CourseStatus.PUBLISHED
        )
        CourseDocument.objects.create(organization=organization, course=course, document=other)
        Enrolment.objects.create(organization=organization, course=course, user=employee_membership.user)
    client = client_for(employee_membership)
    page = client.get(reverse("tutor:home", args=["acme"]), {"curso": course.pk}).content.decode()
    assert "Preguntar en toda la biblioteca" in page
    client.post(reverse("tutor:ask", args=["acme"]), form_data(curso=course.pk))
    (turn,) = turns(organization)
    shown = read(client.get(reverse("tutor:stream", args=["acme", turn.pk])))
    assert turns(organization)[0].evidence is False
    assert "Preguntar en toda la biblioteca" in shown


@pytest.mark.parametrize("by_script", [True, False])
def test_a_question_sent_after_the_session_expired_waits_in_the_form_unsent(
    client: Client, organization: Organization, employee_membership: Membership, by_script: bool
):
    page = f"http://testserver{reverse('tutor:home', args=['acme'])}"
    headers = {"HX-Request": "true", "HX-Current-URL": page} if by_script else {"Referer": page}
    question = "¿Qué hago si <b>falta</b> el tique?"
    form = {"question": question, "keep_text": "question", "submission": uuid.uuid4(), "conversation": uuid.uuid4()}
    client.post(reverse("tutor:ask", args=["acme"]), form, headers=headers)
    credentials = {"login": employee_membership.user.email, "password": "contraseña-larga-1"}
    client.post(f"{reverse('account_login')}?next={reverse('tutor:home', args=['acme'])}", credentials)
    shown = client.get(reverse("tutor:home", args=["acme"])).content.decode()
    assert "¿Qué hago si &lt;b&gt;falta&lt;/b&gt; el tique?</textarea>" in shown
    assert "falta" not in client.get(reverse("tutor:home", args=["acme"])).content.decode()
    with organization_scope(organization.pk):
        assert not Turn.objects.exists()


def test_another_site_cannot_put_words_into_the_form(
    client: Client, organization: Organization, employee_membership: Membership
):
    form = {"question": "Palabras ajenas", "keep_text": "question"}
    client.post(reverse("tutor:ask", args=["acme"]), form, headers={"Referer": "https://mal.example/"})
    client.force_login(employee_membership.user, backend="django.contrib.auth.backends.ModelBackend")
    assert "Palabras ajenas" not in client.get(reverse("tutor:home", args=["acme"])).content.decode()


@pytest.fixture
def lesson(organization: Organization, employee_membership: Membership, manual: Document) -> Lesson:
    """A lesson that rests on the manual's first section, in a course that the employee takes."""
    with organization_scope(organization.pk):
        course = Course.objects.create(
            organization=organization, title="Devoluciones", slug="devoluciones", status=CourseStatus.PUBLISHED
        )
        CourseDocument.objects.create(organization=organization, course=course, document=manual)
        Enrolment.objects.create(organization=organization, course=course, user=employee_membership.user)
        module = Module.objects.create(organization=organization, course=course, title="Plazos", position=0)
        lesson = Lesson.objects.create(
            organization=organization, module=module, title="Plazos", content="Plazos.", position=0
        )
        LessonSource.objects.create(organization=organization, lesson=lesson, document=manual, heading_path=["Plazos"])
        return lesson


def beside(lesson: Lesson, **fields: Any) -> dict[str, Any]:
    return form_data(curso=lesson.module.course_id, leccion=lesson.pk, **fields)


def shown_answer(client: Client, organization: Organization) -> str:
    return read(client.get(reverse("tutor:stream", args=["acme", turns(organization)[-1].pk])))


def test_a_lesson_has_the_tutor_beside_it_and_a_way_to_it_without_scripts(
    client_for: LogIn, employee_membership: Membership, lesson: Lesson
):
    client = client_for(employee_membership)
    page = client.get(reverse("courses:lesson", args=["acme", lesson.pk])).content.decode()
    assert 'id="lesson-tutor"' in page
    way = f"{reverse('tutor:home', args=['acme'])}?curso={lesson.module.course_id}&amp;leccion={lesson.pk}"
    assert way in page
    alone = client.get(way.replace("&amp;", "&")).content.decode()
    assert f'name="leccion" value="{lesson.pk}"' in alone


def test_an_answer_from_the_open_lesson_says_so(
    client_for: LogIn, employee_membership: Membership, organization: Organization, lesson: Lesson
):
    client = client_for(employee_membership)
    asked = client.post(reverse("tutor:ask", args=["acme"]), beside(lesson), headers={"HX-Request": "true"})
    assert f'name="leccion" value="{lesson.pk}"' in asked.content.decode()  # the next question too
    answer = shown_answer(client, organization)
    assert "Respuesta de esta lección" in answer
    assert "Preguntar en toda la biblioteca" in answer


def test_a_question_of_a_lesson_can_be_asked_of_the_whole_library(
    client_for: LogIn, employee_membership: Membership, organization: Organization, lesson: Lesson
):
    factories.make_document(organization, "Nóminas", "# Nóminas\nLa nómina se paga el último día hábil del mes.")
    client = client_for(employee_membership)
    question = "¿Qué último día hábil se paga la nómina del mes?"
    form = {**beside(lesson), "question": question}
    client.post(reverse("tutor:ask", args=["acme"]), form)
    assert "último día hábil del mes" not in shown_answer(client, organization)
    again = {**form, "submission": uuid.uuid4(), "biblioteca": "true"}
    client.post(reverse("tutor:ask", args=["acme"]), again, headers={"HX-Request": "true"})
    answer = shown_answer(client, organization)
    assert "último día hábil del mes" in answer
    assert "Respuesta de toda la biblioteca" in answer
    assert len({turn.conversation_id for turn in turns(organization)}) == 1


@pytest.mark.parametrize("wrong", ["no-existe", "otra", "sin-curso"])
def test_a_lesson_that_is_not_of_the_course_is_not_found(
    client_for: LogIn, employee_membership: Membership, organization: Organization, lesson: Lesson, wrong: str
):
    query = {"curso": str(lesson.module.course_id), "leccion": str(lesson.pk)}
    query |= {"no-existe": {"leccion": "999999"}, "otra": {"leccion": "9" * 30}, "sin-curso": {"curso": ""}}[wrong]
    client = client_for(employee_membership)
    assert client.get(reverse("tutor:home", args=["acme"]), query).status_code == 404
    if wrong != "otra":
        assert client.post(reverse("tutor:ask", args=["acme"]), form_data(**query)).status_code == 404
    assert turns(organization) == []
