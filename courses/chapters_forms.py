"""Which chapters of the chosen documents a course is to be made of."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from courses.drafting.chapters import Chapter
from documents.models import Document
from skillnet.widgets import ManyCheckboxes


class ChooseChaptersForm(forms.Form):
    """The chapters of each document, all of them ticked at first."""

    def __init__(self, *args: Any, offered: Mapping[Document, Sequence[Chapter]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._documents = list(offered)
        for document, chapters in offered.items():
            self.fields[_name(document)] = forms.MultipleChoiceField(
                label=document.title,
                choices=[(chapter.key, described(chapter)) for chapter in chapters],
                initial=[chapter.key for chapter in chapters],
                required=False,
                widget=ManyCheckboxes,
                error_messages={"invalid_choice": _("El documento ha cambiado mientras tanto. Elige otra vez.")},
            )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and not any(cleaned.values()):
            raise ValidationError(_("Marca al menos un capítulo: de él saldrán las lecciones."))
        return cleaned

    def chosen(self) -> dict[Document, list[str]]:
        """The keys of the chapters ticked, by document; a document without any is left out."""
        return {one: keys for one in self._documents if (keys := self.cleaned_data[_name(one)])}


def described(chapter: Chapter) -> str:
    """A chapter as people choose it: what it is called, how long it is, and its pages."""
    size = ngettext("%(count)s palabra", "%(count)s palabras", chapter.words) % {"count": chapter.words}
    parts = [chapter.title or _("Texto antes del primer título"), size]
    if chapter.first_page is not None and chapter.first_page == chapter.last_page:
        parts.append(_("página %(page)s") % {"page": chapter.first_page})
    elif chapter.first_page is not None:
        parts.append(_("páginas %(first)s a %(last)s") % {"first": chapter.first_page, "last": chapter.last_page})
    return " · ".join(parts)


def _name(document: Document) -> str:
    return f"capitulos-{document.pk}"
