"""«Fuente actualizada — revisar»: what changed, and what is decided for each lesson that rests on it."""

from itertools import groupby
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from courses import jobs, notices, proposals, studying, telling, withdrawing
from courses.access import open_courses
from courses.forms import DismissForm
from courses.models import (
    LessonProgress,
    LessonProposal,
    Module,
    NoticeStatus,
    ProposalStatus,
    QuizItem,
    Resolution,
    TouchedLesson,
    UpdateNotice,
)
from courses.registry import dependants_of
from documents.diffing import SectionChange, compare
from documents.models import Document
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.errors import SkillNetError
from skillnet.models import MANAGERS, Role

NOTICES_A_PAGE = 30


def _notice(request: OrganizationRequest, notice_id: int) -> UpdateNotice:
    found: UpdateNotice = get_object_or_404(
        UpdateNotice.objects.for_organization(request.organization)
        .open_to(request.membership)
        .select_related("course", "document", "from_version", "to_version", "closed_by"),
        pk=notice_id,
    )
    return found


def _touched(request: OrganizationRequest, touched_id: int) -> TouchedLesson:
    found: TouchedLesson = get_object_or_404(
        TouchedLesson.objects.for_organization(request.organization)
        .filter(notice__document__in=Document.objects.open_to(request.membership))
        .select_related("notice", "lesson"),
        pk=touched_id,
    )
    return found


@require_GET
@organization_view(*MANAGERS)
def notice_list(request: OrganizationRequest) -> HttpResponse:
    """The courses that have lost a source, the notices to review, then those reviewed."""
    found = (
        UpdateNotice.objects.for_organization(request.organization)
        .open_to(request.membership)
        .select_related("course", "document", "to_version")
        .annotate(
            open_count=Count("touched_lessons", filter=Q(touched_lessons__resolution=Resolution.OPEN)),
            touched_count=Count("touched_lessons"),
        )
        .order_by("-status", "-created_at", "-pk")
    )
    page = Paginator(found, NOTICES_A_PAGE).get_page(request.GET.get("pagina"))
    withdrawn = open_courses(request).having_lost_a_source().order_by("-source_withdrawn_at", "pk")
    return render(request, "courses/notices.html", {"page": page, "withdrawn": withdrawn})


@require_GET
@organization_view(*MANAGERS)
def notice(request: OrganizationRequest, notice_id: int) -> HttpResponse:
    """One notice: each touched lesson with its changes and what can be done, then the other changes."""
    return _render_notice(request, _notice(request, notice_id))


def _render_notice(
    request: OrganizationRequest, found: UpdateNotice, *, refused: DismissForm | None = None, at: int | None = None
) -> HttpResponse:
    changes = compare(notices.blocks_of(found.from_version), notices.blocks_of(found.to_version))
    touched = list(found.touched_lessons.select_related("lesson__module", "resolved_by"))
    rows = [_row(one, changes, refused if one.pk == at else None) for one in touched]
    shown = {id(change) for row in rows for change in row["changes"]}
    paths = {change.before.path for change in changes if change.before is not None}
    context = {
        "notice": found,
        "course": found.course,
        "rows": rows,
        "modules": [
            {"module": module, "rows": lessons, "open_count": sum(_is_undecided(row) for row in lessons)}
            for module, lessons in ((module, list(group)) for module, group in groupby(rows, key=_module_of))
        ],
        "other_changes": [change for change in changes if id(change) not in shown],
        "dependants": dependants_of(request.membership, found.document_id, paths),
        "dropped_questions": found.dropped_questions if request.membership.role == Role.ADMIN else (),
        "earlier": found.from_version,
        "later": found.to_version,
        "open_count": sum(one.resolution == Resolution.OPEN for one in touched),
    }
    return render(request, "courses/notice.html", context, status=422 if refused else 200)


def _module_of(row: dict[str, Any]) -> Module:
    return row["touched"].lesson.module  # type: ignore[no-any-return]


def _is_undecided(row: dict[str, Any]) -> bool:
    return row["touched"].resolution == Resolution.OPEN and row["proposal"] is None


def _row(touched: TouchedLesson, changes: list[SectionChange], refused: DismissForm | None) -> dict[str, Any]:
    keys = {(tuple(change["before_path"] or ()), tuple(change["heading_path"])) for change in touched.changes}
    before = {key[0] for key in keys if key[0]}
    after = {key[1] for key in keys}
    return {
        "touched": touched,
        "changes": [
            change
            for change in changes
            if (change.before is not None and change.before.path in before)
            or (change.after is not None and change.after.path in after)
        ],
        "questions": QuizItem.objects.filter(pk__in=touched.quiz_item_ids).order_by("position", "pk"),
        "proposal": touched.lesson.proposals.filter(status=ProposalStatus.PROPOSED).first(),
        "done_count": LessonProgress.objects.filter(lesson=touched.lesson).count(),
        "form": refused or DismissForm(prefix=f"l{touched.pk}"),
    }


@require_POST
@organization_view(*MANAGERS)
def dismiss(request: OrganizationRequest, touched_id: int) -> HttpResponse:
    """«No hace falta», with a reason."""
    touched = _touched(request, touched_id)
    form = DismissForm(request.POST, prefix=f"l{touched.pk}")
    if not form.is_valid():
        return _render_notice(request, _notice(request, touched.notice_id), refused=form, at=touched.pk)
    notices.resolve(
        touched=touched,
        resolution=Resolution.NOT_NEEDED,
        resolved_by=request.membership.user,
        reason=form.cleaned_data["reason"],
    )
    detail = f"{touched.lesson}: {form.cleaned_data['reason']}"
    audit.note(request, audit.Action.LESSON_KEPT, touched.lesson.module.course.title, detail=detail)
    messages.success(request, _("Anotado: esta lección se queda como está."))
    return redirect("courses:notice", request.organization.slug, touched.notice_id)


