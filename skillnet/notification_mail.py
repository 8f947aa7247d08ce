"""A notification as an e-mail."""

from django.conf import settings
from django.utils import translation

from skillnet.mail import send_mail
from skillnet.models import Membership, Notification
from skillnet.notification_kinds import text_of


def send(user_id: int, matter: str) -> bool:
    """Send someone what they have not read of a matter. Returns whether it was. Call inside the organization's scope.

    Raises: SMTPException or OSError, when the mail server does not take it.
    """
    found = (
        Notification.objects.of_user(user_id)
        .unread()
        .filter(matter=matter)
        .select_related("organization", "user", "gathered_in")
    )
    notification = found.first()
    if notification is None:
        return False
    entry = notification.gathered_in or notification  # others may have come while it waited for its turn
    members = Membership.objects.active().filter(organization=notification.organization_id, user=user_id)
    if not members.exists():
        return False
    with translation.override(notification.user.language):
        text = text_of(entry)
        context = {
            "notification": notification,
            "text": text,
            "language": notification.user.language,
            "address": settings.SKILLNET_PUBLIC_URL + entry.address,
        }
        send_mail("notifications/email/notification", to=notification.user.email, subject=text, context=context)
    return True
