"""How well search does on the organization's own questions: started here, followed, compared over time."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_POST

from retrieval.evaluation.comparing import compare
from retrieval.evaluation.forms import CONFIGURATION_NAMES, ConfigurationsForm
from retrieval.evaluation.question_set import NAME
from retrieval.evaluation.services import restart_evaluation, start_evaluation
from retrieval.models import Evaluation, EvaluationQuestion, EvaluationRun
from skillnet import audit
from skillnet.access import OrganizationRequest, organization_view
from skillnet.errors import SkillNetError
from skillnet.models import Role

SHOWN = 10  # evaluations
COMPARABLE = 60  # runs
MEASURE_NAMES = {
    "recall@1": _("La primera es la buena"),
    "recall@5": _("Está entre las cinco primeras"),
    "recall@10": _("Está entre las diez primeras"),
    "mrr@10": _("Nota del orden, de 0 a 1"),
}

# Of what the tutor says from these searches, by the names of retrieval.evaluation.answers.
ANSWER_NAMES = {
    "tutor_answered": _("Responde cuando hay respuesta"),
    "tutor_refused": _("Calla cuando no la hay"),
    "page_right": _("Cita la página buena"),
    "words_right": _("Dice lo que tenía que decir"),
    "quotes_exact": _("Citas al pie de la letra"),
    "faithful": _("Frases que están en su fuente"),
}


def _evaluations(request: OrganizationRequest) -> "QuerySet[Evaluation]":
    return Evaluation.objects.for_organization(request.organization).prefetch_related("runs").order_by("-pk")


@require_GET
@organization_view(Role.ADMIN)
def overview(request: OrganizationRequest) -> HttpResponse:
    """What was measured, newest first."""
    return _overview(request, ConfigurationsForm())


def _overview(request: OrganizationRequest, form: ConfigurationsForm) -> HttpResponse:
    counted = EvaluationQuestion.objects.for_organization(request.organization)
    context = {
        "form": form,
        "answerable_count": counted.filter(is_answerable=True).count(),
        "unanswerable_count": counted.filter(is_answerable=False).count(),
        "evaluations": [_shown(evaluation) for evaluation in _evaluations(request)[:SHOWN]],
        "has_runs": _runs(request).exists(),
    }
    return render(request, "retrieval/evaluation.html", context, status=422 if form.errors else 200)


@require_POST
@organization_view(Role.ADMIN)
def start(request: OrganizationRequest) -> HttpResponse:
    """Have the questions measured in the background."""
    form = ConfigurationsForm(request.POST)
    if not form.is_valid():
        return _overview(request, form)
    try:
        start_evaluation(
            organization=request.organization,
            configurations=form.cleaned_data["configuraciones"],
            started_by=request.user,
        )
    except SkillNetError as error:
        messages.error(request, str(error.user_message))
    else:
        _note(request, form.cleaned_data["configuraciones"])
    return redirect("evaluation:overview", request.organization.slug)


@require_GET
@organization_view(Role.ADMIN)
def state(request: OrganizationRequest, evaluation_id: int) -> HttpResponse:
    """One evaluation alone: asked for again and again while it is measured."""
    evaluation = get_object_or_404(_evaluations(request), pk=evaluation_id)
    return render(request, "retrieval/_evaluation.html", _shown(evaluation))


@require_POST
@organization_view(Role.ADMIN)
def restart(request: OrganizationRequest, evaluation_id: int) -> HttpResponse:
    """Go on with one that stopped."""
    evaluation = get_object_or_404(_evaluations(request), pk=evaluation_id)
    restart_evaluation(evaluation)
    _note(request, evaluation.configurations)
    return redirect("evaluation:overview", request.organization.slug)


@require_GET
@organization_view(Role.ADMIN)
def compare_runs(request: OrganizationRequest) -> HttpResponse:
    """Two runs chosen by ?antes= and ?despues=, question by question."""
    runs = list(_runs(request)[:COMPARABLE])
    chosen = [_run(request, name) for name in ("antes", "despues")]
    context: dict[str, Any] = {"runs": [_named(run) for run in runs], "before": chosen[0], "after": chosen[1]}
    if all(chosen):
        context |= _comparison(request, *chosen)
    return render(request, "retrieval/compare.html", context)


def _note(request: OrganizationRequest, configurations: Sequence[str]) -> None:
    names = ", ".join(str(CONFIGURATION_NAMES.get(one, one)) for one in configurations)
    audit.note(request, audit.Action.EVALUATION_STARTED, names)


def _runs(request: OrganizationRequest) -> "QuerySet[EvaluationRun]":
    runs: QuerySet[EvaluationRun] = EvaluationRun.objects.for_organization(request.organization)
    return runs.filter(data_set=NAME)


def _run(request: OrganizationRequest, name: str) -> Any:
    text = request.GET.get(name, "")
    if not text:
        return None
    try:
        return get_object_or_404(_runs(request), pk=UUID(text))
    except ValueError:
        raise Http404 from None


def _comparison(request: OrganizationRequest, before: EvaluationRun, after: EvaluationRun) -> dict[str, Any]:
    found = compare(before, after)
    texts = {str(row.pk): row.question for row in EvaluationQuestion.objects.for_organization(request.organization)}
    measures = [{"name": label, **found["intervals"][measure]} for measure, label in MEASURE_NAMES.items()]
    return {
        "comparison": found,
        "measures": measures,
        "better": [texts[question] for question in found["better"] if question in texts],
        "worse": [texts[question] for question in found["worse"] if question in texts],
    }


def _named(run: EvaluationRun) -> dict[str, Any]:
    return {"run": run, "name": CONFIGURATION_NAMES.get(run.configuration, run.configuration)}


def _shown(evaluation: Evaluation) -> dict[str, Any]:
    runs = {run.configuration: run for run in evaluation.runs.all()}
    rows = [_row(runs[name]) for name in evaluation.configurations if name in runs]
    return {
        "evaluation": evaluation,
        "rows": rows,
        "measure_names": list(MEASURE_NAMES.values()),
        "answer_names": list(ANSWER_NAMES.values()) if any(row["of_answers"] for row in rows) else [],
        "done": len(rows),
        "total": len(evaluation.configurations),
    }


def _row(run: EvaluationRun) -> dict[str, Any]:
    metrics = run.metrics
    cells = [
        {"label": label, "value": floatformat(metrics[name], 3) if name == "mrr@10" else _percent(metrics[name])}
        for name, label in MEASURE_NAMES.items()
    ]
    of_answers = [{"label": label, "value": _percent(metrics.get(name)) or "—"} for name, label in ANSWER_NAMES.items()]
    return {
        "name": CONFIGURATION_NAMES.get(run.configuration, run.configuration),
        "metrics": cells,
        "of_answers": of_answers if any(name in metrics for name in ANSWER_NAMES) else [],
        "answered": _percent(metrics.get("answered")),
        "refused": _percent(metrics.get("refused")),
        "milliseconds": run.latency_ms["p50"],
    }


def _percent(share: float | None) -> str:
    return "" if share is None else gettext("%(share)d %%") % {"share": round(share * 100)}
