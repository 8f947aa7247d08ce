"""The demo's questions with known answers, so that its search can be measured from the first minute."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from courses.demo.content import MANUALS_FOLDER
from documents.models import Document
from retrieval.models import EvaluationQuestion
from skillnet.models import Organization

FILE = MANUALS_FOLDER.parent / "questions.jsonl"


def load(organization: Organization, documents: Mapping[str, Document], file: Path = FILE) -> None:
    """Add the questions of a file to the organization's set; those it has are left as they are.

    `documents` by the name of their file. Call inside the organization's scope.
    """
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        place: dict[str, Any] = {}
        if row["answerable"]:
            place = {
                "document": documents[row["doc"]],
                "heading_path": [row["heading"]] if row.get("heading") else [],
                "page": row.get("page"),
                "passage": row["quote"],
                "expected_words": row["quote"],
            }
        EvaluationQuestion.objects.get_or_create(
            organization=organization,
            question=row["question"],
            defaults={"is_answerable": row["answerable"], **place},
        )
