"""One way to send an e-mail: as plain text and as HTML, both from templates."""

from collections.abc import Mapping
from typing import Any

from django.core.mail import EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend
from django.template.loader import render_to_string


def send_mail(
    template: str, *, to: str, subject: str, context: Mapping[str, Any], connection: BaseEmailBackend | None = None
) -> None:
    """Send `template`.txt with `template`.html beside it to one person. The subject becomes one line.

    Raises: SMTPException or OSError, when the mail server does not take it.
    """
    message = EmailMultiAlternatives(
        subject=" ".join(subject.split()),
        body=render_to_string(f"{template}.txt", dict(context)),
        to=[to],
        connection=connection,
    )
    message.attach_alternative(render_to_string(f"{template}.html", dict(context)), "text/html")
    message.send()
