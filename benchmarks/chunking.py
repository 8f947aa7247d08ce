"""Ways of cutting the demo's manuals, compared on the questions people ask of them. Run `manage.py demo` before."""

import os
import sys
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")
django.setup()

from courses.demo import content, question_set  # noqa: E402
from documents.models import Document  # noqa: E402
from retrieval.evaluation.chunking import evaluate_chunking  # noqa: E402
from skillnet.models import Organization  # noqa: E402
from skillnet.tenancy import organization_scope  # noqa: E402

FURTHER_QUESTIONS = Path(__file__).with_name("data") / "manual_questions.jsonl"
STRATEGIES = ("section", "fixed", "recursive", "markdown")
CONFIGURATIONS = ("vector", "keyword", "hybrid", "hybrid+rerank")
SHOWN = ("recall@1", "recall@5", "mrr@10", "answered", "refused")


def main() -> None:
    organization = Organization.objects.get(slug=content.ORGANIZATION.slug)
    with organization_scope(organization.pk):
        served = Document.objects.for_organization(organization).served().select_related("active_version")
        documents = {document.active_version.file_name: document for document in served}
        question_set.load(organization, documents, FURTHER_QUESTIONS)
    print("| configuration / cut | pieces | " + " | ".join(SHOWN) + " |")
    print("| --- | --- |" + " --- |" * len(SHOWN))
    for run in evaluate_chunking(organization, STRATEGIES, CONFIGURATIONS):
        figures = " | ".join(f"{run.metrics[name]:.3f}" for name in SHOWN)
        print(f"| {run.configuration} | {run.metrics['chunks']} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
