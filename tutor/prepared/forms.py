"""Entries of the FAQ as people write them."""

import uuid
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from documents.access import Reader
from documents.forms import classifications_for
from documents.models import Document, DocumentQuerySet
from skillnet.errors import SkillNetError
from skillnet.models import MANAGERS, Classification, Membership, User
from skillnet.widgets import FileChooser
from tutor.grounding import cited_numbers, renumbered
from tutor.models import FaqEntry
from tutor.prepared.matching import question_key
from tutor.prepared.services import BoundSource, bind_source
from tutor.prepared.transfer import MAX_BYTES

SOURCES = 3  # places for sources on an empty form
MAX_QUESTIONS = 20
MAX_QUESTION_CHARACTERS = 500
MAX_TURNS = 300  # as many as are gathered at once


class TurnIdsField(forms.CharField):
    """Turns that an entry settles: their ids between commas, cleaned to a list. What is no id is left out."""

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override]
        ids = []
        for text in (super().to_python(value) or "").split(",")[:MAX_TURNS]:
            try:
                ids.append(str(uuid.UUID(text.strip())))
            except ValueError:
                continue
        return ids


class FaqForm(forms.Form):
    """The wordings of a question, its answer, who may read it and what it rests on."""

    questions = forms.CharField(
        label=_("Pregunta"),
        help_text=_("Escribe en cada línea una forma de preguntar lo mismo. La primera es la que se muestra."),
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=8_000,
        error_messages={"required": _("Escribe al menos una pregunta.")},
    )
    answer = forms.CharField(
        label=_("Respuesta"),
        help_text=_(
            "Puedes usar **negrita**, listas y enlaces. Escribe [Fuente 1] donde quieras señalar la primera fuente."
        ),
        widget=forms.Textarea(attrs={"rows": 7}),
        max_length=8_000,
        error_messages={"required": _("Escribe la respuesta.")},
    )
    also = forms.MultipleChoiceField(
        label=_("También se ha preguntado así"),
        help_text=_("Marca solo las que se responden con lo mismo: las demás siguen sin respuesta."),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    classification = forms.TypedChoiceField(
        label=_("Clasificación"),
        coerce=int,
        help_text=_("La verán las personas con ese nivel de acceso que además puedan leer todas sus fuentes."),
    )
    owner = forms.ModelChoiceField(
        User.objects.none(),
        label=_("Responsable"),
        required=False,
        empty_label=_("Sin cambios"),
        help_text=_("Recibe un aviso cuando cambia un documento en el que se apoya."),
    )
    is_active = forms.BooleanField(label=_("Responder con ella"), required=False, initial=True)
    turns = TurnIdsField(required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        membership: Membership,
        documents: DocumentQuerySet,
        source_count: int = SOURCES,
        proposals: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        sent = self.data.getlist("proposed") if self.is_bound else proposals  # type: ignore[attr-defined]
        known = dict.fromkeys(text.strip() for text in sent if text.strip() and "\0" not in text)
        self.proposals = [text for text in known if len(text) <= MAX_QUESTION_CHARACTERS][:MAX_QUESTIONS]
        self.fields["also"].choices = [(text, text) for text in self.proposals]  # type: ignore[attr-defined]
        self._source_numbers = range(1, max(SOURCES, source_count) + 1)
        self.bound_sources: list[BoundSource] = []
        self.fields["classification"].choices = classifications_for(membership)  # type: ignore[attr-defined]
        self.fields["classification"].initial = Classification.INTERNAL
        self._owners = Membership.objects.active().filter(organization=membership.organization_id, role__in=MANAGERS)
        people = User.objects.filter(pk__in=self._owners.values("user"))
        self.fields["owner"].queryset = people.order_by("first_name", "last_name", "email")  # type: ignore[attr-defined]
        present = self.initial.get("owner")
        if present is not None and people.filter(pk=present).exists():
            self.fields["owner"].empty_label = None  # type: ignore[attr-defined]
        for number in self._source_numbers:
            self.fields[f"document_{number}"] = forms.ModelChoiceField(
                documents, label=_("Documento"), required=False, empty_label=_("Ninguno")
            )
            self.fields[f"quote_{number}"] = forms.CharField(
                label=_("Frase en la que se apoya"),
                required=False,
                widget=forms.Textarea(attrs={"rows": 2}),
                max_length=2_000,
            )

    @property
    def left_out(self) -> list[str]:
        """The proposed wordings that a valid form does not take."""
        taken = {question_key(text) for text in self.cleaned_data["questions"]}
        return [text for text in self.proposals if question_key(text) not in taken]

    def source_fields(self) -> list[tuple[int, Any, Any]]:
        return [(n, self[f"document_{n}"], self[f"quote_{n}"]) for n in self._source_numbers]

    def clean_questions(self) -> list[str]:
        lines = [line.strip() for line in self.cleaned_data["questions"].splitlines() if line.strip()]
        if not any(question_key(line) for line in lines):
            raise forms.ValidationError(_("Escribe al menos una pregunta."))
        lines += [text for text in self.data.getlist("also") if text in self.proposals]  # type: ignore[attr-defined]
        if len(lines) > MAX_QUESTIONS:
            raise forms.ValidationError(
                _("Caben %(limit)d formas de preguntar; has escrito %(count)d.")
                % {"limit": MAX_QUESTIONS, "count": len(lines)}
            )
        if any(len(line) > MAX_QUESTION_CHARACTERS for line in lines):
            raise forms.ValidationError(_("Cada pregunta puede tener 500 caracteres como mucho."))
        return lines

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        begun, bound = set(), {}  # numbers on the form; what a bound one is called once the empty ones are left out
        for number in self._source_numbers:
            document, quote = cleaned.get(f"document_{number}"), cleaned.get(f"quote_{number}", "").strip()
            if document is None and not quote:
                continue
            begun.add(number)
            if document is None:
                self.add_error(f"document_{number}", _("Elige el documento de esta frase."))
            elif not quote:
                self.add_error(f"quote_{number}", _("Copia del documento la frase en la que se apoya."))
            else:
                try:
                    self.bound_sources.append(bind_source(document, quote))
                    bound[number] = len(self.bound_sources)
                except SkillNetError as error:
                    self.add_error(f"quote_{number}", str(error.user_message))
        self._check_owner(cleaned)
        answer = cleaned.get("answer", "")
        missing = [number for number in cited_numbers(answer) if number not in begun]
        if missing:
            message = _(
                "La respuesta cita la Fuente %(number)d, pero no has elegido esa fuente: elígela o quita la marca."
            )
            self.add_error("answer", message % {"number": missing[0]})
        elif answer:
            cleaned["answer"] = renumbered(answer, bound)
        return cleaned

    def _check_owner(self, cleaned: dict[str, Any]) -> None:
        """Nobody can answer for an entry that they may not read."""
        if cleaned.get("owner") is None:
            return
        owner = Reader.of(self._owners.get(user=cleaned["owner"]))
        documents = [source.version.document_id for source in self.bound_sources]
        is_cleared = owner.sees_everything or cleaned.get("classification", 0) <= owner.clearance
        if not is_cleared or Document.objects.filter(pk__in=documents).exclude(
            pk__in=Document.objects.readable_by(owner).order_by().values("pk")
        ):
            self.add_error("owner", _("Esa persona no puede leer esta respuesta o una de sus fuentes."))


def initial_of(entry: FaqEntry) -> dict[str, Any]:
    """The form's values for an entry as it is, its sources counted from 1 even where one was lost with its document."""
    sources = list(entry.sources.all())
    numbers = {source.number: number for number, source in enumerate(sources, start=1)}
    values: dict[str, Any] = {
        "questions": "\n".join(variant.text for variant in entry.variants.all()),
        "answer": renumbered(entry.answer, numbers),
        "classification": entry.classification,
        "is_active": entry.is_active,
        "owner": entry.owner_id,
    }
    return values | initial_sources([(source.document_id, source.quote) for source in sources])


def initial_sources(sources: Sequence[tuple[int, str]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for number, (document_id, quote) in enumerate(sources, start=1):
        values |= {f"document_{number}": document_id, f"quote_{number}": quote}
    return values


class ImportForm(forms.Form):
    file = forms.FileField(
        label=_("Archivo CSV o JSON"),
        help_text=_("Como el que da «Exportar»: 300 preguntas y 2 MB como mucho."),
        error_messages={"required": _("Elige un archivo.")},
        widget=FileChooser(attrs={"accept": ".csv,.json,text/csv,application/json"}),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MAX_BYTES:
            raise forms.ValidationError(_("El archivo es demasiado grande: caben 2 MB."))
        return file
