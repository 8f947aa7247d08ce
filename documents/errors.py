"""What can go wrong between an upload and a searchable document."""

from django.utils.translation import gettext_lazy as _

from documents.parsing.errors import ERRORS_BY_CODE, LimitExceeded
from skillnet.errors import SkillNetError

# What a file is: read again, it fails again. A machine with less to do may be quick enough.
FAULTS_OF_FILE = frozenset(ERRORS_BY_CODE) - {LimitExceeded.code}


class UploadRefused(SkillNetError):
    """The file was not taken in; nothing was stored."""

    code = "refused"
    user_message = _("No hemos podido aceptar este archivo.")


class EmptyUpload(UploadRefused):
    code = "empty"
    user_message = _("El archivo está vacío (0 bytes). Comprueba el original y súbelo de nuevo.")


class UploadTooLarge(UploadRefused):
    code = "too_large"
    user_message = _("El archivo supera el tamaño permitido. Divídelo en partes más pequeñas o comprímelo.")


class NoRoom(UploadRefused):
    code = "no_room"
    user_message = _("No queda sitio para guardar archivos. Avisa a quien lleva la instalación y vuelve a intentarlo.")


class NothingToSearch(SkillNetError):
    code = "no_text"
    user_message = _("No hemos encontrado texto en este archivo, así que no se puede buscar en él.")


class CannotRetry(SkillNetError):
    code = "cannot_retry"
    user_message = _("Esta versión no se puede reintentar: no ha fallado ni está cancelada.")


class NeedsOtherFile(SkillNetError):
    """The version failed for what its file is."""

    code = "needs_other_file"
    user_message = _("Volver a leer el mismo archivo fallaría otra vez. Sube otro archivo.")


class CannotRestore(SkillNetError):
    code = "cannot_restore"
    user_message = _("Esta versión no se puede restaurar: no se llegó a leer. Reinténtala primero.")


class VersionBusy(SkillNetError):
    """A worker is at work on the version right now."""

    code = "version_busy"
    user_message = _("Esta versión se está preparando ahora mismo. Espera unos segundos e inténtalo otra vez.")


class CorrectionRefused(SkillNetError):
    """What should be corrected is not there, or the correction says nothing."""

    code = "correction_refused"
    user_message = _("Este texto ya no es el que estabas corrigiendo. Vuelve al contenido y ábrelo de nuevo.")


class CollectionNotEmpty(SkillNetError):
    code = "collection_not_empty"
    user_message = _("Solo se puede borrar una colección vacía. Mueve antes sus documentos a otra.")
