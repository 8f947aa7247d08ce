"""What comes back from answers and waits for somebody who manages."""

from django.db.models import QuerySet

from skillnet.models import Membership, Role
from tutor.models import Escalation, Feedback


def escalations_for(membership: Membership) -> QuerySet[Escalation]:
    """Questions passed on, closed ones included: an administrator's are all, an editor's those sent to them."""
    found: QuerySet[Escalation] = Escalation.objects.for_organization(membership.organization_id)
    return found if membership.role == Role.ADMIN else found.filter(places__user=membership.user_id)


def feedback_for(membership: Membership) -> QuerySet[Feedback]:
    """What people thought of answers and nobody has looked at yet. It is for administrators alone.

    That an answer was useful, without a comment, needs no look.
    """
    found: QuerySet[Feedback] = Feedback.objects.for_organization(membership.organization_id)
    if membership.role != Role.ADMIN:
        return found.none()
    return found.filter(handled_at__isnull=True).exclude(is_useful=True, comment="")
