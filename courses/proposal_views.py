"""A lesson written anew beside the one that is taught, to accept or discard."""

import re
from collections.abc import Iterator

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRefresh

from courses import notices, proposals
from courses.models import LessonProposal, UpdateNotice
from documents.diffing import word_spans
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.errors import SkillNetError
from skillnet.models import MANAGERS

_RULE = re.compile(r"(?=[\s|:-]+$).*---")
_BAR = re.compile(r"(?<!\\)\|")  # not one that is a cell's own
_ESCAPED = re.compile(r"\\(\W)")
_SIGNS = re.compile(r"^\s*#{1,6}\s+|(?<!\\)\*\*|(?<!\\)`")


def _proposal(request: OrganizationRequest, proposal_id: int) -> LessonProposal:
    proposed = LessonProposal.objects.for_organization(request.organization)
    found: LessonProposal = get_object_or_404(proposed.select_related("lesson__module__course"), pk=proposal_id)
    return found


@require_GET
@organization_view(*MANAGERS)
def proposal(request: OrganizationRequest, proposal_id: int) -> HttpResponse:
    """A lesson as it is beside what is proposed."""
    found = _proposal(request, proposal_id)
    notice_of = UpdateNotice.objects.open().filter(touched_lessons__lesson=found.lesson_id).order_by("-pk").first()
    old, new = text_lines(found.lesson.content), text_lines(found.content)
    gone = [line for line in old if line not in new] if found.is_open else []
    context = {
        "proposal": found,
        "lesson": found.lesson,
        "course": found.lesson.module.course,
        "module": found.lesson.module,
        "notice": notice_of,
        "lines": notices.text_changes(rows(found.lesson.content), rows(found.content)),
        "own_count": len(proposals.own_lines(found.lesson, gone)),
        "summary": word_spans(found.lesson.summary, found.summary),
        "questions": found.quiz_items,
    }
    return render(request, "courses/proposal.html", context)


@require_GET
@organization_view(*MANAGERS)
def rewriting(request: OrganizationRequest, proposal_id: int) -> HttpResponse:
    """That a proposal is being rewritten, as a fragment; the whole page again once it is not."""
    found = _proposal(request, proposal_id)
    if not found.is_being_rewritten:
        return HttpResponseClientRefresh()
    return render(request, "courses/_rewriting.html", {"proposal": found})


def text_lines(content: str) -> list[str]:
    """The lines of a Markdown text as they are read, without its signs or rules; rows of tables keep their bars."""
    return [_ESCAPED.sub(r"\1", line) for line in _lines(content)]


def rows(content: str) -> list[tuple[str, ...]]:
    """The same lines, rows of tables as their cells."""
    return [*map(_cells, _lines(content))]


def _lines(content: str) -> Iterator[str]:
    lines = (_SIGNS.sub("", line).strip() for line in content.splitlines() if not _RULE.match(line))
    return (line for line in lines if line)


def _cells(line: str) -> tuple[str, ...]:
    is_row = len(line) > 2 and line.startswith("| ") and line.endswith(" |")
    cells = _BAR.split(line[1:-1]) if is_row else [line]
    return tuple(_ESCAPED.sub(r"\1", cell.strip()) for cell in cells)


@require_POST
@organization_view(*MANAGERS)
def accept(request: OrganizationRequest, proposal_id: int) -> HttpResponse:
    """Teach what is proposed."""
    return _decide(request, _proposal(request, proposal_id), is_accepted=True)


@require_POST
@organization_view(*MANAGERS)
def discard(request: OrganizationRequest, proposal_id: int) -> HttpResponse:
    """Keep the lesson as it is."""
    return _decide(request, _proposal(request, proposal_id), is_accepted=False)


def _decide(request: OrganizationRequest, found: LessonProposal, *, is_accepted: bool) -> HttpResponse:
    notice_of = UpdateNotice.objects.open().filter(touched_lessons__lesson=found.lesson_id).order_by("-pk").first()
    try:
        if is_accepted:
            proposals.accept(proposal=found, accepted_by=request.membership.user)
            audit.note(request, audit.Action.LESSON_ACCEPTED, found.lesson.module.course.title, detail=found.lesson)
            messages.success(request, _("La lección ya enseña el texto nuevo. Revisa sus preguntas."))
        else:
            proposals.discard(proposal=found, discarded_by=request.membership.user)
            audit.note(request, audit.Action.LESSON_DISCARDED, found.lesson.module.course.title, detail=found.lesson)
            messages.success(request, _("Borrador descartado: la lección se queda como estaba."))
    except SkillNetError as error:
        messages.error(request, str(error.user_message))
    if notice_of is not None:
        return redirect("courses:notice", request.organization.slug, notice_of.pk)
    return redirect("courses:lesson", request.organization.slug, found.lesson_id)
