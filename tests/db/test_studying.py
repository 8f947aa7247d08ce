"""Taking a course: who is enrolled, lessons done, quizzes, finishing, reading again."""

from datetime import timedelta

import pytest
from django.utils import timezone

from courses import certificates, enrolling, notices, studying
from courses.models import (
    Completion,
    Course,
    CourseDocument,
    Enrolment,
    Lesson,
    LessonProgress,
    LessonSource,
    Module,
    QuizItem,
    QuizKind,
    UpdateNotice,
)
from skillnet.models import Group, GroupMember, Membership, Organization
from tests.factories import make_document, make_member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scope")]


@pytest.fixture
def course(organization: Organization) -> Course:
    course = Course.objects.create(organization=organization, title="Caja", slug="caja", recertify_months=12)
    module = Module.objects.create(organization=organization, course=course, title="Todo", position=0)
    for position, title in enumerate(("Apertura", "Cierre")):
        Lesson.objects.create(organization=organization, module=module, title=title, content="x", position=position)
    return course


@pytest.fixture
def enrolment(course: Course, employee_membership: Membership) -> Enrolment:
    enrolling.enrol(course=course, user_ids=[employee_membership.user_id])
    return Enrolment.objects.get()


def add_question(lesson: Lesson, *, is_reviewed: bool = True) -> QuizItem:
    return QuizItem.objects.create(
        organization_id=lesson.organization_id,
        lesson=lesson,
        kind=QuizKind.SINGLE_CHOICE,
        question="¿Cuánto fondo hay?",
        options=["100 €", "150 €"],
        answer=[1],
        is_reviewed=is_reviewed,
        position=lesson.quiz_items.count(),
    )


def lessons(course: Course) -> list[Lesson]:
    return list(Lesson.objects.filter(module__course=course).order_by("position"))


def test_only_members_are_enrolled_and_each_once(course, employee_membership, other_organization):
    stranger = make_member(other_organization, "otra@otra.example")
    ids = [employee_membership.user_id, stranger.user_id]
    assert enrolling.enrol(course=course, user_ids=ids) == 1
    assert enrolling.enrol(course=course, user_ids=ids) == 0
    assert [one.user_id for one in Enrolment.objects.all()] == [employee_membership.user_id]


def test_a_group_takes_a_course_and_so_does_who_joins_it_later(course, organization, employee_membership):
    group = Group.objects.create(organization=organization, name="Turno de tarde")
    GroupMember.objects.create(organization=organization, group=group, user=employee_membership.user)
    assignment, _new = enrolling.assign_to_group(course=course, group=group, assigned_by=None, due_days=14)
    late = make_member(organization, "nueva@acme.example")
    GroupMember.objects.create(organization=organization, group=group, user=late.user)
    due = {one.user_id: one.due_on for one in Enrolment.objects.filter(assignment=assignment)}
    assert due == dict.fromkeys((employee_membership.user_id, late.user_id), timezone.localdate() + timedelta(days=14))


def test_ending_an_assignment_keeps_who_has_begun(course, organization, employee_membership):
    group = Group.objects.create(organization=organization, name="Turno de tarde")
    idle = make_member(organization, "quieta@acme.example")
    for user in (employee_membership.user, idle.user):
        GroupMember.objects.create(organization=organization, group=group, user=user)
    assignment, _new = enrolling.assign_to_group(course=course, group=group, assigned_by=None)
    begun = Enrolment.objects.get(user=employee_membership.user)
    studying.mark_done(enrolment=begun, lesson=lessons(course)[0])
    enrolling.withdraw_from_group(assignment)
    assert [one.user_id for one in Enrolment.objects.all()] == [employee_membership.user_id]


def test_the_last_lesson_finishes_the_course_with_a_record_of_what_was_taught(course, enrolment, organization):
    manual = make_document(organization, "Manual de caja")
    CourseDocument.objects.create(organization=organization, course=course, document=manual)
    first, last = lessons(course)
    assert studying.mark_done(enrolment=enrolment, lesson=first).percent == 50
    assert not Completion.objects.exists()
    assert studying.mark_done(enrolment=enrolment, lesson=last).is_complete
    studying.mark_done(enrolment=enrolment, lesson=last)
    record = Completion.objects.get()
    enrolment.refresh_from_db()
    assert (record.course_title, record.user_id, record.percent) == ("Caja", enrolment.user_id, None)
    assert [(one["title"], one["version"]) for one in record.documents] == [("Manual de caja", 1)]
    assert enrolment.completed_at == record.completed_at
    assert enrolment.expires_on == record.expires_on
    assert not studying.is_expired(enrolment)
    assert studying.is_expired(enrolment, today=enrolment.expires_on)


