"""How an organization looks to its people: its name, its colour, its logo and the language of those who are new."""

import uuid
from dataclasses import dataclass

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import models, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from skillnet import audit
from skillnet.errors import SkillNetError
from skillnet.models import Organization, User

SETTING = "appearance"
LOGO_BYTES = 200 * 1024
# By how a file begins. SVG, which may hold scripts, is left out; files are handed on as they came, never decoded here.
_SIGNATURES = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg"}
_MEDIA_TYPES = {"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp"}


class Accent(models.TextChoices):
    """Colours that can be read in both themes: static/css/tokens.css holds their values, a test their contrast."""

    TEAL = "teal", gettext_lazy("Verde azulado")
    BLUE = "blue", gettext_lazy("Azul")
    GREEN = "green", gettext_lazy("Verde")
    PURPLE = "purple", gettext_lazy("Morado")
    RED = "red", gettext_lazy("Granate")
    BROWN = "brown", gettext_lazy("Marrón")
    GREY = "grey", gettext_lazy("Gris")


class LogoRefused(SkillNetError):
    code = "logo_refused"
    user_message = gettext_lazy("El logo tiene que ser una imagen PNG, JPEG o WebP de 200 kB como mucho.")


@dataclass(frozen=True, slots=True)
class Appearance:
    """`logo` is the stored file's name, made by the server; empty without one."""

    accent: Accent = Accent.TEAL
    logo: str = ""

    @property
    def logo_id(self) -> uuid.UUID:
        """What its address ends in: another for every logo, so that browsers may keep it."""
        return uuid.UUID(self.logo.rpartition("/")[2].partition(".")[0])

    @property
    def logo_type(self) -> str:
        return _MEDIA_TYPES[self.logo.rpartition(".")[2]]


def appearance_of(organization: Organization) -> Appearance:
    """How an organization looks; the product's own colour unless it says otherwise."""
    kept = organization.settings.get(SETTING) or {}
    accent = kept.get("accent")
    return Appearance(Accent(accent) if accent in Accent.values else Accent.TEAL, str(kept.get("logo") or ""))


def logos(alias: str) -> set[str]:
    """The names of the files of every organization's logo, over this database connection."""
    stored = Organization.objects.using(alias).values_list(f"settings__{SETTING}__logo", flat=True)
    return {name for name in stored if name}


@transaction.atomic
def change(
    organization: Organization,
    *,
    name: str,
    accent: Accent,
    language: str,
    logo: bytes | None,
    drops_logo: bool,
    by: User,
) -> None:
    """Give an organization another name, colour, language or logo; without `logo` the one there is stays, unless it is
    dropped.

    Raises: LogoRefused.
    """
    locked = Organization.objects.select_for_update(no_key=True).get(pk=organization.pk)
    before = appearance_of(locked)
    stored = before.logo
    if logo is not None:
        stored = default_storage.save(f"{locked.pk}/{uuid.uuid4().hex}.{_kind_of(logo)}", ContentFile(logo))
    elif drops_logo:
        stored = ""
    changes = [(locked.name, name), (locked.language, language)]
    detail = " · ".join(f"{old} → {new}" for old, new in changes if old != new)
    locked.name = name
    locked.settings = {**locked.settings, SETTING: {"accent": accent.value, "logo": stored}, "language": language}
    locked.save(update_fields=["name", "settings"])
    audit.record(locked, by, audit.Action.SETTINGS_CHANGED, _("Nombre y aspecto"), detail=detail)
    if before.logo and before.logo != stored:
        transaction.on_commit(lambda: default_storage.delete(before.logo))


def _kind_of(image: bytes) -> str:
    """The file's kind as its first bytes tell it. Raises: LogoRefused."""
    if len(image) <= LOGO_BYTES:
        for signature, kind in _SIGNATURES.items():
            if image.startswith(signature):
                return kind
        if image[:4] == b"RIFF" and image[8:12] == b"WEBP":
            return "webp"
    raise LogoRefused
