"""Errors raised on purpose. Anything else is a bug and may crash."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class SkillNetError(Exception):
    """Base of every error a person may be told about.

    `user_message` says in Spanish what happened and what to do next; `code` is stable, for the command line and the
    database; `retryable` is true when the same call may succeed later. The exception's own argument is for logs.
    """

    code = "error"
    user_message: str | Promise = _("Algo ha fallado. Inténtalo de nuevo.")
    retryable = False

    def __init__(self, detail: str = "", *, user_message: str | Promise | None = None) -> None:
        super().__init__(detail)
        if user_message is not None:
            self.user_message = user_message


class BackendUnavailable(SkillNetError):
    """A model or service we depend on cannot be loaded or reached."""

    code = "backend_unavailable"
    user_message = _("Un servicio necesario no responde. Lo intentaremos de nuevo en unos minutos.")
    retryable = True


class InvalidEmbedding(SkillNetError):
    """The embedder returned something that is no unit vector of its dimension (wrong size, NaN, infinite)."""

    code = "invalid_embedding"
    user_message = _("El servicio de búsqueda por significado ha devuelto datos no válidos. Avisa al administrador.")


class NoOrganizationScope(SkillNetError):
    """Tenant data was touched outside any organization's scope, or inside another organization's."""

    code = "no_scope"
