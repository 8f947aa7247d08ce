"""Update notices: raised when a document's new version differs where courses rest on it, settled lesson by lesson.

Nothing that is taught changes here. Only the headings by which lessons and questions name their sources follow a
renamed or moved section, so that the next version finds them.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from courses import telling
from courses.models import (
    Course,
    Lesson,
    LessonSource,
    NoticeStatus,
    QuizItem,
    Resolution,
    TouchedLesson,
    UpdateNotice,
)
from courses.registry import dropped_with
from courses.sources import Source
from courses.touching import Touch, VersionComparison, summary
from documents.diffing import Change, Line, LineChange, SectionChange, compare, line_changes
from documents.models import DocumentVersion, ParsedContent
from documents.parsing.types import Block
from skillnet.models import User


@transaction.atomic
def raise_notices(*, version: DocumentVersion, previous: DocumentVersion) -> list[UpdateNotice]:
    """Tell the courses that rest on a document what changed in it, and point their sources to where those went.

    Returns the notices now open because of this version; none when both versions say the same. A notice still open
    from an earlier version is widened; when the document came back to what it said before, it is withdrawn.
    """
    before, after = blocks_of(previous), blocks_of(version)
    comparison = VersionComparison(before, after)
    touched = _follow(comparison, version)
    paths = {change.before.path for change in comparison.changes if change.before is not None}
    dropped = dropped_with(version.organization_id, version.document_id, paths) if paths else []
    notices = []
    for course in _courses_on(version):
        notice = _noted(course, comparison, version, previous, after, dropped)
        if notice is None:
            continue
        notices.append(notice)
        for lesson_id, touch in touched.items():
            if touch.course_id == course.pk:
                _mark(notice, lesson_id, touch)
    return notices


def awaits_review(lesson: Lesson) -> bool:
    """Whether a source of a lesson has changed and nobody has decided yet what that means for it."""
    return TouchedLesson.objects.filter(
        lesson=lesson, resolution=Resolution.OPEN, notice__status=NoticeStatus.OPEN
    ).exists()


def resolve(*, touched: TouchedLesson, resolution: Resolution, resolved_by: User, reason: str = "") -> None:
    """Settle what was to be decided about one lesson. The notice itself stays open until it is closed."""
    touched.resolution, touched.reason = resolution, reason
    touched.resolved_by, touched.resolved_at = resolved_by, timezone.now()
    touched.save(update_fields=["resolution", "reason", "resolved_by", "resolved_at"])


def note_reread(touched: TouchedLesson) -> None:
    """Note that those who had done a lesson were asked to read it again."""
    touched.reread_asked_at = timezone.now()
    touched.save(update_fields=["reread_asked_at"])


def text_changes(before: Sequence[Line], after: Sequence[Line]) -> tuple[LineChange, ...]:
    """Two texts line against line, each as its cells, words that changed marked and long equal runs folded."""
    return line_changes(before, after)


def close(*, notice: UpdateNotice, closed_by: User) -> None:
    """Take a notice off the list of what is to be reviewed. Closing it again changes nothing."""
    if notice.status == NoticeStatus.CLOSED:
        return
    notice.status, notice.closed_by, notice.closed_at = NoticeStatus.CLOSED, closed_by, timezone.now()
    notice.dropped_questions = []  # what employees asked is not kept for longer than it is of use
    notice.save(update_fields=["status", "closed_by", "closed_at", "dropped_questions"])
    telling.settle_notice(notice)


def blocks_of(version: DocumentVersion) -> list[Block]:
    """What was read in a version; empty when nothing was kept of it."""
    content = ParsedContent.objects.filter(version=version).values_list("blocks", flat=True).first()
    return [Block.from_json(data) for data in content or []]


# --- courses and their notices


def _courses_on(version: DocumentVersion) -> Iterable[Course]:
    """The courses that are about a document, or have a lesson that rests on it."""
    uses = Q(course_documents__document=version.document_id) | Q(
        modules__lessons__sources__document=version.document_id
    )
    courses = Course.objects.for_organization(version.organization_id).filter(uses)
    return list(courses.distinct().order_by("pk"))


def _noted(
    course: Course,
    comparison: VersionComparison,
    version: DocumentVersion,
    previous: DocumentVersion,
    after: Sequence[Block],
    dropped: Sequence[str],
) -> UpdateNotice | None:
    """The open notice of a course about a document, with all that changed since it was first raised."""
    notice: UpdateNotice | None = (
        UpdateNotice.objects.open().filter(course=course, document=version.document_id).first()
    )
    if notice is None:
        if not comparison.changes:
            return None
        notice = UpdateNotice(
            organization_id=version.organization_id,
            course=course,
            document_id=version.document_id,
            from_version=previous,
        )
        changes = comparison.changes
    else:
        changes = compare(blocks_of(notice.from_version), after)
        if not changes:
            telling.settle_notice(notice)
            notice.delete()
            return None
    notice.to_version = version
    notice.changes = [summary(change) for change in changes]
    notice.dropped_questions = list(dict.fromkeys([*notice.dropped_questions, *dropped]))
    notice.save()
    return notice


# --- what rests on the changed sections


class _Touched:
    """What touches one lesson: through its sources, and which of its questions are in doubt."""

    def __init__(self, course_id: int) -> None:
        self.course_id = course_id
        self.changes: dict[tuple[str, ...], dict[str, Any]] = {}
        self.quiz_item_ids: set[int] = set()
        self.is_orphaned = False

    def add(self, touch: Touch) -> None:
        for change in touch.changes:
            found = summary(change)
            section = change.after or change.before
            self.changes[section.path if section else ()] = found
        self.is_orphaned |= touch.is_orphaned


def _follow(comparison: VersionComparison, version: DocumentVersion) -> dict[int, _Touched]:
    """The touched lessons by id, after their sources and questions were pointed to where the sections went."""
    touched: dict[int, _Touched] = {}

    def of(lesson: Lesson) -> _Touched:
        return touched.setdefault(lesson.pk, _Touched(lesson.module.course_id))

    sources = LessonSource.objects.filter(document=version.document_id).select_related("lesson__module")
    for source in sources.order_by("pk"):
        touch = comparison.touch(source.place)
        if touch.changes or touch.is_orphaned:
            of(source.lesson).add(touch)
        _point(source, touch)
    items = QuizItem.objects.filter(document=version.document_id).select_related("lesson__module")
    for item in items.order_by("pk"):
        touch = comparison.touch(Source(tuple(item.heading_path), page=item.page))
        if touch.is_orphaned or any(_is_in_doubt(item, change) for change in touch.changes):
            of(item.lesson).quiz_item_ids.add(item.pk)
        _point(item, touch)
    return touched


def _point(row: LessonSource | QuizItem, touch: Touch) -> None:
    """Let a source or question name its section as the newer version does; one that vanished keeps its old name."""
    if touch.path is not None and list(touch.path) != row.heading_path:
        row.heading_path = list(touch.path)
        row.save(update_fields=["heading_path"])


def _is_in_doubt(item: QuizItem, change: SectionChange) -> bool:
    """Whether a change takes away the words that a question rests on."""
    if Change.REMOVED in change.changes:
        return True
    if Change.EDITED not in change.changes or change.after is None:
        return False
    text = " ".join(" ".join(line) for line in change.after.lines)
    return not item.quote or " ".join(item.quote.split()) not in " ".join(text.split())


def _mark(notice: UpdateNotice, lesson_id: int, touch: _Touched) -> None:
    """Put a lesson on a notice. One that had been settled is open again: what it rests on changed once more."""
    marked, _created = TouchedLesson.objects.get_or_create(
        notice=notice, lesson_id=lesson_id, defaults={"organization_id": notice.organization_id}
    )
    known = {tuple(change["heading_path"]): change for change in marked.changes}
    marked.changes = list((known | touch.changes).values())
    marked.quiz_item_ids = sorted({*marked.quiz_item_ids, *touch.quiz_item_ids})
    marked.is_orphaned = touch.is_orphaned
    marked.resolution, marked.reason = Resolution.OPEN, ""
    marked.resolved_by = marked.resolved_at = None
    marked.save()
