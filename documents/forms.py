"""What people may say about documents."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from documents.bulk import BulkAction
from documents.correcting import Correction, Place
from documents.listing import KINDS, NO_COLLECTION, ORDERS, STATES
from documents.models import Audience, Collection, Document
from skillnet.models import Classification, Membership, Role


class SeveralFilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class SeveralFilesField(forms.FileField):
    """A file field that cleans to a list of files. What is wrong with one is left to its upload to say."""

    widget = SeveralFilesInput

    def clean(self, data: Any, initial: Any = None) -> list["UploadedFile[bytes]"]:
        files = [file for file in data or [] if file]
        if not files:
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


class UploadForm(forms.Form):
    """Several new documents at once, by a member of the organization that will own them."""

    uploads = SeveralFilesField(
        label=_("Archivos"), error_messages={"required": _("Elige al menos un archivo para subir.")}
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
        choices=[choice for choice in Audience.choices if choice[0] != Audience.GROUPS],
        initial=Audience.EVERYONE,
        required=False,
    )

    def __init__(self, *args: Any, membership: Membership, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._clearance = membership.clearance
        collections = Collection.objects.for_organization(membership.organization)
        self.fields["collection"].queryset = collections  # type: ignore[attr-defined]
        self.fields["classification"].choices = classifications_for(membership)  # type: ignore[attr-defined]

    def clean_classification(self) -> int:
        return self.cleaned_data["classification"] or min(Classification.INTERNAL, self._clearance)

    def clean_audience(self) -> str:
        return self.cleaned_data["audience"] or Audience.EVERYONE


class VersionForm(forms.Form):
    """A new version of a document."""

    file = forms.FileField(
        label=_("Archivo"),
        allow_empty_file=True,  # the upload refuses it in its own words
        error_messages={"required": _("Elige el archivo de la versión nueva.")},
    )


class DocumentForm(forms.ModelForm[Document]):
    """What a document is called and who may read it."""

    class Meta:
        model = Document
        fields = ["title", "collection", "classification", "audience"]
        help_texts = {
            "classification": _("Solo lo verán las personas con ese nivel de acceso o uno mayor."),
        }

    def __init__(self, *args: Any, membership: Membership, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["classification"].choices = classifications_for(membership)  # type: ignore[attr-defined]
        collection = self.fields["collection"]
        collection.queryset = Collection.objects.for_organization(membership.organization)  # type: ignore[attr-defined]
        collection.empty_label = _("Sin colección")  # type: ignore[attr-defined]
        if self.instance.audience != Audience.GROUPS:  # groups are named elsewhere
            self.fields["audience"].choices = [  # type: ignore[attr-defined]
                choice for choice in Audience.choices if choice[0] != Audience.GROUPS
            ]


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

    q = forms.CharField(label=_("Buscar por título"), required=False, max_length=200)
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
