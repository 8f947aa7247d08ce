"""Ways of cutting documents compared on an organization's own documents and questions.

Each way gets a copy of the documents in an organization that is never committed: it is cut, embedded and searched as
the product does it, and then rolled back.
"""

import logging
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from documents import ingestion
from documents.access import ADMINISTRATION
from documents.models import Document, DocumentVersion, ParsedContent, Status
from retrieval.configuration import stored_values
from retrieval.evaluation.question_set import Asked, Question, asked, config_of, data_of, questions_of
from retrieval.evaluation.runs import stored_run
from retrieval.models import EvaluationRun, SettingsOverride
from retrieval.types import SearchConfig, SearchScope
from skillnet.errors import SkillNetError
from skillnet.models import Organization
from skillnet.tenancy import organization_scope

logger = logging.getLogger(__name__)

_OWN_SIZES = ("chunk_strategy", "chunk_size", "chunk_overlap")  # a way of cutting brings its own


class CannotCopy(SkillNetError):
    """A document cannot be cut or embedded for the comparison."""

    code = "cannot_copy"


class _NeverKept(Exception):
    """Ends the copy's transaction without a commit."""


@dataclass(frozen=True, slots=True)
class _Text:
    """A served document as it was read."""

    document_id: int
    title: str
    language: str
    file_name: str
    page_count: int
    blocks: Sequence[dict[str, Any]]
    markdown: str


def evaluate_chunking(
    organization: Organization, strategies: Sequence[str], configurations: Sequence[str]
) -> list[EvaluationRun]:
    """Put the organization's questions to its documents, cut in each way, and store the runs with the organization.

    Call outside any scope. A run's configuration is named `configuration/strategy`. Takes as long as embedding all
    documents once for each way.
    """
    with organization_scope(organization.pk):
        questions = questions_of(organization.pk)
        texts = _texts(organization)
        values = {name: value for name, value in stored_values(organization.pk).items() if name not in _OWN_SIZES}
        configs = {name: config_of(organization.pk, name) for name in configurations}
    results = {
        strategy: _with_copy(texts, {**values, "chunk_strategy": strategy}, questions, configs)
        for strategy in strategies
    }
    with organization_scope(organization.pk):
        return [
            stored_run(
                data_of(organization, questions, cut=strategy),
                f"{name}/{strategy}",
                configs[name],
                got.answers,
                further_metrics={**got.figures, "chunks": chunk_count},
            )
            for strategy, (chunk_count, by_name) in results.items()
            for name, got in by_name.items()
        ]


def _texts(organization: Organization) -> list[_Text]:
    contents = (
        ParsedContent.objects.for_organization(organization)
        .filter(version__document_where_active__isnull=False)
        .select_related("version__document")
        .order_by("version__document_id")
    )
    return [
        _Text(
            content.version.document_id,
            content.version.document.title,
            content.version.document.language,
            content.version.file_name,
            content.version.page_count,
            content.blocks,
            content.markdown,
        )
        for content in contents
    ]


def _with_copy(
    texts: Sequence[_Text], values: dict[str, Any], questions: Sequence[Question], configs: dict[str, SearchConfig]
) -> tuple[int, dict[str, Asked]]:
    copy_id = uuid.uuid4()
    with _rolled_back(copy_id):
        copy = Organization.objects.create(pk=copy_id, slug=f"evaluation-{copy_id.hex[:16]}", name="evaluation")
        SettingsOverride.objects.create(organization=copy, values=values)
        originals = {_ingested(copy, text): text.document_id for text in texts}
        versions = DocumentVersion.objects.for_organization(copy).filter(document_where_active__isnull=False)
        chunk_count = sum(version.chunks.count() for version in versions)
        scope = SearchScope(copy_id, ADMINISTRATION)
        results = {name: asked(questions, scope, config, originals.__getitem__) for name, config in configs.items()}
        logger.info("%s: %s pieces", values["chunk_strategy"], chunk_count)
    return chunk_count, results


def _ingested(copy: Organization, text: _Text) -> int:
    document = Document.objects.create(organization=copy, title=text.title, title_is_given=True, language=text.language)
    version = DocumentVersion.objects.create(
        organization=copy,
        document=document,
        number=1,
        file_name=text.file_name,
        sha256="",
        size=0,
        page_count=text.page_count,
        status=Status.CHUNKING,
    )
    ParsedContent.objects.create(organization=copy, version=version, blocks=list(text.blocks), markdown=text.markdown)
    ingestion.run(copy.pk, version.pk)
    version.refresh_from_db()
    if not version.is_ready or version.vectors_pending:
        raise CannotCopy(
            version.error_code, user_message=_("No se ha podido preparar «%(title)s».") % {"title": text.title}
        )
    return int(document.pk)


@contextmanager
def _rolled_back(organization_id: uuid.UUID) -> Iterator[None]:
    try:
        with organization_scope(organization_id):
            yield
            raise _NeverKept
    except _NeverKept:
        return
