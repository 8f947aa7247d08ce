"""Courses and lessons to study."""

from datetime import date
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from courses import notices
from courses.access import enrolment_in, open_courses, open_lesson, open_notices
from courses.models import CourseStatus, Enrolment, Lesson, LessonSource, Module, QuizAttempt, QuizItem
from courses.overview import Study, studies_of
from courses.studying import counted_since, has_passed
from documents.models import BY_TITLE, Document
from skillnet.access import OrganizationRequest, organization_view

COURSES_A_PAGE = 24


@require_GET
@organization_view()
def course_list(request: OrganizationRequest) -> HttpResponse:
    """All courses for those who manage them; one's own for an employee."""
    if not request.membership.manages:
        return _my_courses(request)
    courses = (
        open_courses(request)
        .select_related("draft")
        .annotate(
            lesson_count=_count(Lesson.objects.filter(module__course=OuterRef("pk")), "module__course"),
            enrolled_count=_count(Enrolment.objects.filter(course=OuterRef("pk")), "course"),
        )
        .with_open_notices(request.membership)
        .order_by(*BY_TITLE)
    )
    context = {
        "page": Paginator(courses, COURSES_A_PAGE).get_page(request.GET.get("pagina")),
        "takes_courses": _own_enrolments(request).exists(),
    }
    return render(request, "courses/list.html", context)


def _count(rows: QuerySet[Any], of: str) -> Coalesce:
    """How many rows each course has. Joined to the courses, lessons and people would multiply."""
    counted = rows.order_by().values(of).annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted), 0)


def _own_enrolments(request: OrganizationRequest) -> QuerySet[Enrolment]:
    found: QuerySet[Enrolment] = Enrolment.objects.for_organization(request.organization).filter(
        user=request.membership.user_id, course__status=CourseStatus.PUBLISHED
    )
    return found


@require_GET
@organization_view()
def my_courses(request: OrganizationRequest) -> HttpResponse:
    """The courses one takes: first what is to be done, the most pressing before the rest, then what is finished."""
    return _my_courses(request)


def _my_courses(request: OrganizationRequest) -> HttpResponse:
    enrolments = _own_enrolments(request).select_related("course").order_by("course__title", "course_id")
    studies = sorted(studies_of(enrolments), key=_urgency)
    page = Paginator(studies, COURSES_A_PAGE).get_page(request.GET.get("pagina"))
    context = {
        "page": page,
        "to_do": [one for one in page if one.is_pending],
        "finished": [one for one in page if not one.is_pending],
    }
    return render(request, "courses/my_courses.html", context)


def _urgency(study: Study) -> tuple[bool, date, bool]:
    return not study.is_pending, study.enrolment.due_on or date.max, not study.is_begun


@require_GET
@organization_view()
def detail(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """What a course teaches, from which documents, and how far one is."""
    modules = Module.objects.order_by("position", "pk").prefetch_related(
        Prefetch("lessons", Lesson.objects.defer("content", "composed").order_by("position", "pk"))
    )
    asked = QuizItem.objects.asked().filter(lesson__module__course=OuterRef("pk"))
    courses = (
        open_courses(request)
        .select_related("draft")
        .with_open_notices(request.membership)
        .annotate(
            has_quizzes=Exists(asked),
            enrolled_count=_count(Enrolment.objects.filter(course=OuterRef("pk")), "course"),
        )
    )
    courses = courses.prefetch_related(Prefetch("modules", modules))
    course = get_object_or_404(courses, pk=course_id)
    enrolment = enrolment_in(request, course)
    study = studies_of([enrolment])[0] if enrolment is not None else None
    context = {
        "course": course,
        "modules": course.modules.all(),
        "study": study,
        "documents": Document.objects.open_to(request.membership)
        .filter(course_documents__course=course)
        .order_by(*BY_TITLE),
        "enrolled_count": course.enrolled_count if request.membership.manages else 0,
        "open_notices": open_notices(request, course) if request.membership.manages else (),
    }
    return render(request, "courses/detail.html", context)


@require_GET
@organization_view()
def lesson(request: OrganizationRequest, lesson_id: int) -> HttpResponse:
    """One lesson with its sources, its neighbours, and what its reader has done of it."""
    found = open_lesson(request, lesson_id)
    course = found.module.course
    order = list(
        Lesson.objects.filter(module__course=course)
        .defer("content", "composed")
        .order_by("module__position", "module_id", "position", "pk")
    )
    place = order.index(found)
    sources = LessonSource.objects.filter(lesson=found, document__in=Document.objects.open_to(request.membership))
    context = {
        "lesson": found,
        "course": course,
        "sources": sources.select_related("document").order_by("pk"),
        "number": place + 1,
        "total": len(order),
        "previous": order[place - 1] if place else None,
        "next": order[place + 1] if place + 1 < len(order) else None,
        "awaits_review": notices.awaits_review(found),
        "question_count": found.quiz_items.asked().count(),
        **_own_work(request, found),
    }
    return render(request, "courses/lesson.html", context)


def _own_work(request: OrganizationRequest, found: Lesson) -> dict[str, Any]:
    """What the person asking has done of a lesson, where they take its course."""
    enrolment = enrolment_in(request, found.module.course)
    if enrolment is None:
        return {"enrolment": None}
    attempts = QuizAttempt.objects.filter(lesson=found, user=request.membership.user_id)
    progress = enrolment.progress.filter(lesson=found).first()
    return {
        "enrolment": enrolment,
        "progress": progress,
        "is_done": progress is not None and progress.reread_asked_at is None,
        "has_changed": progress is not None and found.changed_at > progress.done_at,
        "has_passed": has_passed(found, enrolment),
        "last_attempt": attempts.filter(taken_at__gte=counted_since(found, enrolment)).first(),
    }
