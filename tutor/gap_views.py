"""For administrators: what nobody could answer, and what of it was put aside."""

import uuid
from collections.abc import Iterable, Sequence

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.models import Role
from tutor import reactions
from tutor.gaps import Gap, dismiss, dismissed_gaps, gaps_of, restore
from tutor.models import Turn
from tutor.prepared.forms import TurnIdsField
from tutor.question_log import questions_of

SHOWN_GAPS = 50


@require_GET
@organization_view(Role.ADMIN)
def gaps(request: OrganizationRequest) -> HttpResponse:
    """What nobody could answer, by topic."""
    return render(request, "tutor/gaps.html", _listed(gaps_of(request.organization)))


@require_POST
@organization_view(Role.ADMIN)
def dismiss_gap(request: OrganizationRequest) -> HttpResponse:
    """Report a gap no more."""
    dismissed = dismiss(request.organization, _turn_ids(request))
    if not dismissed:
        raise Http404
    audit.note(request, audit.Action.FAQ_DISMISSED, _asked(dismissed))
    messages.success(
        request,
        _("Descartada: no volverá a salir aquí, aunque se pregunte otra vez. Queda en «Preguntas descartadas»."),
    )
    return redirect("tutor:gaps", request.organization.slug)


@require_GET
@organization_view(Role.ADMIN)
def dismissed(request: OrganizationRequest) -> HttpResponse:
    """What was put aside, to take it back."""
    return render(request, "tutor/dismissed_gaps.html", _listed(dismissed_gaps(request.organization)))


@require_POST
@organization_view(Role.ADMIN)
def restore_gap(request: OrganizationRequest) -> HttpResponse:
    """Report a gap again that was put aside."""
    restored = restore(request.organization, _turn_ids(request))
    if not restored:
        raise Http404
    audit.note(request, audit.Action.GAP_RESTORED, _asked(restored))
    messages.success(request, _("Recuperada: vuelve a salir en «Huecos»."))
    return redirect("tutor:dismissed_gaps", request.organization.slug)


@require_POST
@organization_view(Role.ADMIN)
def ask_owner(request: OrganizationRequest, turn_id: uuid.UUID) -> HttpResponse:
    """Pass a question on to the owner of the document where its answer would belong."""
    turn = get_object_or_404(questions_of(request.organization), pk=turn_id)
    escalation = reactions.escalate(turn)
    names = ", ".join(str(person) for person in escalation.recipients.all())
    audit.note(request, audit.Action.QUESTION_PASSED_ON, turn.question, detail=names)
    if names:
        messages.success(request, _("Pregunta enviada a: %(names)s.") % {"names": names})
    else:
        messages.warning(request, _("No hay otra persona responsable a quien enviarla. Queda en «Avisos»."))
    return redirect("tutor:gaps", request.organization.slug)


def _listed(found: Sequence[Gap]) -> dict[str, object]:
    return {"gaps": found[:SHOWN_GAPS], "gap_count": len(found)}


def _turn_ids(request: OrganizationRequest) -> Sequence[str]:
    ids: Sequence[str] = TurnIdsField(required=False).to_python(request.POST.get("turns", ""))
    return ids


def _asked(turns: Iterable[Turn]) -> str:
    return "; ".join(dict.fromkeys(turn.question for turn in turns))
