"""Organizations, people, and who belongs where. These tables exist across organizations, except groups."""

import uuid
from typing import Any, ClassVar, Self

from django.conf import settings
from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from skillnet.tenancy import TenantModel, TenantQuerySet


class Organization(models.Model):
    """The tenant. Its slug is part of every address of its pages."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(_("identificador"), unique=True, max_length=60)
    name = models.CharField(_("nombre"), max_length=120)
    settings = models.JSONField(_("ajustes"), default=dict, blank=True)
    created_at = models.DateTimeField(_("creada"), auto_now_add=True)

    class Meta:
        verbose_name = _("organización")
        verbose_name_plural = _("organizaciones")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def language(self) -> str:
        """What new members read, and invitations are written in: the organization's choice, or the installation's."""
        chosen = self.settings.get("language")
        return chosen if chosen in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """A person who logs in by e-mail address. The password is None for those who only get invited."""
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """A member of the platform's staff with every permission."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractUser):
    """A person, known by e-mail address. What they may do in an organization is their Membership's to say."""

    username = None  # type: ignore[assignment]
    email = models.EmailField(_("correo electrónico"), unique=True)
    language = models.CharField(_("idioma"), max_length=10, choices=settings.LANGUAGES, default=settings.LANGUAGE_CODE)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = []

    objects = UserManager()  # type: ignore[assignment,misc]

    class Meta:
        verbose_name = _("persona")
        verbose_name_plural = _("personas")

    def __str__(self) -> str:
        return self.get_full_name() or self.email

    @property
    def reading_language(self) -> str:
        """The language they chose in their account, or the installation's where that one is not offered."""
        return self.language if self.language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


class Role(models.TextChoices):
    ADMIN = "admin", _("Administración")
    EDITOR = "editor", _("Edición")
    EMPLOYEE = "employee", _("Empleado")


MANAGERS = (Role.ADMIN, Role.EDITOR)  # who may change documents and courses


class Classification(models.IntegerChoices):
    """How far a document may travel, and how far a person may see: a clearance covers its own level and those below."""

    PUBLIC = 1, _("Pública")
    INTERNAL = 2, _("Interna")
    CONFIDENTIAL = 3, _("Confidencial")


class MembershipQuerySet(models.QuerySet["Membership"]):
    def active(self) -> Self:
        """Those who may come in."""
        return self.filter(is_active=True, user__is_active=True)

    def admins(self) -> Self:
        """Those who may come in and administer."""
        return self.active().filter(role=Role.ADMIN)


class Membership(models.Model):
    """What one person is in one organization. Inactive, it keeps what they did there and lets nobody in."""

    organization = models.ForeignKey(Organization, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    role = models.CharField(_("rol"), max_length=10, choices=Role, default=Role.EMPLOYEE)
    clearance = models.PositiveSmallIntegerField(
        _("nivel de acceso"), choices=Classification, default=Classification.INTERNAL
    )
    is_active = models.BooleanField(_("activo"), default=True)
    last_seen_at = models.DateTimeField(_("última visita"), null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = MembershipQuerySet.as_manager()

    is_seen_as_employee = False  # set on the one of a request while an administrator looks with an employee's eyes

    class Meta:
        verbose_name = _("miembro")
        verbose_name_plural = _("miembros")
        constraints = [models.UniqueConstraint(fields=["organization", "user"], name="one_membership_a_person")]

    def __str__(self) -> str:
        return f"{self.user} · {self.organization} · {self.get_role_display()}"

    @property
    def manages(self) -> bool:
        """Whether this person may change documents and courses."""
        return self.role in MANAGERS


class Group(TenantModel):
    """Some people of an organization: a shop, a shift, a role. Audiences and course assignments name groups."""

    name = models.CharField(_("nombre"), max_length=120)

    class Meta:
        verbose_name = _("grupo")
        verbose_name_plural = _("grupos")
        constraints = [models.UniqueConstraint(fields=["organization", "name"], name="one_group_a_name")]

    def __str__(self) -> str:
        return self.name


class GroupMember(TenantModel):
    group = models.ForeignKey(Group, models.CASCADE, related_name="members")
    user = models.ForeignKey(User, models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["group", "user"], name="one_place_in_a_group")]

    def __str__(self) -> str:
        return f"{self.user} · {self.group}"


class InvitationQuerySet(TenantQuerySet):
    def open(self) -> Self:
        """Neither accepted nor withdrawn. One that has expired is open too: it can be sent again."""
        return self.filter(accepted_at__isnull=True, withdrawn_at__isnull=True)


class Invitation(TenantModel):
    """A place in an organization offered to an address. Its link is in the e-mail alone: only a digest is kept."""

    email = models.EmailField(_("correo electrónico"))
    name = models.CharField(_("nombre"), max_length=150, blank=True)
    role = models.CharField(_("rol"), max_length=10, choices=Role, default=Role.EMPLOYEE)
    clearance = models.PositiveSmallIntegerField(
        _("nivel de acceso"), choices=Classification, default=Classification.INTERNAL
    )
    token_digest = models.CharField(  # noqa: DJ001 - many may be unsent, and those that are sent differ
        max_length=64, null=True, unique=True, help_text="SHA-256; null: not sent yet"
    )
    invited_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = InvitationQuerySet.as_manager()

    class Meta:
        verbose_name = _("invitación")
        verbose_name_plural = _("invitaciones")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "email"],
                condition=Q(accepted_at__isnull=True, withdrawn_at__isnull=True),
                name="one_open_invitation_an_address",
            )
        ]

    def __str__(self) -> str:
        return self.email

    @property
    def has_expired(self) -> bool:
        return self.expires_at <= timezone.now()


