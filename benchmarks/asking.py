"""Questions of a file, searched and read in an organization's documents. Set up Django before importing it."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from documents.access import ADMINISTRATION
from documents.models import Document
from retrieval.evaluation.corpus import ingested
from retrieval.evaluation.dataset import read_data_set
from retrieval.pipeline import search
from retrieval.types import Passage, SearchResult, SearchScope
from skillnet.backends import get_embedder
from skillnet.models import Organization
from skillnet.tenancy import organization_scope
from tutor.answering import answer
from tutor.events import Answer, Done
from tutor.reading import Reading, read, wording_of


class Asked(NamedTuple):
    row: dict[str, Any]  # the question's line: `question`, `answerable`, `doc`, `quote`
    result: SearchResult
    reading: Reading
    names: Mapping[int, str]  # of the documents' files, by their ids

    def is_from_right_document(self, passage: Passage) -> bool:
        return bool(self.row["answerable"]) and self.names[passage.document_id] == self.row["doc"]


def asked(slug: str, file: Path, *, answerable_only: bool = False) -> Iterator[Asked]:
    """Each question of a JSONL file, asked as the administration of the organization of that slug."""
    organization = Organization.objects.get(slug=slug)
    with organization_scope(organization.pk):
        documents = Document.objects.for_organization(organization).values_list("pk", "active_version__file_name")
        names = dict(documents)
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    wanted = (row for row in rows if row["answerable"] or not answerable_only)
    yield from _asked(wanted, SearchScope(organization.pk, ADMINISTRATION), names)


def asked_of_paragraphs(folder: Path) -> Iterator[Asked]:
    """Each question of a folder in BEIR layout, asked of its paragraphs. Which of them answers is not told."""
    data_set = read_data_set(folder, judged=False)
    scope, names = ingested(data_set)
    rows = ({"question": one.text, "answerable": one.answerable, "doc": None} for one in data_set.queries)
    yield from _asked(rows, scope, names)


def _asked(rows: Iterable[dict[str, Any]], scope: SearchScope, names: Mapping[int, str]) -> Iterator[Asked]:
    embedder = get_embedder()
    with organization_scope(scope.organization_id):
        for row in rows:
            result = search(row["question"], scope)
            yield Asked(row, result, read(wording_of(result), result.passages, embedder), names)


def answer_to(question: str, scope: SearchScope) -> Answer:
    """The tutor's answer, looked up anew: else a second run reads what the first kept."""
    events = list(answer(question, scope=scope, is_fresh=True))
    assert isinstance(events[-1], Done)
    return events[-1].answer
