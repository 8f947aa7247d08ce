"""Courses, modules and lessons to write. Plain forms: each works without scripts."""

from django.contrib import messages
from django.db.models import Model
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from courses.access import open_courses
from courses.forms import CourseForm, LessonForm, LessonSourceFormSet, ModuleForm
from courses.models import Course, Lesson, LessonSource, Module
from documents.models import Document
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.models import MANAGERS


def _course(request: OrganizationRequest, course_id: int) -> Course:
    found: Course = get_object_or_404(open_courses(request), pk=course_id)
    return found


def _module(request: OrganizationRequest, module_id: int) -> Module:
    modules = Module.objects.for_organization(request.organization).select_related("course")
    found: Module = get_object_or_404(modules, pk=module_id)
    return found


def _lesson(request: OrganizationRequest, lesson_id: int) -> Lesson:
    lessons = Lesson.objects.for_organization(request.organization).select_related("module__course")
    found: Lesson = get_object_or_404(lessons, pk=lesson_id)
    return found


def _to_course(request: OrganizationRequest, course: Course) -> HttpResponse:
    messages.success(request, _("Guardado."))
    return redirect("courses:detail", request.organization.slug, course.pk)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def create(request: OrganizationRequest) -> HttpResponse:
    """A new course."""
    return _edit_course(request, None)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def edit(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """What a course is called, is about and who takes it."""
    return _edit_course(request, _course(request, course_id))


def _edit_course(request: OrganizationRequest, course: Course | None) -> HttpResponse:
    form = CourseForm(
        request.POST or None,
        instance=course,
        organization=request.organization,
        documents=Document.objects.open_to(request.membership),
    )
    if request.method == "POST" and form.is_valid():
        return _to_course(request, form.save())
    status = 422 if form.is_bound else 200
    return render(request, "courses/edit.html", {"form": form, "course": course}, status=status)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def delete(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """Ask, then delete a course."""
    course = _course(request, course_id)
    if request.method != "POST":
        cancel = reverse("courses:detail", args=[request.organization.slug, course.pk])
        return _confirm(request, course, cancel)
    audit.record(request.organization, request.user, audit.Action.COURSE_DELETED, course.title)
    course.delete()
    messages.success(request, _("El curso se ha borrado. Sus documentos siguen donde estaban."))
    return redirect("courses:list", request.organization.slug)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def create_module(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """A new module at the end of a course."""
    return _edit_module(request, _course(request, course_id), None)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def edit_module(request: OrganizationRequest, module_id: int) -> HttpResponse:
    """What a module is called and about."""
    module = _module(request, module_id)
    return _edit_module(request, module.course, module)


def _edit_module(request: OrganizationRequest, course: Course, module: Module | None) -> HttpResponse:
    form = ModuleForm(request.POST or None, instance=module)
    if request.method == "POST" and form.is_valid():
        form.save_in(course)
        return _to_course(request, course)
    status = 422 if form.is_bound else 200
    context = {"form": form, "course": course, "module": module}
    return render(request, "courses/edit_module.html", context, status=status)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def delete_module(request: OrganizationRequest, module_id: int) -> HttpResponse:
    """Ask, then delete a module with its lessons."""
    module = _module(request, module_id)
    return _delete_part(request, module, module.course)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def create_lesson(request: OrganizationRequest, module_id: int) -> HttpResponse:
    """A new lesson at the end of a module."""
    return _edit_lesson(request, _module(request, module_id), None)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def edit_lesson(request: OrganizationRequest, lesson_id: int) -> HttpResponse:
    """What a lesson says and rests on."""
    lesson = _lesson(request, lesson_id)
    return _edit_lesson(request, lesson.module, lesson)


def _edit_lesson(request: OrganizationRequest, module: Module, lesson: Lesson | None) -> HttpResponse:
    form = LessonForm(request.POST or None, instance=lesson)
    documents = Document.objects.open_to(request.membership)
    sources = LessonSourceFormSet(
        request.POST or None,
        instance=lesson,
        queryset=LessonSource.objects.filter(document__in=documents),
        form_kwargs={"documents": documents},
    )
    if request.method == "POST" and form.is_valid() and sources.is_valid():
        sources.instance = form.save_in(module)
        for source in sources.save(commit=False):
            source.organization = request.organization
            source.save()
        for source in sources.deleted_objects:
            source.delete()
        messages.success(request, _("Guardado."))
        return redirect("courses:lesson", request.organization.slug, sources.instance.pk)
    status = 422 if form.is_bound else 200
    context = {"form": form, "sources": sources, "module": module, "course": module.course, "lesson": lesson}
    return render(request, "courses/edit_lesson.html", context, status=status)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def delete_lesson(request: OrganizationRequest, lesson_id: int) -> HttpResponse:
    """Ask, then delete a lesson."""
    lesson = _lesson(request, lesson_id)
    return _delete_part(request, lesson, lesson.module.course)


def _delete_part(request: OrganizationRequest, part: Module | Lesson, course: Course) -> HttpResponse:
    back = reverse("courses:detail", args=[request.organization.slug, course.pk])
    if request.method != "POST":
        return _confirm(request, part, back)
    part.delete()
    messages.success(request, _("Borrado."))
    return redirect(back)


def _confirm(request: OrganizationRequest, what: Model, cancel: str) -> HttpResponse:
    return render(request, "courses/confirm_delete.html", {"what": what, "cancel": cancel})
