"""What people may say about documents."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from documents.listing import STATES
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


class ListFilterForm(forms.Form):
    """Search and filter of the documents list. Anything unknown filters nothing."""

    q = forms.CharField(label=_("Buscar por título"), required=False, max_length=200)
    estado = forms.ChoiceField(
        label=_("Estado"),
        required=False,
        choices=[("", _("Todos")), *((key, label) for key, (label, _statuses) in STATES.items())],
    )

    q.widget.input_type = "search"
