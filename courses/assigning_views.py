"""Who takes a course: assigning it to people and groups, how far each is, reminding, taking off."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from courses import enrolling, jobs, telling
from courses.access import open_courses
from courses.assigning_forms import AssignGroupForm, AssignPeopleForm, DueForm, ProgressFilter
from courses.exports import csv_file
from courses.models import Course, CourseStatus, Enrolment, GroupAssignment
from courses.overview import Stage, Study, studies_of
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.models import MANAGERS, Group, Membership

PEOPLE_A_PAGE = 50


def _course(request: OrganizationRequest, course_id: int) -> Course:
    found: Course = get_object_or_404(open_courses(request), pk=course_id)
    return found


def _enrolment(request: OrganizationRequest, enrolment_id: int) -> Enrolment:
    found: Enrolment = get_object_or_404(
        Enrolment.objects.for_organization(request.organization).select_related("course", "user"), pk=enrolment_id
    )
    return found


def _enrolments(request: OrganizationRequest, course: Course) -> QuerySet[Enrolment]:
    """Those who take a course and are still in the organization."""
    members = Membership.objects.filter(organization=request.organization, user=OuterRef("user_id"))
    found: QuerySet[Enrolment] = (
        Enrolment.objects.for_organization(request.organization)
        .filter(Exists(members), course=course)
        .select_related("course", "user", "assignment__group")
        .order_by("user__last_name", "user__first_name", "user__email")
    )
    return found


@require_GET
@organization_view(*MANAGERS)
def people(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """Who takes a course and how far they are, with the forms that assign it."""
    return _people_page(request, _course(request, course_id))


def _people_page(
    request: OrganizationRequest,
    course: Course,
    *,
    people_form: AssignPeopleForm | None = None,
    group_form: AssignGroupForm | None = None,
) -> HttpResponse:
    chosen = ProgressFilter(request.GET)
    studies = _chosen(request, course, chosen)
    is_refused = people_form is not None or group_form is not None
    context = {
        "course": course,
        "filter": chosen,
        "is_filtered": any(request.GET.get(name) for name in ("q", "estado")),
        "page": Paginator(studies, PEOPLE_A_PAGE).get_page(request.GET.get("pagina")),
        "assignments": course.group_assignments.select_related("group").annotate(people_count=Count("enrolments")),
        "has_groups": Group.objects.for_organization(request.organization).exists(),
        "people_form": people_form or AssignPeopleForm(course=course, prefix="personas"),
        "group_form": group_form or AssignGroupForm(course=course, prefix="grupo"),
        "left_count": sum(one.is_pending for one in studies),
        "is_published": course.status == CourseStatus.PUBLISHED,
    }
    return render(request, "courses/people.html", context, status=422 if is_refused else 200)


def _chosen(request: OrganizationRequest, course: Course, chosen: ProgressFilter) -> list[Study]:
    enrolments = _enrolments(request, course)
    wanted: dict[str, Any] = chosen.cleaned_data if chosen.is_valid() else {}
    if words := wanted.get("q"):
        enrolments = enrolments.filter(
            Q(user__email__icontains=words) | Q(user__first_name__icontains=words) | Q(user__last_name__icontains=words)
        )
    studies = studies_of(enrolments)
    stage = wanted.get("estado")
    return [one for one in studies if one.stage == stage] if stage else studies


@require_POST
@organization_view(*MANAGERS)
def assign_people(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """Have chosen people take a course."""
    course = _course(request, course_id)
    form = AssignPeopleForm(request.POST, course=course, prefix="personas")
    if not form.is_valid():
        return _people_page(request, course, people_form=form)
    user_ids = [membership.user_id for membership in form.cleaned_data["members"]]
    count = enrolling.enrol(course=course, user_ids=user_ids, due_on=form.cleaned_data["due_on"])
    telling.tell_assigned(course, user_ids)
    names = audit.listed([membership.user for membership in form.cleaned_data["members"]])
    audit.note(request, audit.Action.COURSE_ASSIGNED, course.title, detail=names)
    text = ngettext("Curso asignado a %(count)d persona.", "Curso asignado a %(count)d personas.", count)
    messages.success(request, text % {"count": count})
    return _back(request, course.pk)


@require_POST
@organization_view(*MANAGERS)
def assign_group(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """Have a group take a course, and whoever joins it later."""
    course = _course(request, course_id)
    form = AssignGroupForm(request.POST, course=course, prefix="grupo")
    if not form.is_valid():
        return _people_page(request, course, group_form=form)
    _assignment, new = enrolling.assign_to_group(
        course=course,
        group=form.cleaned_data["group"],
        assigned_by=request.membership.user,
        due_days=form.cleaned_data["due_days"],
    )
    telling.tell_assigned(course, new)
    audit.note(request, audit.Action.COURSE_ASSIGNED, course.title, detail=form.cleaned_data["group"])
    messages.success(request, _("Curso asignado al grupo. Quien entre en él lo recibirá también."))
    return _back(request, course.pk)


@organization_view(*MANAGERS)
def withdraw(request: OrganizationRequest, enrolment_id: int) -> HttpResponse:
    """Take someone off a course, after asking."""
    enrolment = _enrolment(request, enrolment_id)
    if request.method != "POST":
        [study] = studies_of([enrolment])
        context = {"enrolment": enrolment, "course": enrolment.course, "study": study}
        return render(request, "courses/withdraw.html", context)
    audit.note(request, audit.Action.COURSE_UNASSIGNED, enrolment.course.title, detail=enrolment.user)
    enrolling.withdraw(enrolment)
    messages.success(request, _("%(person)s ya no tiene el curso.") % {"person": enrolment.user})
    return _back(request, enrolment.course_id)


@require_POST
@organization_view(*MANAGERS)
def withdraw_group(request: OrganizationRequest, assignment_id: int) -> HttpResponse:
    """End a group's assignment."""
    assignments = GroupAssignment.objects.for_organization(request.organization).select_related("course", "group")
    assignment = get_object_or_404(assignments, pk=assignment_id)
    audit.note(request, audit.Action.COURSE_UNASSIGNED, assignment.course.title, detail=assignment.group)
    enrolling.withdraw_from_group(assignment)
    messages.success(request, _("El grupo ya no tiene el curso. Quien lo había empezado lo conserva."))
    return _back(request, assignment.course_id)


