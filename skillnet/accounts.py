"""How people come in."""

import base64
import hashlib
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from skillnet import invitations, throttling
from skillnet.models import Membership, User


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

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        """The error of this code; a wrong password before the last try says what happens after it."""
        error: ValidationError = super().validation_error(code, *args)
        if code in ("email_password_mismatch", "incorrect_password") and throttling.is_last_try(self.request):
            minutes = int(settings.AXES_COOLOFF_TIME.total_seconds() // 60)
            last = ngettext(
                "Te queda un intento. Si falla, no podrás entrar desde aquí durante %(total)d minuto.",
                "Te queda un intento. Si falla, no podrás entrar desde aquí durante %(total)d minutos.",
                minutes,
            )
            return ValidationError([error, ValidationError(last % {"total": minutes}, code="last_try")])
        return error

    def reauthenticate(self, user: User, password: str) -> bool:
        """Whether this is the person's password. allauth looks for the address in a table that not everybody is in."""
        found = self.authenticate(self.request, email=user.email, password=password)
        return found is not None and found.pk == user.pk


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Secrets of authenticator apps lie in the database encrypted with a key made from SECRET_KEY."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "cannot_delete_authenticator": _("No puedes quitar la verificación en dos pasos."),
        "cannot_generate_recovery_codes": _("Activa primero la verificación en dos pasos."),
        "incorrect_code": _("El código no es correcto o ya ha caducado. Escribe el que muestra ahora tu aplicación."),
        "unverified_email": _("Antes de activar la verificación en dos pasos tienes que confirmar tu correo."),
    }

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return _cipher().decrypt(encrypted_text.encode()).decode()


def _cipher() -> MultiFernet:
    """Encrypts with the present SECRET_KEY, and still reads what SECRET_KEY_FALLBACKS encrypted."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [hashlib.sha256(b"second factor:" + key.encode()).digest() for key in keys]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])


class ProviderAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """The company's own log-in opens to members, and to whoever follows an invitation; the address must be verified."""

    def authenticate_by_email(self, sociallogin: SocialLogin) -> tuple[User, str] | None:
        """The account of the address that the provider vouches for.

        allauth would take the password from an account whose address nobody has confirmed, in case a stranger had
        signed up with it. Nobody signs up here, so the provider's word confirms the address instead.
        """
        found: tuple[User, str] | None = super().authenticate_by_email(sociallogin)
        if found is not None:
            user, email = found
            if user.email.lower() != email.lower():  # an address that somebody merely wrote down as theirs
                return None
            EmailAddress.objects.update_or_create(
                user=user, email=email.lower(), defaults={"verified": True, "primary": True}
            )
        return found

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Turn away people who belong nowhere, before they are logged in."""
        if sociallogin.is_existing and Membership.objects.active().filter(user=sociallogin.user).exists():
            return
        if not self._is_invited(request, sociallogin):
            raise ImmediateHttpResponse(render(request, "account/signup_closed.html", status=403))

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        return self._is_invited(request, sociallogin)

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        user: User = super().populate_user(request, sociallogin, data)
        user.email = user.email.lower()
        offer = invitations.followed(request)
        user.language = offer.language if offer else settings.LANGUAGE_CODE
        return user

    @staticmethod
    def _is_invited(request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """Whether this session follows an invitation for an address that the provider vouches for."""
        offer = invitations.followed(request)
        return offer is not None and any(
            address.verified and address.email.lower() == offer.email for address in sociallogin.email_addresses
        )
