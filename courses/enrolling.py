"""Who takes a course: people one by one, and groups with whoever joins them later."""

from collections.abc import Iterable
from datetime import date, timedelta

from django.db import transaction
from django.utils import timezone

from courses.models import Course, Enrolment, GroupAssignment
from skillnet.models import Group, GroupMember, Membership, User


@transaction.atomic
def enrol(*, course: Course, user_ids: Iterable[int], due_on: date | None = None) -> int:
    """Enrol people who are members of the course's organization and not enrolled yet. Returns how many were.

    People who are enrolled already keep their date.
    """
    members = Membership.objects.filter(organization=course.organization_id, user__in=list(user_ids))
    known = set(course.enrolments.values_list("user_id", flat=True))
    new = [user_id for user_id in members.values_list("user_id", flat=True) if user_id not in known]
    Enrolment.objects.bulk_create(
        [
            Enrolment(organization_id=course.organization_id, course=course, user_id=user_id, due_on=due_on)
            for user_id in new
        ],
        ignore_conflicts=True,
    )
    return len(new)


@transaction.atomic
def assign_to_group(
    *, course: Course, group: Group, assigned_by: User | None, due_days: int | None = None
) -> tuple[GroupAssignment, list[int]]:
    """Have everyone in a group take a course, now and whoever joins later. Assigned again, only the days change.

    Returns the assignment and the ids of the people enrolled by it now.
    """
    assignment, _created = GroupAssignment.objects.update_or_create(
        course=course,
        group=group,
        defaults={"organization_id": course.organization_id, "due_days": due_days, "assigned_by": assigned_by},
    )
    user_ids = list(group.members.values_list("user_id", flat=True))
    return assignment, [user_id for user_id in user_ids if _enrol_through(assignment, user_id)]


@transaction.atomic
def withdraw(enrolment: Enrolment) -> None:
    """Take someone off a course, with what they have done of it. Their certificates stay."""
    enrolment.delete()


@transaction.atomic
def set_due(*, enrolment: Enrolment, due_on: date | None) -> None:
    """Give someone another date to finish by, or none. Reminders before it are sent anew."""
    enrolment.due_on, enrolment.due_reminder_days = due_on, None
    enrolment.save(update_fields=["due_on", "due_reminder_days"])


@transaction.atomic
def withdraw_from_group(assignment: GroupAssignment) -> None:
    """End a group's assignment. Who has begun or finished the course keeps it; the others are no longer enrolled."""
    assignment.enrolments.filter(completed_at__isnull=True, progress__isnull=True).delete()
    assignment.delete()


def enrol_new_member(member: GroupMember) -> list[Course]:
    """Enrol someone who joined a group in the courses that the group takes. Returns those that are new to them."""
    assignments = GroupAssignment.objects.filter(group=member.group_id).select_related("course").order_by("pk")
    return [one.course for one in assignments if _enrol_through(one, member.user_id)]


def _enrol_through(assignment: GroupAssignment, user_id: int) -> bool:
    due_on = None if assignment.due_days is None else timezone.localdate() + timedelta(days=assignment.due_days)
    _enrolment, is_new = Enrolment.objects.get_or_create(
        course=assignment.course,
        user_id=user_id,
        defaults={"organization_id": assignment.organization_id, "assignment": assignment, "due_on": due_on},
    )
    return bool(is_new)
