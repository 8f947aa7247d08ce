"""Staff pages: organizations, people, and the choice of the organization to work in."""

from collections.abc import Callable
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as BaseUserAdmin
from django.db import connection
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django_rq.models import Dashboard
from django_stubs_ext import StrOrPromise

from skillnet import audit, staff
from skillnet.forms import UserChangeForm, UserCreationForm
from skillnet.models import AuditEntry, Group, GroupMember, Invitation, Membership, Organization, User
from skillnet.tenancy import TenantModel, current_organization_id

admin.site.unregister(Dashboard)  # a model without a table; /staff/colas/ shows the same

admin.site.site_header = "SkillNet"
admin.site.site_title = "SkillNet"
admin.site.index_title = _("Plataforma")


def column(field: str, words: StrOrPromise) -> Callable[[Any], Any]:
    """A column of a list: a field under words that people read, not under its name in the code."""

    @admin.display(description=words, ordering=field)
    def value(row: Any) -> Any:
        return getattr(row, field)

    return value


CREATED = column("created_at", _("creado"))


class TenantAdmin(admin.ModelAdmin[Any]):
    """Rows of the chosen organization. Without a choice the lists are empty and nothing can be added."""

    exclude: ClassVar[tuple[str, ...]] = ("organization",)
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        return current_organization_id() is not None and super().has_add_permission(request)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        if current_organization_id() is None:
            messages.warning(
                request, _("Elige primero una organización: Organizaciones → «Trabajar en esta organización».")
            )
        return super().changelist_view(request, extra_context)

    def save_model(self, request: HttpRequest, obj: TenantModel, form: Any, change: bool) -> None:
        if not change:
            obj.organization_id = current_organization_id()  # type: ignore[assignment]
        super().save_model(request, obj, form, change)


class ReadOnlyAdmin(TenantAdmin):
    """Rows that staff may look at and nobody edits by hand."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Organization)
class OrganizationAdmin(admin.ModelAdmin[Organization]):
    list_display = ("name", "slug", "people", "documents", "unfinished", "failed", "created_at")
    search_fields = ("name", "slug")
    readonly_fields = ("created_at",)
    actions = ("work_in", "leave")

    def has_delete_permission(self, request: HttpRequest, obj: Organization | None = None) -> bool:
        return False  # its rows are out of sight here, so its removal is a maintenance command's work

    def get_queryset(self, request: HttpRequest) -> QuerySet[Organization]:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT organization_id, document_count, unfinished_count, failed_count FROM documents_counts()"
            )
            self._counts = {row[0]: row[1:] for row in cursor.fetchall()}
        return super().get_queryset(request).annotate(people_count=Count("memberships"))

    def _count(self, organization: Organization, column: int) -> int:
        return int(self._counts.get(organization.pk, (0, 0, 0))[column])

    @admin.display(description=_("personas"), ordering="people_count")
    def people(self, organization: Any) -> SafeString:
        address = reverse("admin:skillnet_membership_changelist")
        query = urlencode({"organization__id__exact": organization.pk})
        return format_html('<a href="{}?{}">{}</a>', address, query, organization.people_count)

    @admin.display(description=_("documentos"))
    def documents(self, organization: Organization) -> int:
        return self._count(organization, 0)

    @admin.display(description=_("en curso"))
    def unfinished(self, organization: Organization) -> int:
        return self._count(organization, 1)

    @admin.display(description=_("con problemas"))
    def failed(self, organization: Organization) -> int:
        return self._count(organization, 2)

    @admin.action(description=_("Trabajar en esta organización"))
    def work_in(self, request: HttpRequest, queryset: QuerySet[Organization]) -> None:
        if queryset.count() != 1:
            messages.error(request, _("Elige una sola organización."))
            return
        organization = queryset.get()
        staff.choose_organization(request, organization)
        messages.success(request, _("Ahora ves los datos de «%(name)s».") % {"name": organization.name})

    @admin.action(description=_("Dejar de trabajar en una organización"))
    def leave(self, request: HttpRequest, queryset: QuerySet[Organization]) -> None:
        staff.leave_organization(request)
        messages.success(request, _("Ya no ves los datos de ninguna organización."))


@admin.register(User)
class UserAdmin(BaseUserAdmin[User]):
    form = UserChangeForm
    add_form = UserCreationForm
    ordering = ("email",)
    list_display = ("email", "first_name", "last_name", "is_active", "is_staff", "last_login")
    search_fields = ("email", "first_name", "last_name")
    fieldsets = (
        (None, {"fields": ("email", "password")}),
        (_("Nombre"), {"fields": ("first_name", "last_name")}),
        (_("Permisos"), {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Fechas"), {"fields": ("last_login", "date_joined")}),
    )

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False  # people are deactivated: what they did in organizations refers to them

    add_fieldsets = ((None, {"classes": ("wide",), "fields": ("email", "password1", "password2")}),)


@admin.register(Membership)
class MembershipAdmin(admin.ModelAdmin[Membership]):
    list_display = (
        column("user", _("persona")),
        column("organization", _("organización")),
        "role",
        "clearance",
        "is_active",
        "last_seen_at",
        CREATED,
    )
    list_filter = ("role", "clearance", "is_active", "organization")
    search_fields = ("user__email", "organization__name")
    autocomplete_fields = ("user", "organization")
    list_select_related = ("user", "organization")


class GroupMemberInline(admin.TabularInline[GroupMember, Group]):
    model = GroupMember
    extra = 0
    fields = ("user",)
    autocomplete_fields = ("user",)


@admin.register(Group)
class GroupAdmin(TenantAdmin):
    list_display = ("name",)
    search_fields = ("name",)
    inlines = (GroupMemberInline,)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        for member in formset.save(commit=False):
            member.organization_id = form.instance.organization_id  # a child row takes it from its parent
            member.save()
        for removed in formset.deleted_objects:
            removed.delete()


@admin.register(Invitation)
class InvitationAdmin(ReadOnlyAdmin):
    exclude = ("organization", "token_digest")
    list_display = (
        "email",
        "role",
        column("invited_by", _("invitada por")),
        CREATED,
        column("sent_at", _("enviada")),
        column("expires_at", _("caduca")),
        column("accepted_at", _("aceptada")),
        column("withdrawn_at", _("retirada")),
    )
    search_fields = ("email",)
    list_select_related = ("invited_by",)


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = (
        column("created_at", _("cuándo")),
        column("actor_name", _("quién")),
        "act",
        column("target", _("a qué o a quién")),
        column("detail", _("detalle")),
    )
    list_filter = ("action",)
    search_fields = ("actor_name", "target", "detail")
    date_hierarchy = "created_at"

    @admin.display(description=_("acto"), ordering="action")
    def act(self, entry: AuditEntry) -> str:
        return str(dict(audit.Action.choices).get(entry.action, entry.action))
