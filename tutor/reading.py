"""The best passages read closely: what answers in them, and how sure that is."""

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

from retrieval.calibration import calibration_for
from retrieval.configuration import limits_of, strictest
from retrieval.followups import Form, form_of
from retrieval.pipeline import has_enough_sources
from retrieval.types import Passage, SearchConfig, SearchResult, SearchScope
from skillnet.backends.protocols import Embedder
from skillnet.errors import BackendUnavailable, InvalidEmbedding
from tutor.choices import MAX_SENTENCES, OTHER_PASSAGE_MARGIN
from tutor.cutting import passage_units
from tutor.diets import diet_of
from tutor.emergencies import announces_emergencies, asks_whom_to_call, emergency_in, instructive
from tutor.evidence import answer_signals, is_doubtful, is_looked_up, is_off_subject, names_unknown_code, says_all
from tutor.relevance import cosines_alone, read_passages, unit_matches
from tutor.scoring import Choice, Match, compared, score_units, to_compare
from tutor.subjects import Subject, subject_of

logger = logging.getLogger(__name__)

LOOKED_UP = 0.9  # confidence of a row that has the name, under a column that has the other words of the question
SAYS_ALL = 0.75  # of a sentence that says all of the question's words, and the sort of thing that it asks for
DOUBTFUL = 0.8  # confidence stays below that of a clear answer where the word that tells most was not found


@dataclass(frozen=True, slots=True)
class Reading:
    """The passages that were read, best first, and their units scored, in reading order."""

    passages: Sequence[Passage]
    choices: Sequence[Choice]


class _Latest(threading.local):
    """A thread's last reading, and of what: who has assessed a search's result goes on to write the answer."""

    made: tuple[str, Sequence[Passage], Embedder, Reading] | None = None


_latest = _Latest()


def read(question: str, passages: Sequence[Passage], embedder: Embedder) -> Reading:
    """What stands in the first passages, scored; the very passages that were read last for the same question are not
    read again.
    """
    if (made := _latest.made) and made[0] == question and made[1] is passages and made[2] is embedder:
        return made[3]
    reading = _read(question, passages, embedder)
    _latest.made = (question, passages, embedder, reading)
    return reading


def _read(question: str, passages: Sequence[Passage], embedder: Embedder) -> Reading:
    """Score what stands in the first passages, the best units twice: in their passage and by themselves. By their words
    alone when the embedder cannot be reached.
    """
    passages = read_passages(passages)
    try:
        choices = score_units(question, passages, unit_matches(question, passages, embedder))
        if embedder.supports_tokens:  # without, each unit has been embedded by itself
            few = to_compare(choices)
            choices = compared(choices, few, cosines_alone(question, passages, few, embedder))
    except (BackendUnavailable, InvalidEmbedding):
        logger.warning("No embedder: the answer's sentences are chosen by their words alone")
        matches = [[Match()] * len(passage_units(passage)) for passage in passages]
        choices = score_units(question, passages, matches)
    return Reading(passages, choices)


def wording_of(result: SearchResult) -> str:
    """The question as its answer is to be picked: in the asker's own words, together with the topic only where they
    name nothing. The topic has led the search; its words would pick the earlier answer again, unless the part that
    differs was exchanged in it. An emergency's signs are read as what they are signs of, where something says what to
    do about it; who asks whom to call is not told what else to do.
    """
    emergency = emergency_in(result.question)
    if emergency is not None and instructive(emergency, result.passages):
        return result.question if asks_whom_to_call(result.question) else emergency.wording
    is_joined = result.searched.endswith(result.question)
    if result.searched and (not is_joined or form_of(result.question) is Form.EMPTY):
        return result.searched
    return result.question


def is_readable(result: SearchResult) -> bool:
    """Whether a search looked at its passages' tokens, and any of them is in the question's language."""
    languages = {passage.language for passage in result.passages}
    return "late_interaction" in result.trace.get("signals", {}) and result.language in languages


def with_limits(result: SearchResult, scope: SearchScope, config: SearchConfig) -> SearchResult:
    """A search's result with what the collections of its documents ask for. Call inside the organization's scope."""
    documents = {passage.document_id for passage in result.passages}
    return replace(result, limits=limits_of(config, scope, documents))


def assessed(result: SearchResult, config: SearchConfig, embedder: Embedder) -> SearchResult:
    """A search's result with the confidence, and the evidence, that reading its passages gives.

    A search that could not look at its passages' tokens keeps its own: the embedder is missing or another one, or no
    document is written in the question's language. What is asked for by the collections of the documents that an answer
    would be made of holds in place of `config`.
    """
    if result.limits:
        result = replace(result, evidence=_is_found(result, config))
    signals = result.trace.get("signals", {})
    wording = wording_of(result)
    subject = subject_of(wording)
    reads_closely = is_readable(result)
    if not reads_closely and subject is None:  # few words: their language may have been mistaken
        return result
    reading = read(wording, result.passages, embedder)
    if not reading.choices:
        return result
    if not reads_closely:
        is_ruled_out = _is_ruled_out(reading, wording, subject, result.confidence)
        return replace(result, evidence=result.evidence and not is_ruled_out)
    calibration = calibration_for(embedder.model_id, "answer")
    confidence = calibration.confidence(answer_signals(reading.choices) | signals)
    asked_for = strictest(config, result.limits, _carriers(reading))
    if is_looked_up(reading.choices):
        confidence = max(confidence, LOOKED_UP)
    if says_all(reading.choices):
        confidence = max(confidence, SAYS_ALL)
    is_sure = confidence >= min(max(calibration.threshold + asked_for.confidence_offset, 0.0), 1.0)
    is_ruled_out = _is_ruled_out(reading, wording, subject, confidence)
    if is_doubtful(reading.choices) or is_off_subject(reading.choices):
        confidence = min(confidence, DOUBTFUL)
    is_answered = is_sure or _is_instructed(result)
    evidence = is_answered and not is_ruled_out and has_enough_sources(result.passages, asked_for.minimum_sources)
    return replace(result, confidence=confidence, evidence=evidence)


def _is_found(result: SearchResult, config: SearchConfig) -> bool:
    """Whether what a search found is evidence by its own confidence, as the collection of its best passage has it."""
    asked_for = strictest(config, result.limits, [passage.document_id for passage in result.passages[:1]])
    threshold = result.threshold + asked_for.confidence_offset - config.confidence_offset
    is_sure = result.confidence >= min(max(threshold, 0.0), 1.0)
    return is_sure and has_enough_sources(result.passages, asked_for.minimum_sources)


def _is_instructed(result: SearchResult) -> bool:
    """Whether what was found in an emergency is about what to do in one: it is shown, if only to be looked over."""
    emergency = emergency_in(result.question)
    return emergency is not None and announces_emergencies(emergency, result.passages)


def _carriers(reading: Reading) -> set[int]:
    """The documents of the sentences that an answer in the documents' own words may be made of."""
    best = sorted(reading.choices, key=lambda choice: -choice.score)[:MAX_SENTENCES]
    near = [choice for choice in best if choice.score >= best[0].score - OTHER_PASSAGE_MARGIN]
    return {reading.passages[choice.passage].document_id for choice in near}


def _is_ruled_out(reading: Reading, wording: str, subject: Subject | None, confidence: float) -> bool:
    """Whether nothing read names what the question is about, and it would have to, or all else is not clear either.

    A code would have to.
    """
    if names_unknown_code(reading.choices):
        return True
    must_be_named = subject is None or subject.must_be_named or bool(diet_of(wording))
    return is_off_subject(reading.choices) and (must_be_named or confidence < DOUBTFUL)
