"""The e-mail about a question that was passed on."""

from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from skillnet.mail import send_mail
from skillnet.models import Membership
from tutor.models import EscalationRecipient


def send(recipient_id: int) -> bool:
    """Tell one of those a question was passed on to, unless it was dealt with meanwhile or they have left. Returns
    whether they were told. Call inside the organization's scope.

    Raises: SMTPException or OSError, when the mail server does not take it.
    """
    places = EscalationRecipient.objects.select_related("user", "organization", "escalation__turn")
    place = places.filter(pk=recipient_id, escalation__handled_at__isnull=True).first()
    if place is None:
        return False
    person, organization = place.user, place.organization
    if not Membership.objects.active().filter(organization=organization, user=person).exists():
        return False
    with translation.override(person.reading_language):
        context = {
            "person": person,
            "turn": place.escalation.turn,
            "escalation": place.escalation,
            "inbox_url": settings.SKILLNET_PUBLIC_URL + reverse("tutor:inbox", args=[organization.slug]),
        }
        subject = _("Una pregunta al tutor necesita tu respuesta")
        send_mail("tutor/email/escalation", to=person.email, subject=subject, context=context)
    return True
