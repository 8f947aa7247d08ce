"""A manual changes: which courses and lessons are told, and where their sources point afterwards."""

import json
from io import StringIO

import pytest
from django.core.files.base import ContentFile
from django.core.management import call_command

from courses import notices
from courses.models import (
    Course,
    CourseDocument,
    Lesson,
    LessonSource,
    Module,
    NoticeStatus,
    QuizItem,
    QuizKind,
    Resolution,
    TouchedLesson,
    UpdateNotice,
)
from documents import ingestion, services
from documents.models import Document
from skillnet.models import Membership, Organization
from tests.factories import make_document

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scope")]

MANUAL = """# Devoluciones
## Plazo
Se admite la devolución hasta 30 días después de la compra.
## Dinero
Se devuelve por el mismo medio de pago que usó el cliente.
# Garantías
Las garantías de los aparatos duran tres años desde la entrega.
"""


@pytest.fixture
def document(organization: Organization) -> Document:
    return make_document(organization, "Manual de tienda", MANUAL)


@pytest.fixture
def course(organization: Organization, document: Document) -> Course:
    course = Course.objects.create(organization=organization, title="Devoluciones", slug="devoluciones")
    CourseDocument.objects.create(organization=organization, course=course, document=document)
    module = Module.objects.create(organization=organization, course=course, title="Todo", position=0)
    paths = (["Devoluciones", "Plazo"], ["Devoluciones", "Dinero"], ["Garantías"])
    for position, path in enumerate(paths):
        lesson = Lesson.objects.create(
            organization=organization, module=module, title=path[-1], content="Texto", position=position
        )
        LessonSource.objects.create(organization=organization, lesson=lesson, document=document, heading_path=path)
    return course


def change(document: Document, text: str) -> None:
    make_document(Organization.objects.get(pk=document.organization_id), text=text, version_of=document)


def touched_titles(course: Course) -> list[str]:
    return [one.lesson.title for one in TouchedLesson.objects.filter(notice__course=course).order_by("lesson_id")]


def test_a_changed_section_raises_a_notice_that_names_its_lesson_alone(course, document):
    change(document, MANUAL.replace("30 días", "15 días"))
    notice = UpdateNotice.objects.get()
    assert (notice.course, notice.document, notice.status) == (course, document, NoticeStatus.OPEN)
    assert (notice.from_version.number, notice.to_version.number) == (1, 2)
    assert [(one["heading_path"], one["change"]) for one in notice.changes] == [(["Devoluciones", "Plazo"], "edited")]
    assert touched_titles(course) == ["Plazo"]


def test_a_version_that_says_the_same_raises_none(course, document):
    change(document, MANUAL.replace("hasta 30 días", "hasta\n30 días"))
    assert not UpdateNotice.objects.exists()


def test_sections_in_another_order_touch_what_moved(course, document):
    head, money, rest = MANUAL.partition("## Dinero\nSe devuelve por el mismo medio de pago que usó el cliente.\n")
    plan, within = head.split("## Plazo\n")
    change(document, f"{plan}{money}## Plazo\n{within}{rest}")
    kinds = {one["change"] for one in UpdateNotice.objects.get().changes}
    assert kinds == {"moved"}
    assert set(touched_titles(course)) <= {"Plazo", "Dinero"}


def test_a_file_that_cannot_be_read_raises_none_and_leaves_the_older_version(organization, course, document):
    version_id = document.active_version_id
    outcome = services.upload_version(
        document=document, uploaded_by=None, file=ContentFile(b"%PDF-1.7 broken"), name="roto.pdf"
    )
    ingestion.run(organization.pk, outcome.version.pk)
    document.refresh_from_db()
    assert document.active_version_id == version_id
    assert not UpdateNotice.objects.exists()


def test_a_course_on_another_document_hears_nothing(organization, course, document):
    other = make_document(organization, "Manual de cocina", "# Limpieza\nFriega la plancha cada noche.")
    change(other, "# Limpieza\nFriega la plancha dos veces cada noche.")
    assert not UpdateNotice.objects.exists()


