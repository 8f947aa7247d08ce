"""E-mails about courses."""

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from courses.models import UpdateNotice
from courses.overview import Stage, Study
from skillnet.mail import send_mail
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
    context = {"notice": notice, "address": settings.SKILLNET_PUBLIC_URL + address}
    for membership in admins:
        with translation.override(membership.user.reading_language):
            subject = _("Fuente actualizada: revisa el curso «%(course)s»") % {"course": notice.course.title}
            send_mail("courses/email/notice", to=membership.user.email, subject=subject, context=context)
    notice.announced_at = timezone.now()
    notice.save(update_fields=["announced_at"])
    return len(admins)


def remind(study: Study) -> None:
    """Tell someone by e-mail how far they are in a course, and by when they are to finish or repeat it.

    Raises: SMTPException or OSError, when the mail server does not take it.
    """
    enrolment = study.enrolment
    address = reverse("courses:detail", args=[enrolment.organization.slug, enrolment.course_id])
    with translation.override(enrolment.user.reading_language):
        context = {"study": study, "enrolment": enrolment, "address": settings.SKILLNET_PUBLIC_URL + address}
        named = {
            "course": enrolment.course.title,
            "date": date_format(enrolment.due_on, "MONTH_DAY_FORMAT") if enrolment.due_on else "",
        }
        if study.stage == Stage.EXPIRED:
            subject = _("Tu certificado de «%(course)s» ha caducado") % named
        elif study.progress.to_reread:
            subject = _("Tienes lecciones por releer en «%(course)s»") % named
        elif study.stage == Stage.OVERDUE:
            subject = _("El plazo de «%(course)s» ya ha pasado") % named
        elif enrolment.due_on is not None:
            subject = _("Termina «%(course)s» antes del %(date)s") % named
        else:
            subject = _("Tienes pendiente el curso «%(course)s»") % named
        send_mail("courses/email/reminder", to=enrolment.user.email, subject=subject, context=context)
