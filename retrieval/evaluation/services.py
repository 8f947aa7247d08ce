"""Building a question set and measuring it. Call inside the organization's scope."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from documents.models import Chunk
from retrieval.evaluation import jobs
from retrieval.models import Evaluation, EvaluationQuestion
from skillnet.errors import SkillNetError
from skillnet.models import Organization, User


class NothingToMeasure(SkillNetError):
    """There is no question with an answer yet."""

    code = "nothing_to_measure"
    user_message = _("Añade antes al menos una pregunta que tenga respuesta en tus documentos.")


@transaction.atomic
def judge_question(
    *, organization: Organization, question: str, chunk: Chunk | None, created_by: User, expected_words: str = ""
) -> EvaluationQuestion:
    """Keep a question with the passage that answers it, or with none where no document does.

    A question judged before is judged anew. `chunk` must be served, and readable by whoever asks.
    `expected_words`: what the answer must say.
    """
    version = None if chunk is None else chunk.version
    judged, _created = EvaluationQuestion.objects.update_or_create(
        organization=organization,
        question=question,
        defaults={
            "is_answerable": chunk is not None,
            "document_id": None if version is None else version.document_id,
            "heading_path": [] if chunk is None else chunk.heading_path,
            "page": None if chunk is None else chunk.page_start,
            "passage": "" if chunk is None else chunk.text,
            "expected_words": expected_words if chunk is not None else "",
            "created_by": created_by,
        },
    )
    return judged


@transaction.atomic
def start_evaluation(*, organization: Organization, configurations: Sequence[str], started_by: User) -> Evaluation:
    """Have a worker measure the organization's questions. Raises: NothingToMeasure."""
    if not EvaluationQuestion.objects.for_organization(organization).filter(is_answerable=True).exists():
        raise NothingToMeasure
    evaluation = Evaluation.objects.create(
        organization=organization, configurations=list(configurations), started_by=started_by
    )
    jobs.enqueue_on_commit(evaluation)
    return evaluation


@transaction.atomic
def restart_evaluation(evaluation: Evaluation) -> None:
    """Go on with an evaluation that failed or that no worker heard of. What it has measured is kept."""
    if evaluation.state == Evaluation.State.DONE:
        return
    evaluation.state = Evaluation.State.WAITING
    evaluation.error_message = ""
    evaluation.save(update_fields=["state", "error_message"])
    jobs.enqueue_on_commit(evaluation)