def test_a_record_names_the_version_that_was_learnt_whatever_is_served_later(course, enrolment, organization):
    manual = make_document(organization, "Manual de caja", "# Caja\nSe abre a las nueve.")
    CourseDocument.objects.create(organization=organization, course=course, document=manual)
    first, last = lessons(course)
    LessonSource.objects.create(organization=organization, lesson=first, document=manual, heading_path=["Caja"])
    studying.mark_done(enrolment=enrolment, lesson=first)
    make_document(organization, text="# Caja\nSe abre a las diez.", version_of=manual)
    notice = UpdateNotice.objects.get()  # and the lesson still teaches nine
    studying.mark_done(enrolment=enrolment, lesson=last)
    record = Completion.objects.get()
    assert [one["version"] for one in record.documents] == [1]

    notices.close(notice=notice, closed_by=enrolment.user)
    late = make_member(organization, "nueva@acme.example")
    enrolling.enrol(course=course, user_ids=[late.user_id])
    for lesson in (first, last):
        studying.mark_done(enrolment=Enrolment.objects.get(user=late.user), lesson=lesson)
    record.refresh_from_db()
    assert [one["version"] for one in record.documents] == [1]
    assert "versión 1" in certificates.certificate_of(record).documents[0]
    assert [one["version"] for one in Completion.objects.get(user=late.user).documents] == [2]


def test_a_lesson_with_a_quiz_is_not_done_before_it_is_passed(course, enrolment):
    lesson = lessons(course)[0]
    item = add_question(lesson)
    with pytest.raises(studying.QuizNotPassed):
        studying.mark_done(enrolment=enrolment, lesson=lesson)
    wrong = studying.take_quiz(lesson=lesson, user=enrolment.user, given={item.pk: ["100 €"]})
    assert (wrong.percent, wrong.is_passed) == (0, False)
    right = studying.take_quiz(lesson=lesson, user=enrolment.user, given={item.pk: ["150 €"]})
    assert (right.percent, right.is_passed) == (100, True)
    assert studying.mark_done(enrolment=enrolment, lesson=lesson).done == 1


def test_questions_nobody_has_reviewed_are_never_asked(course, enrolment):
    lesson = lessons(course)[0]
    add_question(lesson, is_reviewed=False)
    assert studying.has_passed(lesson, enrolment)
    with pytest.raises(studying.NoQuiz):
        studying.take_quiz(lesson=lesson, user=enrolment.user, given={})


def test_a_quiz_passed_before_the_lesson_changed_counts_no_more(course, enrolment):
    lesson = lessons(course)[0]
    item = add_question(lesson)
    studying.take_quiz(lesson=lesson, user=enrolment.user, given={item.pk: ["150 €"]})
    lesson.changed_at = timezone.now()
    lesson.save(update_fields=["changed_at"])
    assert not studying.has_passed(lesson, enrolment)


def test_who_has_done_a_lesson_is_asked_to_read_it_again(course, enrolment):
    first, last = lessons(course)
    for lesson in (first, last):
        studying.mark_done(enrolment=enrolment, lesson=lesson)
    assert len(studying.ask_to_reread(first)) == 1
    progress = studying.progress_of(enrolment)
    assert (progress.done, progress.to_reread, progress.percent, progress.is_complete) == (2, 1, 50, False)
    enrolment.refresh_from_db()
    assert enrolment.completed_at is not None  # the course does not ask to be repeated on a change
    assert studying.mark_done(enrolment=enrolment, lesson=first).is_complete
    assert Completion.objects.count() == 1


def test_a_course_repeated_on_change_is_open_again_until_the_lesson_is_read(course, enrolment):
    course.recertify_on_change = True
    course.save()
    first, last = lessons(course)
    for lesson in (first, last):
        studying.mark_done(enrolment=enrolment, lesson=lesson)
    studying.ask_to_reread(first)
    enrolment.refresh_from_db()
    assert enrolment.completed_at is None
    studying.mark_done(enrolment=enrolment, lesson=first)
    assert Completion.objects.count() == 2


def test_starting_again_forgets_the_lessons_and_keeps_the_record(course, enrolment):
    for lesson in lessons(course):
        studying.mark_done(enrolment=enrolment, lesson=lesson)
    enrolment.refresh_from_db()
    studying.restart(enrolment)
    assert not LessonProgress.objects.exists()
    assert Completion.objects.count() == 1
    assert enrolment.completed_at is None
