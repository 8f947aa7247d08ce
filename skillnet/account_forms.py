"""Forms of one's own account, in our words."""

from typing import Any

from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.totp.forms import ActivateTOTPForm
from django import forms
from django.utils.translation import gettext_lazy as _

from skillnet.models import User


def _ask_for_code(form: forms.Form, help_text: Any) -> None:
    field = form.fields["code"]
    field.label = _("Código")
    field.help_text = help_text
    field.widget.attrs = {"autocomplete": "one-time-code", "autofocus": True, "spellcheck": "false"}


class CodeForm(AuthenticateForm):  # type: ignore[misc]
    """The second step of a log-in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _ask_for_code(self, _("Los 6 números que muestra tu aplicación, o uno de tus códigos de recuperación."))


class RepeatedCodeForm(ReauthenticateForm):  # type: ignore[misc]
    """The second step again, before something delicate."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _ask_for_code(self, _("Los 6 números que muestra tu aplicación, o uno de tus códigos de recuperación."))


class ActivateForm(ActivateTOTPForm):  # type: ignore[misc]
    """The first code of an app that has just been set up."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _ask_for_code(self, _("Los 6 números que muestra ahora la aplicación."))


class ProfileForm(forms.ModelForm[User]):
    """How a person is called, and in which language they read."""

    class Meta:
        model = User
        fields = ("first_name", "last_name", "language")
        labels = {"first_name": _("Nombre"), "last_name": _("Apellidos")}
