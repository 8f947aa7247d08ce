"""What is deleted when its time is over: old notifications, and conversations where the organization says so."""

import logging
import time
from datetime import timedelta

from django.utils import timezone

from skillnet import notifications
from skillnet.models import Organization
from skillnet.tenancy import organization_scope
from tutor.forgetting import forget
from tutor.models import Conversation
from tutor.policy import KEY, policy_of

logger = logging.getLogger(__name__)

HOURS = 24
REMOVED_AT_ONCE = 500  # a transaction
_last: list[float] = []  # when this process last looked; one that has just begun looks at once


def remove_old() -> None:
    """Once a day delete what is due. A chore of the sweeper."""
    if _last and time.monotonic() - _last[0] < HOURS * 3600:
        return
    for organization_id in Organization.objects.order_by("pk").values_list("pk", flat=True):
        with organization_scope(organization_id):
            if count := notifications.remove_old(organization_id):
                logger.info("%d old notifications deleted in %s", count, organization_id)
    for organization in Organization.objects.filter(**{f"settings__{KEY}__conversation_days__gt": 0}):
        while removed := remove_due(organization):
            logger.info("%d old conversations deleted in %s", removed, organization.pk)
    _last[:] = [time.monotonic()]


def remove_due(organization: Organization) -> int:
    """Delete conversations in which nothing was asked for longer than the organization keeps them; some at a time."""
    days = policy_of(organization).conversation_days
    if not days:
        return 0
    since = timezone.now() - timedelta(days=days)
    with organization_scope(organization.pk):
        old = Conversation.objects.for_organization(organization).filter(updated_at__lt=since, created_at__lt=since)
        ids = list(
            old.exclude(turns__asked_at__gte=since).order_by("pk").values_list("pk", flat=True)[:REMOVED_AT_ONCE]
        )
        forget(Conversation.objects.filter(pk__in=ids))
    return len(ids)