@require_POST
@organization_view(*MANAGERS)
def regenerate(request: OrganizationRequest, touched_id: int) -> HttpResponse:
    """A lesson written anew as a proposal, to compare."""
    touched = _touched(request, touched_id)
    try:
        proposal = proposals.propose(lesson=touched.lesson, created_by=request.membership.user)
    except SkillNetError as error:
        messages.error(request, str(error.user_message))
        return redirect("courses:notice", request.organization.slug, touched.notice_id)
    audit.note(request, audit.Action.LESSON_REGENERATED, touched.lesson.module.course.title, detail=touched.lesson)
    return redirect("courses:proposal", request.organization.slug, proposal.pk)


@require_POST
@organization_view(*MANAGERS)
def regenerate_module(request: OrganizationRequest, notice_id: int, module_id: int) -> HttpResponse:
    """All lessons of a module that are still to be decided on written anew as proposals."""
    found = _notice(request, notice_id)
    module = get_object_or_404(Module.objects.for_organization(request.organization), pk=module_id, course=found.course)
    count, failed = 0, []
    for touched in found.touched_lessons.filter(resolution=Resolution.OPEN, lesson__module=module):
        try:
            proposals.propose(lesson=touched.lesson, created_by=request.membership.user)
            count += 1
            audit.note(request, audit.Action.LESSON_REGENERATED, found.course.title, detail=touched.lesson)
        except SkillNetError as error:
            failed.append(f"{touched.lesson.title}: {error.user_message}")
    text = ngettext("%(count)d borrador listo para comparar.", "%(count)d borradores listos para comparar.", count)
    if count:
        messages.success(request, text % {"count": count})
    for message in failed:
        messages.error(request, message)
    return redirect("courses:notice", request.organization.slug, found.pk)


@require_POST
@organization_view(*MANAGERS)
def ask_to_reread(request: OrganizationRequest, touched_id: int) -> HttpResponse:
    """Ask those who have done a lesson to read it again."""
    touched = _touched(request, touched_id)
    asked = studying.ask_to_reread(touched.lesson)
    telling.tell_to_reread(touched.lesson)
    notices.note_reread(touched)
    jobs.remind_on_commit(touched.organization_id, asked)
    audit.note(request, audit.Action.LESSON_REREAD, touched.lesson.module.course.title, detail=touched.lesson)
    count = len(asked)
    text = ngettext(
        "Se lo hemos pedido a %(count)d persona: lo verá en «Mis cursos» y en un correo.",
        "Se lo hemos pedido a %(count)d personas: lo verán en «Mis cursos» y en un correo.",
        count,
    )
    messages.success(request, text % {"count": count})
    return redirect("courses:notice", request.organization.slug, touched.notice_id)


@require_http_methods(["GET", "POST"])
@organization_view(*MANAGERS)
def close(request: OrganizationRequest, notice_id: int) -> HttpResponse:
    """The notice has been reviewed: at once where every lesson was decided on, else after asking."""
    found = _notice(request, notice_id)
    waiting = _waiting(found)
    if request.method != "POST":
        if not waiting:
            return redirect("courses:notice", request.organization.slug, found.pk)
        context = {"notice": found, "course": found.course, "waiting": waiting}
        return render(request, "courses/confirm_close_notice.html", context)
    if waiting and "confirmado" not in request.POST:
        return redirect("courses:close_notice", request.organization.slug, found.pk)
    notices.close(notice=found, closed_by=request.membership.user)
    audit.note(request, audit.Action.NOTICE_CLOSED, found.course.title, detail=found.document)
    messages.success(request, _("Aviso cerrado."))
    if total := QuizItem.objects.filter(lesson__module__course=found.course_id, is_reviewed=False).count():
        text = ngettext(
            "%(total)s pregunta espera tu revisión. Nadie la ve hasta que la apruebes.",
            "%(total)s preguntas esperan tu revisión. Nadie las ve hasta que las apruebes.",
            total,
        )
        messages.info(request, text % {"total": total})
    return redirect("courses:notices", request.organization.slug)


def _waiting(found: UpdateNotice) -> list[TouchedLesson]:
    """The lessons of an open notice still to be decided on, and whether each has a draft to compare (`has_draft`)."""
    if found.status == NoticeStatus.CLOSED:
        return []
    drafts = LessonProposal.objects.filter(lesson=OuterRef("lesson"), status=ProposalStatus.PROPOSED)
    touched = found.touched_lessons.filter(resolution=Resolution.OPEN).select_related("lesson")
    return list(touched.annotate(has_draft=Exists(drafts)))


@require_POST
@organization_view(*MANAGERS)
def note_withdrawal(request: OrganizationRequest, course_id: int) -> HttpResponse:
    """A course whose document was deleted has been reviewed."""
    course = get_object_or_404(open_courses(request), pk=course_id)
    withdrawing.note_reviewed(course)
    audit.note(request, audit.Action.NOTICE_CLOSED, course.title)
    messages.success(request, _("Aviso cerrado."))
    return redirect("courses:editor", request.organization.slug, course.pk)
