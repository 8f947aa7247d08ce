"""Forms of one's own account, in our words."""

from collections.abc import Mapping
from typing import Any

from allauth.account.forms import ChangePasswordForm as AllauthChangePasswordForm
from allauth.account.forms import ReauthenticateForm as AllauthReauthenticateForm
from allauth.account.forms import ResetPasswordKeyForm as AllauthResetPasswordKeyForm
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.totp.forms import ActivateTOTPForm
from django import forms
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from skillnet.models import User


def _ask_for_code(form: forms.Form, help_text: Any) -> None:
    field = form.fields["code"]
    field.label = _("Código")
    field.help_text = help_text
    field.widget.attrs = {"autocomplete": "one-time-code", "autofocus": True, "spellcheck": "false"}


def _say(form: forms.Form, labels: Mapping[str, Any]) -> None:
    """Labels in our words, and nothing in the fields that repeats them."""
    for name, label in labels.items():
        form.fields[name].label = label
        form.fields[name].widget.attrs.pop("placeholder", None)


_NEW_PASSWORD = {"password1": _("Contraseña nueva"), "password2": _("Repite la contraseña nueva")}
_NEW_PASSWORD_HELP = _("Diez caracteres o más. Mejor una frase larga que solo tú conozcas.")


class ChangePasswordForm(AllauthChangePasswordForm):  # type: ignore[misc]
    """A new password, for who knows the old one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say(self, {"oldpassword": _("Contraseña actual"), **_NEW_PASSWORD})
        self.fields["oldpassword"].help_text = _way_out()
        self.fields["password1"].help_text = _NEW_PASSWORD_HELP


class ResetPasswordKeyForm(AllauthResetPasswordKeyForm):  # type: ignore[misc]
    """A new password, for who follows the link of an e-mail."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say(self, _NEW_PASSWORD)
        self.fields["password1"].help_text = _NEW_PASSWORD_HELP


class RepeatedPasswordForm(AllauthReauthenticateForm):  # type: ignore[misc]
    """The password again, before something delicate."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say(self, {"password": _("Contraseña")})
        self.fields["password"].help_text = _way_out()


def _way_out() -> str:
    return format_html('<a href="{}">{}</a>', reverse("account_reset_password"), _("He olvidado mi contraseña"))


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
