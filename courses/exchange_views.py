"""A course as a file and on paper."""

import json

from django import forms
from django.contrib import messages
from django.db.models import Prefetch
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from courses import exchange
from courses.access import open_courses
from courses.models import Lesson, LessonSource
from documents.models import Document
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.models import MANAGERS
from skillnet.widgets import FileChooser


class ImportForm(forms.Form):
    """The file of an exported course."""

    file = forms.FileField(
        label=gettext_lazy("Archivo del curso"),
        help_text=gettext_lazy("El que descargaste con «Exportar»."),
        widget=FileChooser(attrs={"accept": ".json,application/json"}),
    )


@require_GET
@organization_view(*MANAGERS)
def export_course(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """A course as a file to download."""
    course = get_object_or_404(open_courses(request), pk=course_id)
    audit.note(request, audit.Action.EXPORTED, course.title)
    data = exchange.as_json(course, Document.objects.open_to(request.membership))
    response = HttpResponse(json.dumps(data, ensure_ascii=False, indent=1), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{course.slug}.json"'
    return response


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def import_course(request: OrganizationRequest) -> HttpResponse:
    """A new draft course from the file of an exported one."""
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            data = exchange.read(form.cleaned_data["file"].read(exchange.MAX_BYTES + 1))
        except exchange.UnreadableCourse as error:
            form.add_error("file", str(error.user_message))
        else:
            imported = exchange.create(
                data=data,
                organization=request.organization,
                documents=Document.objects.open_to(request.membership),
                created_by=request.user,
            )
            audit.note(request, audit.Action.COURSE_IMPORTED, imported.course.title)
            _tell(request, imported)
            return redirect("courses:editor", request.organization.slug, imported.course.pk)
    return render(request, "courses/import.html", {"form": form}, status=422 if request.method == "POST" else 200)


def _tell(request: OrganizationRequest, imported: exchange.Imported) -> None:
    messages.success(request, _("Curso importado como borrador. Sus preguntas quedan por revisar."))
    if imported.missing:
        titles = "», «".join(imported.missing)
        messages.warning(
            request,
            _("No están aquí estos documentos: «%(titles)s». Súbelos y elige las fuentes de sus lecciones.")
            % {"titles": titles},
        )


@require_GET
@organization_view()
def print_course(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """A course on one page, to be printed."""
    course = get_object_or_404(open_courses(request), pk=course_id)
    readable = LessonSource.objects.filter(document__in=Document.objects.open_to(request.membership))
    lessons = Lesson.objects.order_by("position", "pk").prefetch_related(
        Prefetch("sources", readable.select_related("document").order_by("pk"))
    )
    modules = course.modules.order_by("position", "pk").prefetch_related(Prefetch("lessons", lessons))
    return render(request, "courses/print.html", {"course": course, "modules": modules})
