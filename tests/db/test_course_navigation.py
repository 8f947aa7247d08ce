import json
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from courses import navigation
from courses.models import Course, CourseDocument, Lesson, LessonSource, Module
from documents.access import ADMINISTRATION
from retrieval.pipeline import search
from retrieval.types import SearchScope, Section
from skillnet.backends.fakes import FakeLanguageModel
from skillnet.tenancy import organization_scope
from tests.factories import make_document

pytestmark = pytest.mark.django_db

LONG = "Conviene leerlo despacio antes de empezar el turno de trabajo en la tienda. " * 6
MANUAL = f"""
# Horno
El horno se limpia cada noche con agua templada. {LONG}
# Caja
La caja se cuenta cada noche al cerrar. {LONG}
# Terraza
La terraza se cierra a las diez y la caja del puesto se cuenta cada noche. {LONG}
"""


@pytest.fixture
def manual(organization):
    return make_document(organization, "Manual", MANUAL)


@pytest.fixture
def course(organization, manual):
    return make_course(organization, manual)


def make_course(organization, manual):
    with organization_scope(organization.pk):
        course = Course.objects.create(organization=organization, title="Curso", slug="curso")
        CourseDocument.objects.create(organization=organization, course=course, document=manual)
        module = Module.objects.create(
            organization=organization, course=course, title="Cocina", position=0, goals=["Dejar la cocina lista"]
        )
        for position, (title, content) in enumerate(
            [("Horno", "Cómo se limpia."), ("Caja", "Cómo se cuadra el efectivo."), ("Terraza", "Cuándo se cierra.")]
        ):
            lesson = Lesson.objects.create(
                organization=organization, module=module, title=title, content=content, position=position
            )
            LessonSource.objects.create(organization=organization, lesson=lesson, document=manual, heading_path=[title])
        return course


def lesson_named(course, title):
    return Lesson.objects.get(module__course=course, title=title).pk


def guidance(course, question, lesson_id=None):
    with organization_scope(course.organization_id):
        return navigation.navigate(course.organization_id, course.pk, question, lesson_id)


def titles(sections):
    return [section.heading_path[-1] for section in sections]


def test_the_tree_is_walked_in_two_queries(organization, course):
    with (
        organization_scope(organization.pk),
        CaptureQueriesContext(
            connection,
        ) as queries,
    ):
        navigation.navigate(organization.pk, course.pk, "¿cómo se limpia el horno?", None)
    assert len(queries) == 2


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("¿cómo limpiar los hornos?", "Horno"),
        ("cuadrar el efectivo", "Caja"),
        ("¿cuándo cerramos terrazas?", "Terraza"),
    ],
)
def test_the_words_of_titles_and_texts_name_a_lesson(course, question, title):
    assert titles(guidance(course, question).tree)[0] == title


def test_no_word_in_the_tree_names_no_lesson(course):
    assert guidance(course, "vacaciones").tree == ()


def test_what_the_open_lesson_rests_on_is_told_apart(organization, manual, course):
    with organization_scope(organization.pk):
        opened = lesson_named(course, "Caja")
    found = guidance(course, "horno", opened)
    assert found.lesson == (Section(("Caja",), manual.pk),)
    assert titles(found.tree) == ["Horno"]


def test_a_lesson_of_another_course_is_none(organization, other_organization, course):
    foreign = make_document(other_organization, "Otro", MANUAL)
    other = make_course(other_organization, foreign)
    with organization_scope(other_organization.pk):
        opened = lesson_named(other, "Caja")
    assert guidance(course, "horno", opened).lesson == ()
    with organization_scope(organization.pk):
        assert navigation.navigate(organization.pk, other.pk, "horno", opened).tree == ()


def test_a_source_known_by_its_page_is_searched_on_that_page(organization):
    manual = make_document(organization, "Libre", f"El horno quema. {LONG}\n[p2]\nLa caja se cuenta cada noche. {LONG}")
    scope = SearchScope(organization.pk, ADMINISTRATION, sections=(Section((), manual.pk, page=2),))
    with organization_scope(organization.pk):
        found = search("horno caja", scope).passages
        everywhere = search("horno caja", SearchScope(organization.pk, ADMINISTRATION)).passages
    assert {passage.page_start for passage in found} <= {1, 2}
    assert found
    assert len(found) <= len(everywhere)
    assert all(passage.page_start <= 2 <= passage.page_end for passage in found)


