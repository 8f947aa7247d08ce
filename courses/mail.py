"""E-mails about courses."""

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from courses.models import UpdateNotice
from skillnet.models import Membership


def announce(notice: UpdateNotice) -> int:
    """Tell the organization's administration of a notice by e-mail, once. Returns how many were told.

    Raises: SMTPException or OSError, when the mail server does not take it; the notice is then still to be announced.
    """
    if notice.announced_at is not None:
        return 0
    admins = Membership.objects.filter(organization=notice.organization_id).admins()
    admins = admins.select_related("user", "organization")
    address = reverse("courses:notice", args=[notice.organization.slug, notice.pk])
    with translation.override(settings.LANGUAGE_CODE):
        context = {"notice": notice, "address": settings.SKILLNET_PUBLIC_URL + address}
        subject = _("Fuente actualizada: revisa el curso «%(course)s»") % {"course": notice.course.title}
        for membership in admins:
            message = EmailMultiAlternatives(
                subject=" ".join(subject.split()),
                body=render_to_string("courses/email/notice.txt", context),
                to=[membership.user.email],
            )
            message.attach_alternative(render_to_string("courses/email/notice.html", context), "text/html")
            message.send()
    notice.announced_at = timezone.now()
    notice.save(update_fields=["announced_at"])
    return len(admins)
