"""Organizations, people, and who belongs where. These tables exist across organizations, except groups."""

import uuid
from typing import Any

from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.db import models
from django.utils.translation import gettext_lazy as _

from skillnet.tenancy import TenantModel


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

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = []

    objects = UserManager()  # type: ignore[assignment,misc]

    class Meta:
        verbose_name = _("persona")
        verbose_name_plural = _("personas")

    def __str__(self) -> str:
        return self.get_full_name() or self.email


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


class Membership(models.Model):
    """What one person is in one organization."""

    organization = models.ForeignKey(Organization, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    role = models.CharField(_("rol"), max_length=10, choices=Role, default=Role.EMPLOYEE)
    clearance = models.PositiveSmallIntegerField(
        _("nivel de acceso"), choices=Classification, default=Classification.INTERNAL
    )
    created_at = models.DateTimeField(auto_now_add=True)

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
