"""What people may say about documents."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from documents.bulk import BulkAction
from documents.cleaning import clean_line
from documents.correcting import Correction, Place
from documents.listing import KINDS, NO_COLLECTION, ORDERS, STATES
from documents.models import Audience, Collection, Document
from documents.parsing.youtube import video_id
from skillnet.models import Classification, Group, Membership, Role
from skillnet.widgets import FileChooser, ManyCheckboxes, SeveralFilesChooser


class SeveralFilesField(forms.FileField):
    """A file field that cleans to a list of files. What is wrong with one is left to its upload to say."""

    widget = SeveralFilesChooser

    def clean(self, data: Any, initial: Any = None) -> list["UploadedFile[bytes]"]:
        files = [file for file in data or [] if file]
        if not files and self.required:
            raise forms.ValidationError(self.error_messages["required"], code="required")
        limit = settings.SKILLNET_UPLOAD_MAX_FILES
        if len(files) > limit:
            message = ngettext_lazy(
                "Sube como mucho %(limit)d archivo cada vez.",
                "Sube como mucho %(limit)d archivos cada vez.",
                limit,
            )
            raise forms.ValidationError(message % {"limit": limit}, code="too_many")
        return files


def classifications_for(membership: Membership) -> list[tuple[int, Any]]:
    """The levels a member may give a document: nobody hides one from themselves."""
    if membership.role == Role.ADMIN:
        return list(Classification.choices)
    return [choice for choice in Classification.choices if choice[0] <= membership.clearance]


def _classification_field() -> forms.TypedChoiceField:
    return forms.TypedChoiceField(
        label=_("Clasificación"),
        choices=Classification.choices,
        coerce=int,
        initial=Classification.INTERNAL,
        required=False,
        help_text=_("Solo lo verán las personas con ese nivel de acceso o uno mayor."),
    )


class TagsField(forms.CharField):
    """Tags between commas, cleaned to a list: each once, in the order written."""

    MAX_COUNT, MAX_LENGTH = 20, 60

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override]
        tags: dict[str, str] = {}
        for tag in map(clean_line, (super().to_python(value) or "").split(",")):
            if len(tag) > self.MAX_LENGTH:
                message = _("Cada etiqueta puede tener %(limit)d letras como mucho.") % {"limit": self.MAX_LENGTH}
                raise forms.ValidationError(message, code="too_long")
            if tag:
                tags.setdefault(tag.casefold(), tag)
        if len(tags) > self.MAX_COUNT:
            message = _("Pon %(limit)d etiquetas como mucho.") % {"limit": self.MAX_COUNT}
            raise forms.ValidationError(message, code="too_many")
        return list(tags.values())

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value


def _tags_field() -> TagsField:
    return TagsField(
        label=_("Etiquetas"), required=False, help_text=_("Separadas por comas, por ejemplo: caja, noche.")
    )


def _groups_field() -> "forms.ModelMultipleChoiceField[Group]":
    return forms.ModelMultipleChoiceField(
        label=_("Grupos"),
        queryset=Group.objects.none(),
        required=False,
        widget=ManyCheckboxes,
        help_text=_("Cuentan cuando eliges «Solo algunos grupos»."),
    )


class AudienceFields(forms.BaseForm):
    """For forms with `audience` and `groups`: offers the organization's groups, and wants one where groups decide."""

    def offer_groups(self, membership: Membership, *, keeps: bool = False) -> None:
        """Fill the choices; without any group there is nothing to choose. `keeps`: «groups» is what it says now."""
        groups = Group.objects.for_organization(membership.organization).order_by("name")
        fields: dict[str, Any] = self.fields
        fields["groups"].queryset = groups
        if not keeps and not groups.exists():
            del fields["groups"]
            fields["audience"].choices = [one for one in Audience.choices if one[0] != Audience.GROUPS]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("audience") == Audience.GROUPS and "groups" in cleaned and not cleaned["groups"]:
            self.add_error("groups", _("Elige al menos un grupo, o deja que lo lean todas las personas."))
        return cleaned

    @property
    def chosen_groups(self) -> Sequence[Group]:
        """The groups that may read; none where something else decides."""
        if self.cleaned_data["audience"] != Audience.GROUPS:
            return ()
        return list(self.cleaned_data.get("groups", ()))


