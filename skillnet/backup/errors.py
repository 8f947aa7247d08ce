"""What can be wrong with a backup or with the place for it."""

from django.utils.translation import gettext_lazy as _

from skillnet.errors import SkillNetError


class BackupError(SkillNetError):
    """Nothing was changed, or nothing that the next try does not put right."""

    code = "backup"


class FolderInUse(BackupError):
    code = "folder_in_use"
    user_message = _("La carpeta de destino ya tiene algo dentro. Indica una carpeta nueva o vacía.")


class NotABackup(BackupError):
    code = "not_a_backup"
    user_message = _("En esa carpeta no hay una copia completa: falta su lista de contenido (manifest.json).")


class BackupDamaged(BackupError):
    code = "backup_damaged"
    user_message = _("La copia está dañada y no se ha restaurado nada. Usa otra copia.")


class OtherRelease(BackupError):
    code = "other_release"
    user_message = _(
        "La copia es de otra versión de SkillNet. Restáurala con la versión que la hizo y actualiza después."
    )


class TargetInUse(BackupError):
    code = "target_in_use"
    user_message = _(
        "Esta instalación ya tiene datos. Restaura en una vacía, o añade --replace para cambiar todo lo que hay por lo "
        "que hay en la copia."
    )


class NoOwner(BackupError):
    code = "no_owner"
    user_message = _(
        "Falta DATABASE_OWNER_URL: solo la dueña de las tablas ve los datos de todas las organizaciones a la vez."
    )
