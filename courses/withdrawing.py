"""What rests on a document that is deleted: marked until somebody has looked. Call inside the organization's scope.

Nothing that is taught changes. The mark does not name the document: nobody can tell any more who might read of it.
"""

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from courses import telling
from courses.models import Course, Lesson
from documents.models import Document


@transaction.atomic
def withdraw(document: Document) -> None:
    """Mark the courses and lessons that rest on a document about to be deleted, and tell those who manage courses."""
    now = timezone.now()
    lessons = Lesson.objects.for_organization(document.organization_id).filter(sources__document=document)
    courses = Course.objects.for_organization(document.organization_id).filter(
        Q(course_documents__document=document) | Q(modules__lessons__in=lessons)
    )
    marked = list(courses.select_related("organization").distinct().order_by("pk"))
    Lesson.objects.filter(pk__in=list(lessons.values_list("pk", flat=True))).update(source_withdrawn_at=now)
    Course.objects.filter(pk__in=[course.pk for course in marked]).update(source_withdrawn_at=now)
    for course in marked:
        telling.tell_of_withdrawal(course)


@transaction.atomic
def note_reviewed(course: Course) -> None:
    """Somebody has looked at what lost its source."""
    Lesson.objects.filter(module__course=course).update(source_withdrawn_at=None)
    Course.objects.filter(pk=course.pk).update(source_withdrawn_at=None)
    telling.settle_withdrawal(course)


@transaction.atomic
def note_rewritten(lesson: Lesson) -> None:
    """A lesson rests on what is there now. With the last of its lessons that had lost something a course is settled."""
    if lesson.source_withdrawn_at is None:
        return
    lesson.source_withdrawn_at = None
    lesson.save(update_fields=["source_withdrawn_at"])
    course = Course.objects.select_for_update(no_key=True, of=("self",)).get(modules__lessons=lesson)
    if not Lesson.objects.filter(module__course=course, source_withdrawn_at__isnull=False).exists():
        note_reviewed(course)
