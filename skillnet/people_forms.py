"""Forms about members, groups and invitations."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from skillnet import audit
from skillnet.models import Classification, Group, Membership, Organization, Role, User
from skillnet.second_factor import Policy
from skillnet.widgets import FileChooser

ROLE_HELP = _(
    "Empleado: hace cursos y pregunta al tutor. Edición: además gestiona documentos y cursos. "
    "Administración: además gestiona personas y ajustes, y lee todos los documentos."
)
CLEARANCE_HELP = _("Verá los documentos de este nivel y de los niveles inferiores.")
STATES = (("activas", _("Con acceso")), ("desactivadas", _("Sin acceso")))


def _groups_field(organization: Organization) -> "forms.ModelMultipleChoiceField[Group]":
    return forms.ModelMultipleChoiceField(
        queryset=Group.objects.for_organization(organization).order_by("name"),
        label=_("Grupos"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": _("Ese grupo ya no existe. Recarga la página.")},
    )


class AccessForm(forms.ModelForm[Membership]):
    """Role, clearance and groups of a member."""

    class Meta:
        model = Membership
        fields = ("role", "clearance")
        widgets = {"role": forms.RadioSelect}
        help_texts = {"role": ROLE_HELP, "clearance": CLEARANCE_HELP}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["groups"] = _groups_field(self.instance.organization)
        if not Group.objects.for_organization(self.instance.organization).exists():
            del self.fields["groups"]


class InvitationForm(forms.Form):
    """One person to invite."""

    email = forms.EmailField(
        label=_("Correo electrónico"),
        error_messages={"required": _("Escribe su correo."), "invalid": _("Ese correo no es válido. Revísalo.")},
    )
    name = forms.CharField(label=_("Nombre (opcional)"), max_length=150, required=False)
    role = forms.ChoiceField(
        label=_("Rol"), choices=Role, initial=Role.EMPLOYEE, help_text=ROLE_HELP, widget=forms.RadioSelect
    )
    clearance = forms.TypedChoiceField(
        label=_("Nivel de acceso"),
        choices=Classification,
        coerce=int,
        initial=Classification.INTERNAL,
        help_text=CLEARANCE_HELP,
    )

    def __init__(self, *args: Any, organization: Organization, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if Group.objects.for_organization(organization).exists():
            self.fields["groups"] = _groups_field(organization)


class TableForm(forms.Form):
    """A table of people to invite."""

    file = forms.FileField(
        label=_("Archivo CSV"),
        widget=FileChooser(attrs={"accept": ".csv,.txt,.tsv,text/csv"}),
        error_messages={"required": _("Elige un archivo."), "empty": _("El archivo está vacío.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Not with the field: filled in once and for all, it would stay in one language.
        self.fields["file"].help_text = _(
            "Hasta %(count)d filas; si tienes más, súbelas en varios archivos. Puedes añadir las columnas «apellidos» "
            "y «grupos»; si son varios grupos, sepáralos con «/». Aún no se envía nada: antes lo revisas."
        ) % {"count": settings.SKILLNET_PEOPLE_CSV_ROWS}

    def clean_file(self) -> "UploadedFile[Any]":
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > settings.SKILLNET_PEOPLE_CSV_BYTES:
            raise forms.ValidationError(_("El archivo es demasiado grande para una lista de personas. Divídelo."))
        return file


class GroupForm(forms.ModelForm[Group]):
    """A group's name; the instance names the organization."""

    class Meta:
        model = Group
        fields = ("name",)
        error_messages = {"name": {"required": _("Escribe un nombre.")}}

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        others = Group.objects.for_organization(self.instance.organization).exclude(pk=self.instance.pk)
        if others.filter(name__iexact=name).exists():
            raise forms.ValidationError(_("Ya hay un grupo con ese nombre."))
        return name


class SecondFactorForm(forms.Form):
    """Whom the organization asks for a second factor."""

    policy = forms.ChoiceField(label=_("Verificación en dos pasos"), choices=Policy, widget=forms.RadioSelect)


class MembersFilterForm(forms.Form):
    """Search and filters of the members list; what it does not know it ignores."""

    q = forms.CharField(label=_("Buscar por nombre o correo"), required=False, max_length=120)
    rol = forms.ChoiceField(label=_("Rol"), required=False, choices=[("", _("Todos")), *Role.choices])
    estado = forms.ChoiceField(label=_("Estado"), required=False, choices=[("", _("Todos")), *STATES])
    grupo = forms.ModelChoiceField(
        queryset=Group.objects.none(), label=_("Grupo"), required=False, empty_label=_("Todos")
    )

    def __init__(self, *args: Any, organization: Organization, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        groups = self.fields["grupo"]
        assert isinstance(groups, forms.ModelChoiceField)
        groups.queryset = Group.objects.for_organization(organization).order_by("name")

    @property
    def known(self) -> dict[str, Any]:
        """The filters that are set and make sense."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}


def audit_choices() -> list[tuple[Any, Any]]:
    """Every action under its family, which may be chosen as a whole."""
    families: list[tuple[Any, Any]] = [("", _("Todo"))]
    for name, (label, beginnings) in audit.FAMILIES.items():
        own = [one for one in audit.Action.choices if str(one[0]).startswith(beginnings)]
        families.append((label, [(name, _("%(part)s: todo") % {"part": label}), *own]))
    return families


class AuditFilterForm(forms.Form):
    """Filters of the log of administration."""

    accion = forms.ChoiceField(label=_("Qué"), required=False, choices=audit_choices)
    q = forms.CharField(label=_("Persona, objeto o detalle"), required=False, max_length=120)
    desde = forms.DateField(label=_("Desde"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    hasta = forms.DateField(label=_("Hasta"), required=False, widget=forms.DateInput(attrs={"type": "date"}))

    @property
    def known(self) -> dict[str, Any]:
        """The filters that are set and make sense."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}


class AcceptForm(forms.Form):
    """Name and password of someone who accepts an invitation and has no account yet."""

    first_name = forms.CharField(
        label=_("Nombre"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "given-name"}),
        error_messages={"required": _("Escribe tu nombre.")},
    )
    last_name = forms.CharField(
        label=_("Apellidos"),
        max_length=150,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "family-name"}),
    )
    password = forms.CharField(
        label=_("Contraseña"),
        strip=False,
        help_text=_("Al menos 10 caracteres. Mejor una frase que recuerdes que una palabra rara."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        error_messages={"required": _("Escribe una contraseña.")},
    )
    repeated = forms.CharField(
        label=_("Repite la contraseña"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        error_messages={"required": _("Repite la contraseña.")},
    )

    def __init__(self, *args: Any, email: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._email = email

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        password = cleaned.get("password")
        if password and cleaned.get("repeated") and password != cleaned["repeated"]:
            self.add_error("repeated", _("Las dos contraseñas no son iguales."))
        if password:
            person = User(
                email=self._email,
                first_name=cleaned.get("first_name", ""),
                last_name=cleaned.get("last_name", ""),
            )
            try:
                validate_password(password, person)
            except forms.ValidationError as error:
                self.add_error("password", error)
        return cleaned
