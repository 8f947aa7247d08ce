"""Lessons written anew from what their sources say now, to compare and accept. Nothing changes before that."""

import re
from collections.abc import Iterator, Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from courses import jobs, notices, withdrawing
from courses.composing import compose
from courses.models import (
    Lesson,
    LessonProposal,
    LessonSource,
    NoticeStatus,
    ProposalStatus,
    QuizItem,
    Resolution,
    TouchedLesson,
)
from courses.proposal_writing import material_of
from documents.models import ParsedContent
from skillnet.backends import get_language_model
from skillnet.errors import SkillNetError
from skillnet.models import User

OWN_WORDS = 5
_WORD = re.compile(r"\w+")


class NothingLeft(SkillNetError):
    """None of the sections that a lesson rests on is there any more."""

    user_message = _(
        "Las secciones en las que se basa esta lección ya no están en sus documentos. Elige otras fuentes o edítala."
    )


class AlreadyDecided(SkillNetError):
    """A proposal that was accepted or discarded cannot be decided again."""

    user_message = _("Esta propuesta ya se aceptó o se descartó. Vuelve al aviso para ver cómo quedó.")


@transaction.atomic
def propose(*, lesson: Lesson, created_by: User | None) -> LessonProposal:
    """A lesson written anew from the sections it rests on, as its documents have them now, in their own words.

    Where there is a language model, a worker then puts it into that one's words (`proposal_writing`). An earlier
    proposal nobody has decided on gives way to this one. Raises: NothingLeft.
    """
    material = material_of(lesson)
    if not material.pieces:
        raise NothingLeft
    composed = compose(lesson.title, material.pieces, None)
    is_to_be_rewritten = get_language_model() is not None
    LessonProposal.objects.filter(lesson=lesson, status=ProposalStatus.PROPOSED).delete()
    proposal = LessonProposal.objects.create(
        organization_id=lesson.organization_id,
        lesson=lesson,
        title=lesson.title,
        summary=composed.summary,
        content=composed.content,
        sources=material.sources,
        quiz_items=composed.items,
        rewriting_since=timezone.now() if is_to_be_rewritten else None,
        created_by=created_by,
    )
    if is_to_be_rewritten:
        jobs.rewrite_on_commit(proposal.organization_id, proposal.pk)
    return proposal


def own_lines(lesson: Lesson, lines: Sequence[str]) -> list[str]:
    """Those of a lesson's lines that are neither as they were composed nor said by any version of its documents: what
    somebody wrote. Shorter ones, as headings are, are not looked for.
    """
    long = {line: f" {_words(line)} " for line in lines if len(line.split()) >= OWN_WORDS}
    for text in _texts_of(lesson):
        said = f" {_words(text)} "
        long = {line: words for line, words in long.items() if words not in said}
        if not long:
            break
    return list(long)


def _texts_of(lesson: Lesson) -> Iterator[str]:
    """What a lesson may have from elsewhere, the likeliest first: documents are long, and rarely have to be read."""
    yield lesson.composed
    documents = lesson.sources.values("document")
    read = ParsedContent.objects.filter(version__document__in=documents).order_by("-version_id")
    yield from read.values_list("markdown", flat=True).iterator(chunk_size=1)


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.replace("\\", "").lower()))


@transaction.atomic
def accept(*, proposal: LessonProposal, accepted_by: User) -> Lesson:
    """Teach what a proposal says. New questions wait for review, and old ones whose passage is gone do so again.

    What was open about this lesson, in notices or for a document it lost, is settled. Raises: AlreadyDecided.
    """
    proposal = _decide(proposal, ProposalStatus.ACCEPTED, accepted_by)
    lesson = proposal.lesson
    lesson.title, lesson.summary, lesson.content = proposal.title, proposal.summary, proposal.content
    lesson.composed = proposal.content
    lesson.changed_at = timezone.now()
    lesson.save(update_fields=["title", "summary", "content", "composed", "changed_at"])
    lesson.sources.all().delete()
    LessonSource.objects.bulk_create(
        [LessonSource(organization_id=lesson.organization_id, lesson=lesson, **source) for source in proposal.sources]
    )
    _renew_questions(lesson, proposal)
    open_touches = TouchedLesson.objects.filter(
        lesson=lesson, resolution=Resolution.OPEN, notice__status=NoticeStatus.OPEN
    )
    for touched in open_touches:
        notices.resolve(touched=touched, resolution=Resolution.REGENERATED, resolved_by=accepted_by)
    withdrawing.note_rewritten(lesson)
    return lesson


@transaction.atomic
def discard(*, proposal: LessonProposal, discarded_by: User) -> None:
    """Keep the lesson as it is. Raises: AlreadyDecided."""
    _decide(proposal, ProposalStatus.DISCARDED, discarded_by)


def _decide(proposal: LessonProposal, status: ProposalStatus, decided_by: User) -> LessonProposal:
    proposals = LessonProposal.objects.select_for_update(no_key=True, of=("self",)).select_related("lesson")
    found: LessonProposal = proposals.get(pk=proposal.pk)
    if found.status != ProposalStatus.PROPOSED:
        raise AlreadyDecided
    found.status, found.decided_by, found.decided_at = status, decided_by, timezone.now()
    found.save(update_fields=["status", "decided_by", "decided_at"])
    return found


def _renew_questions(lesson: Lesson, proposal: LessonProposal) -> None:
    """Questions whose passage still stands stay as they are; the others go back to review, as drafted anew where they
    were, and further new ones join them.
    """
    text = " ".join(proposal.content.replace("\\", "").replace("|", " ").split())
    drafted = {fields["question"]: fields for fields in proposal.quiz_items}
    for item in lesson.quiz_items.all():
        fields = drafted.pop(item.question, None)
        if item.quote and " ".join(item.quote.split()) in text:
            continue
        for name, value in (fields or {}).items():
            setattr(item, name, value)
        item.is_reviewed = False
        item.save()
    position = lesson.quiz_items.count()
    QuizItem.objects.bulk_create(
        [
            QuizItem(organization_id=lesson.organization_id, lesson=lesson, position=position + at, **fields)
            for at, fields in enumerate(drafted.values())
        ]
    )
