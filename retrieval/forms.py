"""What people may say to the search, and about an organization's own words."""

import csv
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from documents.cleaning import clean_line
from documents.listing import KINDS
from documents.models import Collection
from retrieval.glossary import MAX_WORDINGS, WORDING_LENGTH
from retrieval.question import MAX_CHARACTERS
from skillnet.backends.language import LANGUAGES

LANGUAGE_NAMES = {
    "es": _("Español"),
    "en": _("Inglés"),
    "pt": _("Portugués"),
    "fr": _("Francés"),
    "it": _("Italiano"),
    "de": _("Alemán"),
    "ca": _("Catalán"),
}
MAX_PASTED_LINES = 500


def _day(label: Any) -> forms.DateField:
    return forms.DateField(
        label=label, required=False, widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )


class SearchForm(forms.Form):
    """Words and filters of a search through the documents."""

    q = forms.CharField(label=_("Qué buscas"), required=False, max_length=MAX_CHARACTERS)
    coleccion = forms.ModelChoiceField(
        label=_("Colección"), queryset=Collection.objects.none(), required=False, empty_label=_("Todas")
    )
    tipo = forms.ChoiceField(
        label=_("Tipo"),
        required=False,
        choices=[("", _("Todos")), *((key, label) for key, (label, _types) in KINDS.items())],
    )
    idioma = forms.ChoiceField(
        label=_("Idioma"),
        required=False,
        choices=[("", _("Todos")), *((code, LANGUAGE_NAMES[code]) for code in LANGUAGES)],
    )
    desde = _day(_("Subido desde"))
    hasta = _day(_("Subido hasta"))
    fecha_desde = _day(_("Con fecha desde"))
    fecha_hasta = _day(_("Con fecha hasta"))

    q.widget.input_type = "search"

    def __init__(self, *args: Any, collections: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["coleccion"].queryset = collections  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for first, last in (("desde", "hasta"), ("fecha_desde", "fecha_hasta")):
            if cleaned.get(first) and cleaned.get(last) and cleaned[first] > cleaned[last]:
                self.add_error(last, _("Esta fecha es anterior a la de inicio. Cambia una de las dos."))
        return cleaned

    @property
    def media_types(self) -> tuple[str, ...]:
        kind = self.cleaned_data["tipo"]
        return tuple(KINDS[kind][1]) if kind else ()


def _wordings(texts: Sequence[str]) -> list[str]:
    """Cleaned wordings, each once. Raises: ValidationError."""
    wordings: dict[str, str] = {}
    for wording in map(clean_line, texts):
        if len(wording) > WORDING_LENGTH:
            too_long = _("Cada palabra o expresión puede tener %(limit)d letras como mucho.")
            raise forms.ValidationError(too_long % {"limit": WORDING_LENGTH}, code="too_long")
        if wording:
            wordings.setdefault(wording.casefold(), wording)
    if len(wordings) < 2:
        raise forms.ValidationError(_("Escribe al menos dos palabras o expresiones, separadas por comas."), code="few")
    if len(wordings) > MAX_WORDINGS:
        too_many = _("Pon %(limit)d como mucho en cada entrada.") % {"limit": MAX_WORDINGS}
        raise forms.ValidationError(too_many, code="too_many")
    return list(wordings.values())


class GlossaryEntryForm(forms.Form):
    """The wordings of one entry, cleaned to a list."""

    wordings = forms.CharField(
        label=_("Palabras que significan lo mismo"),
        max_length=(WORDING_LENGTH + 2) * MAX_WORDINGS,
        help_text=_("Separadas por comas, por ejemplo: caja, TPV, datáfono."),
    )

    def clean_wordings(self) -> list[str]:
        return _wordings(self.cleaned_data["wordings"].replace("=", ",").split(","))


class GlossaryPasteForm(forms.Form):
    """Several entries at once, one a line, as spreadsheets copy and save them. Cleaned to lists of wordings."""

    lines = forms.CharField(
        label=_("Pegar varias"),
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("Una entrada por línea, con sus palabras separadas por comas, punto y coma o tabuladores."),
    )

    def clean_lines(self) -> list[list[str]]:
        lines = [line for line in self.cleaned_data["lines"].splitlines() if line.strip()]
        if len(lines) > MAX_PASTED_LINES:
            message = _("Pega %(limit)d líneas como mucho cada vez.") % {"limit": MAX_PASTED_LINES}
            raise forms.ValidationError(message, code="too_many")
        entries = []
        for number, line in enumerate(lines, start=1):
            delimiter = next((mark for mark in ("\t", ";") if mark in line), ",")
            try:
                [cells] = csv.reader([line.replace("\0", "")], delimiter=delimiter)
                entries.append(_wordings(cells))
            except (csv.Error, ValueError, forms.ValidationError) as error:
                reason = error.message if isinstance(error, forms.ValidationError) else _("no se puede leer.")
                message = _("Línea %(number)d: %(reason)s") % {"number": number, "reason": reason}
                raise forms.ValidationError(message, code="line") from error
        return entries
