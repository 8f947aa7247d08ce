"""An organization's own questions, put to its own documents."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from documents.access import ADMINISTRATION
from documents.models import Document
from retrieval.configuration import search_config, stored_values
from retrieval.evaluation.answers import Given, Verdict, figures, verdict
from retrieval.evaluation.judging import RIGHT, Expected, judged_ranking
from retrieval.evaluation.runs import CONFIGURATIONS, Answered, Data, stored_run
from retrieval.models import Evaluation, EvaluationQuestion, EvaluationRun
from retrieval.pipeline import search
from retrieval.registry import answering
from retrieval.types import SearchConfig, SearchScope
from skillnet.models import Organization

NAME = "own"  # of the data set, in stored runs


@dataclass(frozen=True, slots=True)
class Question:
    """A question without the database; `expected` is None where no document answers it."""

    name: str
    text: str
    expected: Expected | None


@dataclass(frozen=True, slots=True)
class Asked:
    """What one configuration gave for all questions, and how it did on refusing and on answering."""

    answers: Mapping[str, Answered]
    figures: Mapping[str, float]


def questions_of(organization_id: UUID) -> list[Question]:
    """The organization's questions with known answers, in the order they were added."""
    rows = EvaluationQuestion.objects.for_organization(organization_id).order_by("pk")
    return [
        Question(
            str(row.pk),
            row.question,
            Expected(row.document_id, tuple(row.heading_path), row.page, row.passage, row.expected_words)
            if row.document_id
            else None,
        )
        for row in rows
    ]


def data_of(organization: Organization, questions: Sequence[Question], *, cut: str = "") -> Data:
    """What an evaluation is about: the questions, and the versions that the organization serves. `cut`: how, where it
    is not as they are served.
    """
    served = Document.objects.for_organization(organization).served().order_by("pk")
    content = [
        [[question.name, question.text, repr(question.expected), *_words_of(question)] for question in questions],
        list(served.values_list("pk", "active_version_id")),
    ]
    fingerprint = hashlib.sha256(json.dumps(content).encode()).hexdigest()
    qrels = {question.name: {RIGHT: 1} for question in questions if question.expected is not None}
    return Data(organization.pk, f"{NAME}:{cut}" if cut else NAME, fingerprint, qrels)


def config_of(organization_id: UUID, configuration: str) -> SearchConfig:
    """A named configuration with the organization's own settings, but for what the name itself says."""
    named = CONFIGURATIONS[configuration]
    own = search_config(stored_values(organization_id))
    return replace(own, mode=named.mode, rerank=named.rerank, diversity=named.diversity)


def asked(
    questions: Sequence[Question],
    scope: SearchScope,
    config: SearchConfig,
    original: Callable[[int], int] = lambda document_id: document_id,
) -> Asked:
    """Put all questions to one configuration. `original`: the judged document of one that is searched."""
    answers: dict[str, Answered] = {}
    answered: list[bool] = []
    refused: list[bool] = []
    given: list[Given] = []
    verdicts: list[Verdict] = []
    who = answering()
    search("calentamiento", scope, config)  # loads the models, which is no part of a search's time
    for question in questions:
        result = search(question.text, scope, config)
        expected = question.expected
        right = [expected is not None and expected.is_in(hit, original(hit.document_id)) for hit in result.passages]
        ranking = judged_ranking(right, [str(hit.chunk_id) for hit in result.passages])
        answers[question.name] = Answered(ranking, result.trace["timings_ms"]["total"])
        if expected is None:
            refused.append(not result.evidence)
        else:
            answered.append(result.evidence)
        if who is not None:
            given.append(who(result, scope, config))
            right_hits = [hit for hit, is_right in zip(result.passages, right, strict=True) if is_right]
            verdicts.append(verdict(expected, given[-1], right_hits, original))
    shares = {"answered": _share(answered), "refused": _share(refused)}
    known = {name: share for name, share in shares.items() if share is not None}
    return Asked(answers, known | figures([question.expected for question in questions], given, verdicts))


def evaluate_configuration(
    organization: Organization, configuration: str, evaluation: Evaluation | None = None
) -> EvaluationRun:
    """Put the organization's questions to one named configuration and store the run. Call inside its scope.

    Beside the usual measures its metrics hold `answered`, the share of questions with an answer that search was sure
    enough of, `refused`, the share of those without one that it was not, and the figures of the answers.
    """
    questions = questions_of(organization.pk)
    config = config_of(organization.pk, configuration)
    got = asked(questions, SearchScope(organization.pk, ADMINISTRATION), config)
    return stored_run(
        data_of(organization, questions),
        configuration,
        config,
        got.answers,
        evaluation=evaluation,
        further_metrics=got.figures,
    )


def _words_of(question: Question) -> list[str]:
    return [question.expected.words] if question.expected is not None and question.expected.words else []


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None
