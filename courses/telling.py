"""What courses put under people's bells."""

from django.urls import reverse

from courses.models import Course, CourseDraft, CourseStatus, DraftStatus, Lesson, LessonProgress, UpdateNotice
from skillnet import notifications
from skillnet.models import MANAGERS, Membership
from skillnet.notification_kinds import Kind


def tell_of_notice(notice: UpdateNotice) -> None:
    """Those who manage courses find an update notice, unless its document is beyond them."""
    managers = Membership.objects.active().filter(organization=notice.organization_id, role__in=MANAGERS)
    open_notice = UpdateNotice.objects.filter(pk=notice.pk)
    notifications.tell(
        organization_id=notice.organization_id,
        user_ids=[member.user_id for member in managers if open_notice.open_to(member).exists()],
        kind=Kind.SOURCE_UPDATED,
        matter=_notice_matter(notice),
        subject=notice.course.title,
        address=reverse("courses:notice", args=[notice.organization.slug, notice.pk]),
        address_of_all=reverse("courses:notices", args=[notice.organization.slug]),
    )


def settle_notice(notice: UpdateNotice) -> None:
    """Nothing is left to be reviewed."""
    notifications.settle(notice.organization_id, _notice_matter(notice))


def tell_of_withdrawal(course: Course) -> None:
    """Those who manage courses find that one of them lost a document it rests on."""
    managers = Membership.objects.active().filter(organization=course.organization_id, role__in=MANAGERS)
    notifications.tell(
        organization_id=course.organization_id,
        user_ids=list(managers.values_list("user_id", flat=True)),
        kind=Kind.SOURCE_WITHDRAWN,
        matter=_withdrawal_matter(course),
        subject=course.title,
        address=reverse("courses:editor", args=[course.organization.slug, course.pk]),
        address_of_all=reverse("courses:list", args=[course.organization.slug]),
    )


def settle_withdrawal(course: Course) -> None:
    """Somebody has looked at a course that lost a document."""
    notifications.settle(course.organization_id, _withdrawal_matter(course))


def forget_course(course: Course) -> None:
    """A course is about to be deleted: nobody finds anything that leads to it, its notices or its draft."""
    matters = [_course_matter(course), _withdrawal_matter(course)]
    matters += map(_notice_matter, UpdateNotice.objects.filter(course=course))
    matters += map(_draft_matter, CourseDraft.objects.filter(course=course))
    notifications.remove(course.organization_id, matters)


def tell_to_reread(lesson: Lesson) -> None:
    """Those who were asked to read a lesson again find its course."""
    asked = LessonProgress.objects.filter(lesson=lesson, reread_asked_at__isnull=False)
    course = Course.objects.get(modules__lessons=lesson)
    tell_learners(course, list(asked.values_list("enrolment__user_id", flat=True)), Kind.REREAD_ASKED)


def settle_course(course: Course, user_id: int | None = None) -> None:
    """Nothing is left to be done in a course, by one person or for all."""
    notifications.settle(course.organization_id, _course_matter(course), user_id=user_id)


def tell_assigned(course: Course, user_ids: list[int]) -> None:
    """People find a course that they are to do, unless something of it waits for them already; of one that is still a
    draft nobody is told.
    """
    if course.status == CourseStatus.PUBLISHED:
        waiting = notifications.people_told(course.organization_id, _course_matter(course), unread_only=True)
        tell_learners(course, [one for one in user_ids if one not in waiting], Kind.COURSE_ASSIGNED)


def people_told(course: Course) -> set[int]:
    """The ids of those who were told anything of a course."""
    return notifications.people_told(course.organization_id, _course_matter(course))


def tell_of_draft(draft: CourseDraft) -> None:
    """Whoever asked for lessons finds that they are written, or why they are not, while they manage courses."""
    managers = Membership.objects.active().filter(organization=draft.organization_id, role__in=MANAGERS)
    notifications.tell(
        organization_id=draft.organization_id,
        user_ids=list(managers.filter(user=draft.created_by_id).values_list("user_id", flat=True)),
        kind=Kind.COURSE_WRITTEN if draft.status == DraftStatus.DONE else Kind.COURSE_NOT_WRITTEN,
        matter=_draft_matter(draft),
        subject=draft.course.title,
        address=reverse("courses:draft", args=[draft.organization.slug, draft.pk]),
    )


def settle_draft(draft: CourseDraft, user_id: int) -> None:
    """Someone has seen what has become of a draft."""
    notifications.settle(draft.organization_id, _draft_matter(draft), user_id=user_id)


def tell_learners(course: Course, user_ids: list[int], kind: Kind) -> None:
    """People find how they stand in a course."""
    notifications.tell(
        organization_id=course.organization_id,
        user_ids=user_ids,
        kind=kind,
        matter=_course_matter(course),
        subject=course.title,
        address=reverse("courses:detail", args=[course.organization.slug, course.pk]),
        address_of_all=reverse("courses:my_courses", args=[course.organization.slug]),
    )


def _notice_matter(notice: UpdateNotice) -> str:
    return f"notice:{notice.pk}"


def _withdrawal_matter(course: Course) -> str:
    return f"withdrawal:{course.pk}"


def _course_matter(course: Course) -> str:
    return f"course:{course.pk}"


def _draft_matter(draft: CourseDraft) -> str:
    return f"draft:{draft.pk}"
