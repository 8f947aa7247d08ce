"""Courses and lessons to study."""

from django.core.paginator import Paginator
from django.db.models import Count, Prefetch
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from courses.models import Course, CourseQuerySet, Lesson, LessonSource, Module
from documents.models import Document
from skillnet.access import OrganizationRequest, organization_view

COURSES_A_PAGE = 24


def open_courses(request: OrganizationRequest) -> CourseQuerySet:
    """The courses that the person asking may open."""
    courses: CourseQuerySet = Course.objects.for_organization(request.organization)
    return courses.open_to(request.membership)


@require_GET
@organization_view()
def course_list(request: OrganizationRequest) -> HttpResponse:
    """All courses for those who manage them; one's own for an employee."""
    courses = (
        open_courses(request)
        .select_related("draft")
        .annotate(
            lesson_count=Count("modules__lessons", distinct=True),
            enrolled_count=Count("enrolments", distinct=True),
        )
        .with_open_notices()
        .order_by("title", "pk")
    )
    page = Paginator(courses, COURSES_A_PAGE).get_page(request.GET.get("pagina"))
    template = "courses/list.html" if request.membership.manages else "courses/my_courses.html"
    return render(request, template, {"page": page})


@require_GET
@organization_view()
def detail(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """What a course teaches, and from which documents."""
    modules = Module.objects.order_by("position", "pk").prefetch_related(
        Prefetch("lessons", Lesson.objects.defer("content").order_by("position", "pk"))
    )
    courses = open_courses(request).with_open_notices().prefetch_related(Prefetch("modules", modules))
    course = get_object_or_404(courses, pk=course_id)
    lessons = [lesson for module in course.modules.all() for lesson in module.lessons.all()]
    context = {
        "course": course,
        "modules": course.modules.all(),
        "first_lesson": lessons[0] if lessons else None,
        "documents": Document.objects.open_to(request.membership)
        .filter(course_documents__course=course)
        .order_by("title"),
        "enrolled_count": course.enrolments.count() if request.membership.manages else 0,
        "open_notices": course.notices.open().select_related("document") if request.membership.manages else (),
    }
    return render(request, "courses/detail.html", context)


@require_GET
@organization_view()
def lesson(request: OrganizationRequest, lesson_id: int) -> HttpResponse:
    """One lesson with its sources and its neighbours."""
    found = get_object_or_404(
        Lesson.objects.for_organization(request.organization).select_related("module__course"),
        pk=lesson_id,
        module__course__in=open_courses(request),
    )
    course = found.module.course
    order = list(
        Lesson.objects.filter(module__course=course)
        .defer("content")
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
    }
    return render(request, "courses/lesson.html", context)
