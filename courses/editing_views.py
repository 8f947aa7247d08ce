"""Courses and modules to write, and their lessons to put in order. Plain forms: each works without scripts."""

from django.contrib import messages
from django.db.models import Count, Model, Prefetch, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from courses import structuring, telling
from courses.access import open_courses, open_notices
from courses.drafting import editing
from courses.forms import CourseForm, ModuleForm
from courses.lesson_editing_views import lesson_of
from courses.models import Course, CourseDraft, DraftStatus, Lesson, Module
from documents.models import BY_TITLE, Document
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


def _to_course(request: OrganizationRequest, course: Course) -> HttpResponse:
    messages.success(request, _("Guardado."))
    return redirect("courses:editor", request.organization.slug, course.pk)


@require_GET
@organization_view(*MANAGERS)
def editor(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """A course as a tree of modules and lessons to put in order, with what is left to do before it is published."""
    course = _course(request, course_id)
    lessons = Lesson.objects.defer("content", "composed").order_by("position", "pk")
    lessons = lessons.annotate(
        question_count=Count("quiz_items"), waiting_count=Count("quiz_items", filter=Q(quiz_items__is_reviewed=False))
    )
    modules = list(course.modules.order_by("position", "pk").prefetch_related(Prefetch("lessons", lessons)))
    every = [lesson for module in modules for lesson in module.lessons.all()]
    context = {
        "course": course,
        "modules": modules,
        "first_lesson": every[0] if every else None,
        "last_lesson": every[-1] if every else None,
        "waiting_count": sum(lesson.waiting_count for lesson in every),
        "enrolled_count": course.enrolments.count(),
        "draft": CourseDraft.objects.filter(course=course).exclude(status=DraftStatus.DONE).first(),
        "documents": Document.objects.open_to(request.membership)
        .filter(course_documents__course=course)
        .order_by(*BY_TITLE),
        "open_notices": open_notices(request, course),
    }
    return render(request, "courses/editor.html", context)


@require_POST
@organization_view(*MANAGERS)
def reorder(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """Move one module or lesson of a course."""
    course = _course(request, course_id)
    action, _colon, what = request.POST.get("accion", "").partition(":")
    back = redirect("courses:editor", request.organization.slug, course.pk)

    def change(outline: editing.Outline) -> editing.Outline:
        if action == "mover":
            origin, goal, side = what.split(">")
            place, on = structuring.place_of(outline, origin), structuring.place_of(outline, goal)
            return editing.dropped(outline, place, on, after=side == "despues")
        if action in ("subir", "bajar"):
            return editing.CHANGES[action](outline, structuring.place_of(outline, what))
        raise editing.NoSuchPlace(action)

    try:
        structuring.reorder(course, change)
    except (editing.NoSuchPlace, ValueError):
        messages.error(request, _("Eso no se puede mover ahí. El curso sigue como estaba."))
    else:
        audit.note(request, audit.Action.COURSE_CHANGED, course.title, detail=_("orden de las lecciones"))
    back["Location"] += "#arbol"
    return back


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def create(request: OrganizationRequest) -> HttpResponse:
    """A new course without lessons."""
    return _edit_course(request, None)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def edit(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """What a course is called and is about."""
    return _edit_course(request, _course(request, course_id))


def _edit_course(request: OrganizationRequest, course: Course | None) -> HttpResponse:
    form = CourseForm(
        request.POST or None,
        instance=course,
        organization=request.organization,
        documents=Document.objects.open_to(request.membership),
    )
    if request.method == "POST" and form.is_valid():
        saved = form.save()
        action = audit.Action.COURSE_CHANGED if course else audit.Action.COURSE_CREATED
        audit.note(request, action, saved.title)
        return _to_course(request, saved)
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
    telling.forget_course(course)
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
        audit.note(request, audit.Action.COURSE_CHANGED, course.title, detail=form.save_in(course))
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
def delete_lesson(request: OrganizationRequest, lesson_id: int) -> HttpResponse:
    """Ask, then delete a lesson."""
    lesson = lesson_of(request, lesson_id)
    return _delete_part(request, lesson, lesson.module.course)


def _delete_part(request: OrganizationRequest, part: Module | Lesson, course: Course) -> HttpResponse:
    back = reverse("courses:editor", args=[request.organization.slug, course.pk])
    if request.method != "POST":
        return _confirm(request, part, back)
    audit.note(request, audit.Action.COURSE_PART_DELETED, course.title, detail=part)
    part.delete()
    messages.success(request, _("Borrado."))
    return redirect(back)


def _confirm(request: OrganizationRequest, what: Model, cancel: str) -> HttpResponse:
    return render(request, "courses/confirm_delete.html", {"what": what, "cancel": cancel})
