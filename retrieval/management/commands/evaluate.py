"""Measure search on data with known answers."""

import argparse
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, get_args

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _

from documents.chunking.types import Strategy
from retrieval.evaluation.answers import ANSWER_FIGURES
from retrieval.evaluation.chunking import evaluate_chunking
from retrieval.evaluation.comparing import compare
from retrieval.evaluation.corpus import ingested
from retrieval.evaluation.dataset import read_data_set, read_pairs
from retrieval.evaluation.question_set import evaluate_configuration, questions_of
from retrieval.evaluation.refusal import refusal_figures
from retrieval.evaluation.runs import CONFIGURATIONS, MEASURES, evaluate, report
from retrieval.models import EvaluationRun
from retrieval.vocabulary import words_match
from skillnet.commands import ProductCommand, organization_named
from skillnet.models import Organization
from skillnet.tenancy import organization_scope

STRATEGIES = get_args(Strategy)


def _one_of(known: Collection[str]) -> Callable[[str], list[str]]:
    """Reads names between commas, all of them known."""

    def read(text: str) -> list[str]:
        names = [name.strip() for name in text.split(",") if name.strip()]
        unknown = [name for name in names if name not in known]
        if unknown or not names:
            raise argparse.ArgumentTypeError(
                _("no existe %(unknown)s; elige entre: %(known)s")
                % {"unknown": ", ".join(unknown) or "«»", "known": ", ".join(known)}
            )
        return names

    return read


class Command(ProductCommand):
    help = "Mide la búsqueda con preguntas de respuesta conocida."

    def arguments(self, parser: CommandParser) -> None:
        data = parser.add_mutually_exclusive_group(required=True)
        data.add_argument(
            "--beir", type=Path, metavar="DIR", help="carpeta con corpus.jsonl, queries.jsonl y qrels/*.tsv"
        )
        data.add_argument("--org", metavar="SLUG", help="las preguntas de evaluación de una organización")
        data.add_argument("--refusal", type=Path, metavar="DIR", help="preguntas con y sin respuesta en el corpus")
        data.add_argument("--pairs", type=Path, metavar="FILE.tsv", help="textos que las palabras encuentran o no")
        parser.add_argument(
            "--configs",
            type=_one_of(CONFIGURATIONS),
            default=["vector", "keyword", "hybrid", "hybrid+rerank"],
            metavar="A,B",
        )
        parser.add_argument("--chunking", type=_one_of(STRATEGIES), metavar="A,B", help="formas de trocear, con --org")
        parser.add_argument("--compare", nargs=2, metavar="RUN", help="qué cambió entre dos evaluaciones guardadas")

    def run(self, **options: Any) -> dict[str, Any]:
        if options["pairs"]:
            return _pairs(options["pairs"])
        if options["refusal"]:
            return dict(refusal_figures(read_data_set(options["refusal"], judged=False)))
        if options["compare"]:
            return self._compare(options)
        if options["org"]:
            return {"runs": [report(run) for run in _own_runs(options)]}
        if options["chunking"]:
            raise CommandError(
                "--chunking necesita documentos enteros: usa --org. En --beir cada texto es un fragmento."
            )
        runs = evaluate(read_data_set(options["beir"]), options["configs"])
        return {"runs": [report(run) for run in runs]}

    def _compare(self, options: dict[str, Any]) -> dict[str, Any]:
        organization = organization_named(options["org"]) if options["org"] else _organization_of(options["beir"])
        with organization_scope(organization.pk):
            before, after = (_stored(run_id) for run_id in options["compare"])
            return {"runs": [report(before), report(after)], "comparison": compare(before, after)}

    def text(self, result: dict[str, Any]) -> str:
        if "runs" not in result:
            return "\n".join(f"{name}: {value}" for name, value in result.items())
        lines = [" ".join(f"{title:>12}" for title in ("", *MEASURES, "p50 ms", "p95 ms"))]
        for run in result["runs"]:
            figures = [f"{run['metrics'][name]:12.4f}" for name in MEASURES]
            times = [f"{run['latency_ms'][name]:12.1f}" for name in ("p50", "p95")]
            lines.append(" ".join([f"{run['config']:>12}", *figures, *times]))
        if any(name in run["metrics"] for run in result["runs"] for name in ANSWER_FIGURES):
            lines += _answers(result["runs"])
        if "comparison" in result:
            lines += _changes(result["comparison"])
        return "\n".join(lines)


def _answers(runs: list[dict[str, Any]]) -> list[str]:
    lines = ["", " ".join(f"{title:>14}" for title in ("respuestas", *ANSWER_FIGURES))]
    for run in runs:
        figures = [
            f"{run['metrics'][name]:14.4f}" if name in run["metrics"] else f"{'-':>14}" for name in ANSWER_FIGURES
        ]
        lines.append(" ".join([f"{run['config']:>14}", *figures]))
    return [*lines, ""]


def _changes(comparison: dict[str, Any]) -> list[str]:
    lines = [] if comparison["same_data"] else ["Aviso: los datos de una y otra no son los mismos."]
    lines.append(f"{'cambio':>12} {'diferencia':>12} {'intervalo del 95 %':>20} {'gana':>6} {'pierde':>6}")
    for name, change in comparison["intervals"].items():
        interval = f"{change['low']:+.4f} {change['high']:+.4f}"
        lines.append(f"{name:>12} {change['difference']:+12.4f} {interval:>20} {change['wins']:6} {change['losses']:6}")
    lines.append(f"mejor: {', '.join(comparison['better']) or '-'}")
    lines.append(f"peor: {', '.join(comparison['worse']) or '-'}")
    return lines


def _own_runs(options: dict[str, Any]) -> list[EvaluationRun]:
    organization = organization_named(options["org"])
    with organization_scope(organization.pk):
        if not any(question.expected for question in questions_of(organization.pk)):
            raise CommandError(
                f"«{organization.slug}» aún no tiene preguntas de evaluación con respuesta. Añádelas en "
                f"/o/{organization.slug}/evaluacion/preguntas/, o usa --beir con una carpeta de preguntas."
            )
        if not options["chunking"]:
            return [evaluate_configuration(organization, name) for name in options["configs"]]
    return evaluate_chunking(organization, options["chunking"], options["configs"])


def _pairs(path: Path) -> dict[str, Any]:
    pairs = read_pairs(path)
    found = [words_match(document, query) for _should, document, query in pairs]
    wrong = [
        {"should_match": should, "document": document, "query": query}
        for (should, document, query), does in zip(pairs, found, strict=True)
        if should != does
    ]
    should_match = sum(should for should, _document, _query in pairs)
    return {
        "matched": sum(does and should for (should, *_rest), does in zip(pairs, found, strict=True)),
        "should_match": should_match,
        "false": sum(does and not should for (should, *_rest), does in zip(pairs, found, strict=True)),
        "should_not_match": len(pairs) - should_match,
        "wrong": wrong,
    }


def _organization_of(folder: Path) -> Organization:
    scope, _names = ingested(read_data_set(folder))
    return Organization.objects.get(pk=scope.organization_id)


def _stored(run_id: str) -> EvaluationRun:
    try:
        return EvaluationRun.objects.get(pk=run_id)
    except (EvaluationRun.DoesNotExist, ValidationError):
        raise CommandError(f"No existe la evaluación «{run_id}».") from None
