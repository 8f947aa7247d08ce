"""Measure search on data with known answers."""

import argparse
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _

from retrieval.candidates import words_match
from retrieval.evaluation.corpus import ingested
from retrieval.evaluation.dataset import read_data_set, read_pairs
from retrieval.evaluation.refusal import refusal_figures
from retrieval.evaluation.runs import CONFIGURATIONS, MEASURES, compare, evaluate
from retrieval.models import EvaluationRun
from skillnet.commands import ProductCommand, organization_named
from skillnet.models import Organization
from skillnet.tenancy import organization_scope


def _configurations(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in CONFIGURATIONS]
    if unknown or not names:
        raise argparse.ArgumentTypeError(
            _("no existe %(unknown)s; elige entre: %(known)s")
            % {"unknown": ", ".join(unknown) or "«»", "known": ", ".join(CONFIGURATIONS)}
        )
    return names


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
            "--configs", type=_configurations, default=["vector", "keyword", "hybrid", "hybrid+rerank"], metavar="A,B"
        )
        parser.add_argument("--chunking", metavar="A,B", help="solo en conjuntos de documentos enteros")
        parser.add_argument("--compare", nargs=2, metavar="RUN", help="qué cambió entre dos evaluaciones guardadas")

    def run(self, **options: Any) -> dict[str, Any]:
        if options["pairs"]:
            return _pairs(options["pairs"])
        if options["refusal"]:
            return dict(refusal_figures(read_data_set(options["refusal"], judged=False)))
        if options["chunking"]:
            raise CommandError(
                "--chunking necesita un conjunto de documentos enteros: aquí cada texto es un fragmento."
            )
        if options["compare"]:
            return self._compare(options)
        if options["org"]:
            organization_named(options["org"])
            raise CommandError(
                f"«{options['org']}» aún no tiene preguntas de evaluación. Usa --beir con una carpeta de preguntas."
            )
        runs = evaluate(read_data_set(options["beir"]), options["configs"])
        return {"runs": [_report(run) for run in runs]}

    def _compare(self, options: dict[str, Any]) -> dict[str, Any]:
        organization = organization_named(options["org"]) if options["org"] else _organization_of(options["beir"])
        with organization_scope(organization.pk):
            before, after = (_stored(run_id) for run_id in options["compare"])
            return {"runs": [_report(before), _report(after)], "comparison": compare(before, after)}

    def text(self, result: dict[str, Any]) -> str:
        if "runs" not in result:
            return "\n".join(f"{name}: {value}" for name, value in result.items())
        lines = [" ".join(f"{title:>12}" for title in ("", *MEASURES, "p50 ms", "p95 ms"))]
        for run in result["runs"]:
            figures = [f"{run['metrics'][name]:12.4f}" for name in MEASURES]
            times = [f"{run['latency_ms'][name]:12.1f}" for name in ("p50", "p95")]
            lines.append(" ".join([f"{run['config']:>12}", *figures, *times]))
        if "comparison" in result:
            comparison = result["comparison"]
            changes = [f"{comparison['metrics'][name]:+12.4f}" for name in MEASURES]
            lines.append(" ".join([f"{'cambio':>12}", *changes]))
            lines.append(f"mejor: {', '.join(comparison['better']) or '-'}")
            lines.append(f"peor: {', '.join(comparison['worse']) or '-'}")
        return "\n".join(lines)


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


def _report(run: EvaluationRun) -> dict[str, Any]:
    return {
        "id": str(run.pk),
        "config": run.configuration,
        "data_set": run.data_set,
        "metrics": run.metrics,
        "latency_ms": run.latency_ms,
    }