def test_sources_and_questions_follow_a_renamed_section(course, document, organization):
    lesson = Lesson.objects.get(title="Plazo")
    item = QuizItem.objects.create(
        organization=organization,
        lesson=lesson,
        kind=QuizKind.FILL,
        question="¿Cuántos días?",
        answer=["30"],
        document=document,
        heading_path=["Devoluciones", "Plazo"],
        quote="hasta 30 días después",
        position=0,
    )
    change(document, MANUAL.replace("## Plazo", "## Cuántos días hay"))
    item.refresh_from_db()
    assert lesson.sources.get().heading_path == item.heading_path == ["Devoluciones", "Cuántos días hay"]
    assert TouchedLesson.objects.get().quiz_item_ids == []
    change(document, MANUAL.replace("## Plazo", "## Cuántos días hay").replace("30 días", "15 días"))
    assert TouchedLesson.objects.get().quiz_item_ids == [item.pk]


def test_a_lesson_whose_heading_vanished_is_marked(course, document):
    change(
        document, MANUAL.replace("# Garantías\nLas garantías de los aparatos duran tres años desde la entrega.\n", "")
    )
    touched = TouchedLesson.objects.get()
    assert (touched.lesson.title, touched.is_orphaned) == ("Garantías", True)
    assert touched.lesson.sources.get().heading_path == ["Garantías"]


def test_a_second_change_widens_the_open_notice_and_opens_what_was_settled(
    course, document, admin_membership: Membership
):
    change(document, MANUAL.replace("30 días", "15 días"))
    notices.resolve(
        touched=TouchedLesson.objects.get(), resolution=Resolution.EDITED, resolved_by=admin_membership.user
    )
    change(document, MANUAL.replace("30 días", "15 días").replace("tres años", "dos años"))
    notice = UpdateNotice.objects.get()
    assert (notice.from_version.number, notice.to_version.number) == (1, 3)
    assert {one.lesson.title: one.resolution for one in notice.touched_lessons.all()} == {
        "Plazo": Resolution.EDITED,
        "Garantías": Resolution.OPEN,
    }
    change(document, MANUAL.replace("30 días", "10 días").replace("tres años", "dos años"))
    assert notice.touched_lessons.get(lesson__title="Plazo").resolution == Resolution.OPEN


def test_coming_back_to_what_was_said_before_withdraws_the_notice(course, document):
    change(document, MANUAL.replace("30 días", "15 días"))
    assert UpdateNotice.objects.count() == 1
    change(document, MANUAL + "\n")
    assert not UpdateNotice.objects.exists()


def test_a_closed_notice_stays_and_the_next_change_raises_another(course, document, admin_membership: Membership):
    change(document, MANUAL.replace("30 días", "15 días"))
    UpdateNotice.objects.update(dropped_questions=["¿Y mis 30 días?"])
    notices.close(notice=UpdateNotice.objects.get(), closed_by=admin_membership.user)
    assert UpdateNotice.objects.get().dropped_questions == []  # what somebody asked goes when it is of no use
    change(document, MANUAL.replace("30 días", "10 días"))
    assert list(UpdateNotice.objects.order_by("pk").values_list("status", "from_version__number")) == [
        (NoticeStatus.CLOSED, 1),
        (NoticeStatus.OPEN, 2),
    ]


def test_the_command_prints_notices_with_their_changes_and_lessons(course, document):
    change(document, MANUAL.replace("## Plazo", "## Cuántos días hay"))
    out = StringIO()
    call_command("notices", org=course.organization.slug, json=True, stdout=out)
    [notice] = json.loads(out.getvalue())["notices"]
    assert (notice["course"], notice["document"], notice["status"]) == ("devoluciones", "Manual de tienda", "open")
    assert (notice["from_version"], notice["to_version"]) == (1, 2)
    assert [one["change"] for one in notice["changes"]] == ["renamed"]
    assert [one["title"] for one in notice["lessons"]] == ["Plazo"]
