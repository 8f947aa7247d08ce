"""Courses to be taken again, and people who have taken them, put into the stack as data: a year is not waited for."""

from courses.demo import content
from tests.e2e.stack import Stack

LESSONS = ("Recoger las llaves", "Devolver las llaves")

_IN_SCOPE = f"""
from datetime import timedelta
from django.utils import timezone
from courses import enrolling, reminders
from courses.models import Completion, Course, CourseDocument, Enrolment, Lesson, LessonSource, Module
from documents.models import Document
from skillnet.models import Membership, Organization, Role, User
from skillnet.tenancy import organization_scope
organization = Organization.objects.get(slug={content.ORGANIZATION.slug!r})
own = dict(organization=organization)
with organization_scope(organization.pk):
"""
_ENROL = """
    user = User.objects.create_user({email!r}, {password!r}, first_name="Elena", last_name="Ríos")
    Membership.objects.create(user=user, role=Role.EMPLOYEE, **own)
    course = Course.objects.create(title={title!r}, slug={slug!r}, status="published", **{rules!r}, **own)
    module = Module.objects.create(course=course, title="Llaves", position=0, **own)
    for position, name in enumerate({lessons!r}):
        Lesson.objects.create(module=module, title=name, content=name + ".", position=position, **own)
    for document in Document.objects.filter(title={manual!r}):
        CourseDocument.objects.create(course=course, document=document, **own)
        path = [document.title]
        LessonSource.objects.create(lesson=Lesson.objects.get(title={lessons!r}[0], module=module), document=document,
                                    heading_path=path, **own)
    enrolling.enrol(course=course, user_ids=[user.pk])
"""
_A_YEAR_LATER = """
    year = timedelta(days=366)
    enrolment = Enrolment.objects.get(course__title={title!r})
    enrolment.completed_at, enrolment.expires_on = enrolment.completed_at - year, enrolment.expires_on - year
    enrolment.save()
    record = Completion.objects.get(course__title={title!r})
    record.completed_at, record.expires_on = record.completed_at - year, record.expires_on - year
    record.save()
reminders.send_all_pending(organization.pk)
"""


def enrol(stack: Stack, email: str, title: str, *, manual: str = "", **rules: object) -> None:
    """A new employee with a course of two lessons, the first of which teaches the whole of a manual."""
    slug = title.lower().replace(" ", "-")
    values = {"email": email, "title": title, "slug": slug, "manual": manual, "rules": rules}
    stack.manage("shell", "-c", _IN_SCOPE + _ENROL.format(**values, lessons=LESSONS, password=content.PASSWORD))


def let_a_year_pass(stack: Stack, title: str) -> None:
    """Make a finished course a year older, and send what reminders that makes due."""
    stack.manage("shell", "-c", _IN_SCOPE + _A_YEAR_LATER.format(title=title))