def test_a_section_without_those_below_it_is_its_own_text_alone(organization):
    manual = make_document(
        organization, "Manual", f"# Caja\nLa caja es de todos. {LONG}\n## Arqueo\nLa caja se cuenta cada noche. {LONG}"
    )
    own = Section(("Caja",), manual.pk, with_subsections=False)
    with organization_scope(organization.pk):
        found = search("caja noche", SearchScope(organization.pk, ADMINISTRATION, sections=(own,))).passages
    assert [passage.heading_path for passage in found] == [("Caja",)]


@pytest.mark.parametrize(("opened", "first"), [("Terraza", "Terraza"), ("Caja", "Caja")])
def test_of_two_places_that_answer_the_open_lesson_comes_first(organization, course, opened, first):
    with organization_scope(organization.pk):
        scope = SearchScope(
            organization.pk, ADMINISTRATION, course_id=course.pk, lesson_id=lesson_named(course, opened)
        )
        result = search("¿cuándo se cuenta la caja?", scope)
    assert result.passages[0].heading_path == (first,)
    assert (result.rung, result.trace["route"]) == ("course_tree", "lesson")
    assert len({passage.chunk_id for passage in result.passages}) == len(result.passages) == 3


def test_an_open_lesson_that_says_nothing_of_it_stands_aside(organization, course):
    with organization_scope(organization.pk):
        scope = SearchScope(organization.pk, ADMINISTRATION, course_id=course.pk)
        before = search("horno agua templada", scope)
        beside = SearchScope(
            organization.pk, ADMINISTRATION, course_id=course.pk, lesson_id=lesson_named(course, "Caja")
        )
        result = search("horno agua templada", beside)
    assert result.passages == before.passages
    assert result.trace["route"] == "course_tree"


def chosen_by(model, course, question):
    """Where a course speaks of a question, after a language model has read its tree."""
    with organization_scope(course.organization_id):
        tree = navigation.tree_of(course.organization_id, course.pk)
    lessons = navigation.lessons_by_model(model, question, tree)
    with organization_scope(course.organization_id):
        return titles(navigation.navigate(course.organization_id, course.pk, question, None, lessons).tree)


def test_a_language_model_reads_the_tree_and_names_lessons(course):
    fake = FakeLanguageModel(["Claro: " + json.dumps({"lecciones": ["1.3", "1.1", "9.9"]})])
    assert chosen_by(fake, course, "vacaciones") == ["Terraza", "Horno"]
    assert "1.2 Caja" in fake.requests[0][1].content
    assert "Dejar la cocina lista" in fake.requests[0][1].content


def test_a_module_stands_for_its_lessons(course):
    assert chosen_by(FakeLanguageModel(['{"lecciones": ["1"]}']), course, "vacaciones") == ["Horno", "Caja", "Terraza"]


def test_a_model_that_names_none_is_believed(course):
    assert chosen_by(FakeLanguageModel(['{"lecciones": []}']), course, "horno") == []


@pytest.mark.parametrize(
    "reply", ["", "En la 1.2", "{", '{"lecciones": "todas"}', '{"otra": 1}', '{"lecciones": ["7"]}']
)
def test_a_reply_that_makes_no_sense_is_replaced_by_the_words(course, reply):
    assert chosen_by(FakeLanguageModel([reply]), course, "horno") == ["Horno"]


def test_a_model_that_fails_is_replaced_by_the_words(course):
    assert chosen_by(FakeLanguageModel(["x"], fails_after=0), course, "horno") == ["Horno"]


def test_a_search_begins_in_the_lessons_that_are_known_and_in_none_where_none_is(organization, course):
    scope = SearchScope(organization.pk, ADMINISTRATION, course_id=course.pk)
    with organization_scope(organization.pk):
        ways = [None, (lesson_named(course, "Caja"),), ()]
        results = [search("¿cuándo se cuenta la caja?", replace(scope, lessons=way)) for way in ways]
    assert [result.rung for result in results] == ["course_tree", "course_tree", "full_text"]
