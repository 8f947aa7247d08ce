"""Who edits, and a course to edit."""

import pytest

from courses.models import Course, Lesson, LessonSource, Module
from skillnet.tenancy import organization_scope
from tests.db.course_editing.editing import LONG_AGO, TEXT, lesson_named
from tests.factories import make_document


@pytest.fixture
def admin(client_for, admin_membership):
    return client_for(admin_membership)


@pytest.fixture
def document(organization):
    return make_document(organization, "Manual", TEXT)


@pytest.fixture
def course(organization, document):
    """Two modules of two lessons; the first lesson rests on «Caja» and all below it."""
    owned = {"organization": organization}
    with organization_scope(organization.pk):
        course = Course.objects.create(title="Tienda", slug="tienda", **owned)
        for at_module in range(2):
            module = Module.objects.create(course=course, title=f"M{at_module}", position=at_module, **owned)
            for at_lesson in range(2):
                title = f"L{at_module}{at_lesson}"
                Lesson.objects.create(
                    module=module, title=title, content="Texto", position=at_lesson, changed_at=LONG_AGO, **owned
                )
        first = Lesson.objects.get(title="L00")
        LessonSource.objects.create(lesson=first, document=document, heading_path=["Caja"], page=1, **owned)
        return course


@pytest.fixture
def lesson(organization, course):
    return lesson_named(organization, "L00")


@pytest.fixture
def source(organization, lesson):
    with organization_scope(organization.pk):
        return lesson.sources.get()