@organization_view(*MANAGERS)
def due(request: OrganizationRequest, enrolment_id: int) -> HttpResponse:
    """Another date for someone to finish by."""
    enrolment = _enrolment(request, enrolment_id)
    form = DueForm(request.POST or None, initial={"due_on": enrolment.due_on})
    if request.method == "POST" and form.is_valid():
        due_on = form.cleaned_data["due_on"]
        enrolling.set_due(enrolment=enrolment, due_on=due_on)
        detail = f"{enrolment.user}: {due_on.isoformat() if due_on else _('Sin fecha')}"
        audit.note(request, audit.Action.COURSE_DUE, enrolment.course.title, detail=detail)
        messages.success(request, _("Fecha límite guardada."))
        return _back(request, enrolment.course_id)
    context = {"enrolment": enrolment, "course": enrolment.course, "form": form}
    return render(request, "courses/due.html", context, status=422 if form.is_bound else 200)


@require_POST
@organization_view(*MANAGERS)
def remind(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """Remind by e-mail one person, or all in sight who have not finished."""
    course = _course(request, course_id)
    if course.status != CourseStatus.PUBLISHED:
        messages.error(request, _("El curso es un borrador: publícalo antes de recordarlo."))
        return _back(request, course.pk)
    studies = _chosen(request, course, ProgressFilter(request.POST))
    only = request.POST.get("persona", "")
    chosen = [one.enrolment for one in studies if one.is_pending and (not only or str(one.enrolment.pk) == only)]
    if not chosen:
        messages.info(request, _("No hay a quién recordárselo: nadie lo tiene pendiente."))
        return _back(request, course.pk)
    jobs.remind_on_commit(course.organization_id, [enrolment.pk for enrolment in chosen])
    reminded = audit.listed([enrolment.user for enrolment in chosen])
    audit.note(request, audit.Action.COURSE_REMINDED, course.title, detail=reminded)
    text = ngettext(
        "Se lo recordamos por correo a %(count)d persona.", "Se lo recordamos por correo a %(count)d personas.",
        len(chosen),
    )  # fmt: skip
    messages.success(request, text % {"count": len(chosen)})
    return _back(request, course.pk)


@require_GET
@organization_view(*MANAGERS)
def export_progress(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """Who takes a course and how far they are, as a CSV file."""
    course = _course(request, course_id)
    audit.note(request, audit.Action.EXPORTED, course.title, detail=_("progreso"))
    header = [
        _("persona"),
        _("correo"),
        _("grupo"),
        _("estado"),
        _("lecciones hechas"),
        _("lecciones"),
        _("avance (%)"),
    ]
    header += [_("por releer"), _("asignado"), _("fecha límite"), _("terminado"), _("caduca")]
    return csv_file(
        f"progreso-{slugify(course.title)}",
        header,
        map(_progress_row, _chosen(request, course, ProgressFilter(request.GET))),
    )


def _progress_row(study: Study) -> list[object]:
    enrolment, progress = study.enrolment, study.progress
    completed = enrolment.completed_at
    return [
        enrolment.user.get_full_name(),
        enrolment.user.email,
        enrolment.assignment.group.name if enrolment.assignment else "",
        Stage(study.stage).label,
        progress.done,
        progress.total,
        progress.percent,
        progress.to_reread,
        timezone.localtime(enrolment.created_at).date().isoformat(),
        enrolment.due_on and enrolment.due_on.isoformat(),
        completed and timezone.localtime(completed).date().isoformat(),
        enrolment.expires_on and enrolment.expires_on.isoformat(),
    ]


def _back(request: OrganizationRequest, course_id: int) -> HttpResponse:
    return redirect("courses:people", request.organization.slug, course_id)
