"""«Publicar»: at once where all is ready and nobody is told; else after asking."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from courses import publishing
from courses.access import open_courses
from courses.models import Course, CourseStatus
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.models import MANAGERS


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def publish(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """Let those enrolled see a course, or take it back to a draft."""
    course: Course = get_object_or_404(open_courses(request), pk=course_id)
    to_editor = redirect("courses:editor", request.organization.slug, course.pk)
    if course.status == CourseStatus.PUBLISHED:
        if request.method == "POST" and "confirmado" not in request.POST:  # else the page asked of a draft
            publishing.take_back(course)
            audit.note(request, audit.Action.COURSE_WITHDRAWN, course.title)
            messages.success(request, _("El curso vuelve a ser un borrador: ya no lo ve nadie más."))
        return to_editor
    outlook = publishing.outlook(course, request.membership)
    if not outlook.lessons:
        messages.error(request, _("El curso aún no tiene lecciones: añade al menos una antes de publicarlo."))
        return to_editor
    if request.method != "POST":
        return render(request, "courses/confirm_publish.html", {"course": course, "outlook": outlook})
    if outlook.asks and "confirmado" not in request.POST:
        return redirect("courses:publish", request.organization.slug, course.pk)
    told = publishing.publish(course)
    audit.note(request, audit.Action.COURSE_PUBLISHED, course.title)
    text = ngettext(
        "Curso publicado: hemos avisado a %(count)d persona.",
        "Curso publicado: hemos avisado a %(count)d personas.",
        told,
    )
    messages.success(request, text % {"count": told} if told else _("Curso publicado: lo ve quien esté inscrito."))
    return to_editor