class InvitationGroup(TenantModel):
    """A group that the person invited joins on accepting."""

    invitation = models.ForeignKey(Invitation, models.CASCADE, related_name="groups")
    group = models.ForeignKey(Group, models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["invitation", "group"], name="one_group_an_invitation")]

    def __str__(self) -> str:
        return f"{self.invitation} · {self.group}"


class AuditEntry(TenantModel):
    """An act of administration: who did what to what, and when. It keeps names as they were."""

    actor = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    actor_name = models.CharField(max_length=254, blank=True, help_text="empty: the system itself")
    action = models.CharField(max_length=40, help_text="skillnet.audit.Action")
    target = models.CharField(max_length=300)
    detail = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("acto de administración")
        verbose_name_plural = _("actos de administración")
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["organization", "-created_at"], name="audit_newest_first")]

    def __str__(self) -> str:
        return f"{self.actor_name} · {self.action} · {self.target}"


class NotificationQuerySet(TenantQuerySet):
    def of_user(self, user_id: int) -> Self:
        return self.filter(user_id=user_id)

    def unread(self) -> Self:
        return self.filter(read_at__isnull=True)

    def shown(self) -> Self:
        """Those that are entries of their own: what others were gathered into, without what is gathered."""
        return self.filter(gathered_in__isnull=True)


class Notification(TenantModel):
    """Something that a person should know of. A matter has one row a person: told of again, it is new again.

    Several of a kind are shown as one entry, a row of its own that they name and that counts them.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=40, help_text="skillnet.notification_kinds.Kind")
    matter = models.CharField(max_length=80, help_text="a kind and an id, as in notice:12")
    subject = models.CharField(max_length=200, help_text="the title of what it is about, as it was")
    address = models.CharField(max_length=300, help_text="where it is dealt with: a path of the organization's pages")
    created_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)
    gathered_in = models.ForeignKey("self", models.CASCADE, null=True, blank=True, related_name="gathered")
    gathered_count = models.PositiveIntegerField(default=0, db_default=0, help_text="of an entry for several, how many")

    objects: ClassVar = NotificationQuerySet.as_manager()

    class Meta:
        verbose_name = _("aviso")
        verbose_name_plural = _("avisos")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["organization", "user", "matter"], name="one_notification_a_matter")
        ]
        indexes = [
            models.Index(fields=["user", "-created_at"], name="notification_newest_first"),
            models.Index(fields=["user"], name="notification_unread", condition=Q(read_at__isnull=True)),
            models.Index(fields=["organization", "matter"], name="notification_matter"),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.kind} · {self.subject}"