class UploadForm(AudienceFields, forms.Form):
    """Several new documents at once, by a member of the organization that will own them."""

    uploads = SeveralFilesField(label=_("Archivos"), required=False)
    video = forms.CharField(
        label=_("o pega una dirección de YouTube"),
        required=False,
        max_length=300,
        widget=forms.URLInput(attrs={"placeholder": "https://www.youtube.com/watch?v=…", "autocomplete": "off"}),
        help_text=_(
            "Leemos los subtítulos del vídeo, no la imagen ni el sonido. "
            "Si el vídeo no tiene subtítulos, no se puede añadir. "
            "Cada respuesta dirá en qué minuto del vídeo está."
        ),
    )
    collection = forms.ModelChoiceField(
        label=_("Colección"),
        queryset=Collection.objects.none(),
        required=False,
        empty_label=_("Sin colección"),
    )
    classification = _classification_field()
    audience = forms.ChoiceField(
        label=_("Quién puede leerlos"),
        choices=Audience.choices,
        initial=Audience.EVERYONE,
        required=False,
    )
    groups = _groups_field()
    tags = _tags_field()

    def __init__(self, *args: Any, membership: Membership, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._clearance = membership.clearance
        collections = Collection.objects.for_organization(membership.organization)
        self.fields["collection"].queryset = collections  # type: ignore[attr-defined]
        self.fields["classification"].choices = classifications_for(membership)  # type: ignore[attr-defined]
        self.offer_groups(membership)

    def clean_video(self) -> str:
        address: str = self.cleaned_data["video"]
        if address and video_id(address) is None:
            raise forms.ValidationError(
                _("Esto no es una dirección de YouTube. Cópiala entera de la barra del navegador."), code="not_a_video"
            )
        return address

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not (cleaned.get("uploads") or cleaned.get("video") or self.errors):
            self.add_error("uploads", _("Elige al menos un archivo para subir."))
        return cleaned

    def clean_classification(self) -> int:
        return self.cleaned_data["classification"] or min(Classification.INTERNAL, self._clearance)

    def clean_audience(self) -> str:
        return self.cleaned_data["audience"] or Audience.EVERYONE


class VersionForm(forms.Form):
    """A new version of a document."""

    file = forms.FileField(
        label=_("Archivo"),
        widget=FileChooser,
        allow_empty_file=True,  # the upload refuses it in its own words
        error_messages={"required": _("Elige el archivo de la versión nueva.")},
    )


class DocumentForm(AudienceFields, forms.ModelForm[Document]):
    """What a document is called, where it belongs and who may read it."""

    groups = _groups_field()
    tags = _tags_field()

    class Meta:
        model = Document
        fields = ["title", "collection", "tags", "document_date", "classification", "audience"]
        widgets = {"document_date": forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})}
        help_texts = {
            "classification": _("Solo lo verán las personas con ese nivel de acceso o uno mayor."),
        }

    field_order = ["title", "collection", "tags", "document_date", "classification", "audience", "groups"]

    def __init__(self, *args: Any, membership: Membership, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields
        fields["classification"].choices = classifications_for(membership)
        fields["collection"].queryset = Collection.objects.for_organization(membership.organization)
        fields["collection"].empty_label = _("Sin colección")
        self.offer_groups(membership, keeps=self.instance.audience == Audience.GROUPS)
        self.initial["groups"] = list(self.instance.audience_groups.values_list("group_id", flat=True))


class CollectionForm(forms.ModelForm[Collection]):
    """A collection's name, which no other one of the organization has, and how its documents are compared."""

    class Meta:
        model = Collection
        fields = ["name", "late_interaction"]

    def clean_name(self) -> str:
        name = clean_line(self.cleaned_data["name"])
        others = Collection.objects.for_organization(self.instance.organization).exclude(pk=self.instance.pk)
        if others.filter(name__iexact=name).exists():
            raise forms.ValidationError(_("Ya hay una colección con ese nombre. Elige otro."), code="taken")
        return name


class NewCollectionForm(CollectionForm):
    """The name of a collection to be made; the rest is decided later."""

    class Meta(CollectionForm.Meta):
        fields = ["name"]


class BlockTextForm(forms.Form):
    """The text of one block, or of the cells of some rows of a table, to be corrected.

    Built from the texts as they are by place; `corrections` are the places whose text a person changed. What each
    text was travels along, so that two people do not overwrite each other.
    """

    def __init__(self, *args: Any, texts: dict[Place, str], labels: dict[Place, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.places = {str(place): place for place in texts}
        for place, text in texts.items():
            widget = forms.Textarea(attrs={"rows": min(12, max(2, len(text) // 60 + 1))})
            self.fields[f"text-{place}"] = forms.CharField(
                label=labels[place], initial=text, required=False, widget=widget, strip=False, max_length=200_000
            )
            self.fields[f"before-{place}"] = forms.CharField(
                initial=text, required=False, widget=forms.HiddenInput, strip=False
            )

    @property
    def corrections(self) -> list[Correction]:
        """What was changed. Browsers send line breaks as two characters; the stored text has one."""
        found = []
        for name, place in self.places.items():
            before = self.cleaned_data[f"before-{name}"].replace("\r\n", "\n")
            after = self.cleaned_data[f"text-{name}"].replace("\r\n", "\n")
            if before != after:
                found.append(Correction(place, before, after))
        return found


class BulkForm(forms.Form):
    """What an action on several documents still has to know: the collection, or the classification."""

    collection = forms.ModelChoiceField(
        label=_("Colección"), queryset=Collection.objects.none(), required=False, empty_label=_("Sin colección")
    )
    classification = forms.TypedChoiceField(
        label=_("Clasificación"), choices=Classification.choices, coerce=int, initial=Classification.INTERNAL
    )

    def __init__(self, *args: Any, action: BulkAction, membership: Membership, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        wanted = {BulkAction.MOVE: "collection", BulkAction.CLASSIFY: "classification"}.get(action)
        self.fields = {name: field for name, field in self.fields.items() if name == wanted}
        if wanted == "collection":
            collections = Collection.objects.for_organization(membership.organization)
            self.fields[wanted].queryset = collections  # type: ignore[attr-defined]
        elif wanted:
            self.fields[wanted].choices = classifications_for(membership)  # type: ignore[attr-defined]


def _choices(every: Any, labels: dict[str, Any]) -> list[tuple[str, Any]]:
    return [("", every), *labels.items()]


class ListFilterForm(forms.Form):
    """Search, filters and order of the documents list. Anything unknown filters nothing."""

    q = forms.CharField(label=_("Buscar por título o archivo"), required=False, max_length=200)
    estado = forms.ChoiceField(
        label=_("Estado"),
        required=False,
        choices=_choices(_("Todos"), {key: label for key, (label, _statuses) in STATES.items()}),
    )
    coleccion = forms.ChoiceField(label=_("Colección"), required=False)
    tipo = forms.ChoiceField(
        label=_("Tipo"),
        required=False,
        choices=_choices(_("Todos"), {key: label for key, (label, _types) in KINDS.items()}),
    )
    etiqueta = forms.ChoiceField(label=_("Etiqueta"), required=False)
    orden = forms.ChoiceField(label=_("Ordenar por"), required=False, choices=list(ORDERS.items()))

    q.widget.input_type = "search"

    def __init__(self, *args: Any, collections: Sequence[Collection], tags: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = {str(collection.pk): collection.name for collection in collections}
        fields: dict[str, Any] = self.fields
        fields["coleccion"].choices = _choices(_("Todas"), named | {NO_COLLECTION: _("Sin colección")})
        fields["etiqueta"].choices = _choices(_("Todas"), {tag: tag for tag in tags})

    @property
    def known(self) -> dict[str, str]:
        """What was asked for and can be: each field alone, so that one unknown value spoils no other."""
        self.is_valid()  # fills cleaned_data with the fields that are right
        return {name: value for name, value in getattr(self, "cleaned_data", {}).items() if value}
