import pytest

from courses.models import Course, CourseDocument
from documents.access import ADMINISTRATION
from retrieval import registry
from retrieval.pipeline import search
from retrieval.types import SearchScope, Section
from skillnet.tenancy import organization_scope
from tests.factories import make_document

pytestmark = pytest.mark.django_db

LONG = "Conviene leerlo despacio antes de empezar el turno de trabajo en la tienda. " * 6
OVEN = f"# Horno\nEl horno se limpia cada noche con agua templada. {LONG}\n# Caja\nLa caja se cuenta cada noche. {LONG}"


@pytest.fixture
def oven(organization):
    return make_document(organization, "Manual", OVEN)


@pytest.fixture
def course(organization, oven):
    with organization_scope(organization.pk):
        course = Course.objects.create(organization=organization, title="Curso", slug="curso")
        CourseDocument.objects.create(organization=organization, course=course, document=oven)
        return course


def ask(organization, question, **filters):
    with organization_scope(organization.pk):
        return search(question, SearchScope(organization.pk, ADMINISTRATION, **filters))


def headings(result):
    return [passage.heading_path for passage in result.passages]


@pytest.fixture
def tree(monkeypatch):
    def says(*sections):
        monkeypatch.setattr(registry, "_navigations", [lambda *_question: registry.Guidance(tree=sections)])

    return says


def test_a_course_is_searched_where_its_tree_points(organization, oven, course, tree):
    tree(Section(("Caja",), oven.pk))
    result = ask(organization, "¿cuándo se cuenta la caja?", course_id=course.pk)
    assert headings(result)[0] == ("Caja",)
    assert (result.rung, result.trace["route"]) == ("course_tree", "course_tree")


def test_where_the_tree_leads_astray_the_whole_course_is_searched(organization, oven, course, tree):
    tree(Section(("Caja",), oven.pk))
    result = ask(organization, "horno agua templada", course_id=course.pk)
    assert headings(result)[0] == ("Horno",)
    assert result.rung != "course_tree"


def test_a_tree_that_says_nothing_changes_nothing(organization, oven, course, tree):
    before = ask(organization, "horno agua templada", course_id=course.pk)
    tree()
    assert ask(organization, "horno agua templada", course_id=course.pk).passages == before.passages


def test_a_short_document_alone_is_read_as_a_whole(organization, oven):
    result = ask(organization, "horno", document_ids=(oven.pk,))
    assert (result.rung, result.trace["route"]) == ("full_text", "full_text")
    assert len(result.passages) == 2
    assert ask(organization, "horno").rung == "chunks"


@pytest.mark.parametrize(
    ("question", "route"), [('¿qué es la "caja fuerte"?', "exact"), ("E-4711", "exact"), ("caja", "across")]
)
def test_the_trace_names_the_route(organization, oven, question, route):
    assert ask(organization, question).trace["route"] == route


def test_nothing_found_is_no_rung(organization):
    assert ask(organization, "horno").rung == "none"
