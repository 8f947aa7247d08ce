"""The e-mail that carries an invitation's link."""

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from skillnet.invitation_tokens import new_token
from skillnet.mail import send_mail
from skillnet.models import Invitation


def send(invitation_id: int) -> bool:
    """Send an open invitation that has not been sent yet. Returns whether it was. Call inside the scope.

    Raises: SMTPException or OSError, when the mail server does not take it.
    """
    invitation = (
        Invitation.objects.open()
        .select_for_update(no_key=True, of=("self",))
        .select_related("organization", "invited_by")
        .filter(pk=invitation_id, sent_at__isnull=True)
        .first()
    )
    if invitation is None:
        return False
    address = settings.SKILLNET_PUBLIC_URL + reverse("invitation", args=[new_token(invitation)])
    with translation.override(invitation.organization.language):
        context = {"invitation": invitation, "address": address}
        subject = _("Te invitan a SkillNet de %(organization)s") % {"organization": invitation.organization.name}
        send_mail("people/email/invitation", to=invitation.email, subject=subject, context=context)
    invitation.sent_at = timezone.now()
    invitation.save(update_fields=["sent_at"])
    return True
