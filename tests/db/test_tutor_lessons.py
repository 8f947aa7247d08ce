"""The tutor of a course, and beside a lesson."""

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from courses.models import Course, CourseDocument, CourseStatus, Enrolment, Lesson, LessonSource, Module
from documents.models import Document
from skillnet.models import Classification, Membership, Organization
from skillnet.tenancy import organization_scope
from tests import factories
from tests.db.asking import LogIn, form_data, read, turns
from tutor import services
from tutor.prepared import matching
from tutor.prepared import services as faq_services

pytestmark = pytest.mark.django_db


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


def test_a_course_that_the_person_may_not_open_has_no_tutor(
    client_for: LogIn, employee_membership: Membership, organization: Organization
):
    client = client_for(employee_membership)
    for course in ("12345", "x"):
        assert client.get(reverse("tutor:home", args=["acme"]), {"curso": course}).status_code == 404


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


def test_an_entry_offered_for_the_whole_library_is_asked_of_the_whole_library(
    client_for: LogIn,
    employee_membership: Membership,
    organization: Organization,
    lesson: Lesson,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(matching, "calibrations", lambda: {"fake": matching.Calibration(related_distance=0.9)})
    with organization_scope(organization.pk):
        faq_services.save_entry(
            organization=organization,
            owner=None,
            questions=["¿Cuándo caduca la tarjeta regalo?"],
            answer="Nunca.",
            classification=Classification.INTERNAL,
            sources=[],
        )
    client = client_for(employee_membership)
    form = {**beside(lesson), "question": "¿Se regalan tarjetas de felicitación cuando caduca la campaña?"}
    offered = {}
    for place in ({}, {"biblioteca": "true"}):
        client.post(reverse("tutor:ask", args=["acme"]), {**form, **place, "submission": uuid.uuid4()})
        offered[bool(place)] = shown_answer(client, organization).split("suggestions__list")[1].split("</ul>")[0]
    assert 'name="biblioteca"' not in offered[False]
    assert 'name="biblioteca" value="true"' in offered[True]


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
