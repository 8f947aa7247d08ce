"""A lesson to write: Markdown with a preview, and the sections of documents it rests on. Works without scripts."""

import re
from typing import Any

from django.contrib import messages
from django.db.models import Prefetch
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from courses import notices, quiz_editing
from courses.lesson_forms import LessonForm, LessonSourceForm, LessonSourceFormSet
from courses.models import Lesson, LessonSource, Module, NoticeStatus, Resolution, TouchedLesson
from documents.models import Document
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.models import MANAGERS

LONGEST_PREVIEW = 100_000  # letters

_PREFIX = re.compile(r"^sources-\d{1,3}$")


def lesson_of(request: OrganizationRequest, lesson_id: int) -> Lesson:
    """A lesson of the organization, with its course. Raises: Http404."""
    lessons = Lesson.objects.for_organization(request.organization).select_related("module__course")
    found: Lesson = get_object_or_404(lessons, pk=lesson_id)
    return found


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def create_lesson(request: OrganizationRequest, module_id: int) -> HttpResponse:
    """A new lesson at the end of a module."""
    modules = Module.objects.for_organization(request.organization).select_related("course")
    return _edit(request, get_object_or_404(modules, pk=module_id), None)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def edit_lesson(request: OrganizationRequest, lesson_id: int) -> HttpResponse:
    """What a lesson says and rests on."""
    lesson = lesson_of(request, lesson_id)
    return _edit(request, lesson.module, lesson)


def _edit(request: OrganizationRequest, module: Module, lesson: Lesson | None) -> HttpResponse:
    form = LessonForm(request.POST or None, instance=lesson)
    documents = Document.objects.open_to(request.membership)
    sources = LessonSourceFormSet(
        request.POST or None,
        instance=lesson,
        queryset=LessonSource.objects.filter(document__in=documents).order_by("pk"),
        form_kwargs={"documents": documents},
    )
    asked = request.POST.get("accion", "guardar")
    is_saved = request.method == "POST" and asked == "guardar"
    if is_saved and form.is_valid() and sources.is_valid():
        saved = _save(request, module, form, sources)
        return redirect("courses:lesson", request.organization.slug, saved.pk)
    context = {
        "form": form,
        "sources": sources,
        "module": module,
        "course": module.course,
        "lesson": lesson,
        "modules": _tree(module.course_id),
        "preview": form["content"].value() or "",
        "touched": _touched(request, lesson) if lesson else (),
        "question_count": lesson.quiz_items.count() if lesson else 0,
    }
    return render(request, "courses/edit_lesson.html", context, status=422 if is_saved else 200)


def _save(request: OrganizationRequest, module: Module, form: LessonForm, sources: Any) -> Lesson:
    lesson: Lesson = form.save_in(module)
    sources.instance = lesson
    for source in sources.save(commit=False):
        source.organization = request.organization
        source.lesson = lesson
        source.save()
    for source in sources.deleted_objects:
        source.delete()
    if sources.has_changed():
        _doubt_questions(request, lesson)
    if request.POST.get("aviso_revisado"):
        for touched in _touched(request, lesson):
            notices.resolve(touched=touched, resolution=Resolution.EDITED, resolved_by=request.user)
    audit.note(request, audit.Action.COURSE_CHANGED, module.course.title, detail=lesson)
    messages.success(request, _("Guardado."))
    return lesson


def _doubt_questions(request: OrganizationRequest, lesson: Lesson) -> None:
    """Take back the questions that the lesson's sources hold no longer."""
    taken = quiz_editing.take_back_unsound(lesson)
    if taken:
        messages.warning(
            request,
            ngettext(
                "%(count)s pregunta vuelve a estar por revisar: su pasaje ya no está en las fuentes de la lección.",
                "%(count)s preguntas vuelven a estar por revisar: su pasaje ya no está en las fuentes de la lección.",
                taken,
            )
            % {"count": taken},
        )


def _touched(request: OrganizationRequest, lesson: Lesson) -> list[TouchedLesson]:
    """What is open about a lesson in the update notices that the person may see."""
    touched = TouchedLesson.objects.filter(
        lesson=lesson,
        resolution=Resolution.OPEN,
        notice__status=NoticeStatus.OPEN,
        notice__document__in=Document.objects.open_to(request.membership),
    )
    return list(touched.select_related("notice__document"))


def _tree(course_id: int) -> Any:
    lessons = Lesson.objects.only("title", "module_id", "position").order_by("position", "pk")
    modules = Module.objects.filter(course=course_id).order_by("position", "pk")
    return modules.prefetch_related(Prefetch("lessons", lessons))


@require_POST
@organization_view(*MANAGERS)
def preview(request: OrganizationRequest) -> HttpResponse:
    """Markdown as the lesson will show it, as a fragment."""
    content = request.POST.get("content", "")[:LONGEST_PREVIEW].replace("\0", "")
    return render(request, "courses/_preview.html", {"preview": content})


@require_GET
@organization_view(*MANAGERS)
def sections(request: OrganizationRequest) -> HttpResponse:
    """The sections to choose from once a document was chosen for a source, as a fragment."""
    prefix = request.GET.get("campo", "")
    if not _PREFIX.match(prefix):
        raise Http404
    raw = request.GET.get(f"{prefix}-document", "")
    documents = Document.objects.open_to(request.membership)
    if raw and not (raw.isdecimal() and documents.filter(pk=int(raw)).exists()):
        raise Http404
    source = LessonSourceForm({f"{prefix}-document": raw}, prefix=prefix, documents=documents)
    return render(request, "courses/_source_section.html", {"source": source})
