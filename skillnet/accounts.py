"""How people come in."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """People are invited by an organization: nobody signs up by themselves. Errors are said the way we speak."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "account_inactive": _("Tu cuenta está desactivada. Habla con quien administra SkillNet en tu empresa."),
        "email_password_mismatch": _("El correo o la contraseña no son correctos. Revísalos e inténtalo de nuevo."),
        "too_many_login_attempts": _("Demasiados intentos fallidos. Espera unos minutos y vuelve a intentarlo."),
        "enter_current_password": _("Escribe tu contraseña actual."),
        "incorrect_password": _("La contraseña no es correcta."),
        "invalid_password_reset": _("El enlace para cambiar la contraseña ya no vale. Pide otro."),
        "unknown_email": _("Ninguna cuenta usa ese correo."),
        "rate_limited": _("Has enviado demasiadas peticiones seguidas. Espera un momento."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False
