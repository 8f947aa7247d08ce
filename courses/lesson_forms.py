"""A lesson with the sections of documents that it rests on."""

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from courses.draft_writing import blocks_read
from courses.forms import next_position
from courses.models import Lesson, LessonSource, Module
from courses.sections import Section, as_value, sections_of
from documents.models import Document, DocumentQuerySet


class LessonForm(forms.ModelForm[Lesson]):
    """A lesson; a new one stands last in `module`."""

    class Meta:
        model = Lesson
        fields = ["title", "summary", "content"]
        widgets = {"summary": forms.Textarea(attrs={"rows": 2}), "content": forms.Textarea(attrs={"rows": 22})}
        help_texts = {
            "summary": _("Una o dos frases: de qué trata."),
            "content": _("Puedes usar Markdown: ## para títulos, - para listas, ** para negrita."),
        }

    def save_in(self, module: Module) -> Lesson:
        lesson = self.instance
        if lesson.pk is None:
            lesson.organization_id, lesson.module = module.organization_id, module
            lesson.position = next_position(module.lessons.all())
        elif "content" in self.changed_data:
            lesson.changed_at = timezone.now()
        lesson.save()
        return lesson


class LessonSourceForm(forms.ModelForm[LessonSource]):
    """A document and one of its sections. The page follows from the section; without one it may be given."""

    section = forms.ChoiceField(label=_("Apartado"), required=False)

    class Meta:
        model = LessonSource
        fields = ["document", "page", "with_subsections"]
        labels = {
            "document": _("Documento"),
            "page": _("Página"),
            "with_subsections": _("Incluye también los apartados que están dentro de él"),
        }
        help_texts = {"page": _("Se rellena sola al elegir un apartado."), "with_subsections": ""}

    field_order = ["document", "section", "with_subsections", "page"]

    def __init__(self, *args: Any, documents: DocumentQuerySet, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["document"].queryset = documents  # type: ignore[attr-defined]
        self.fields["document"].empty_label = _("Elige un documento")  # type: ignore[attr-defined]
        self.fields["page"].widget.attrs["min"] = 1
        self.chosen = self._chosen(documents)
        self.sections: list[Section] = []
        if self.chosen is not None and self.chosen.active_version_id is not None:
            self.sections = sections_of(blocks_read(self.chosen.active_version_id))
        self.fields["section"].choices = self._choices()  # type: ignore[attr-defined]
        self.initial["section"] = as_value(self.instance.heading_path)

    def has_changed(self) -> bool:
        """A new row in which no document was chosen is no source."""
        if self.instance.pk is None and not self.data.get(self.add_prefix("document")):
            return False
        return super().has_changed()

    def _chosen(self, documents: DocumentQuerySet) -> Document | None:
        raw = self.data.get(self.add_prefix("document")) if self.is_bound else self.instance.document_id
        key = str(raw or "")
        found: Document | None = documents.filter(pk=int(key)).first() if key.isdecimal() else None
        return found

    def _choices(self) -> list[tuple[str, Any]]:
        choices: list[tuple[str, Any]] = [("", _("Todo el documento"))]
        choices += [(section.value, section.label) for section in self.sections]
        own = as_value(self.instance.heading_path)
        if own and self.chosen is not None and self.chosen.pk == self.instance.document_id:
            known = {value for value, _label in choices}
            if own not in known:
                gone = _("%(heading)s (ya no está en el documento)") % {"heading": self.instance.heading_path[-1]}
                choices.append((own, gone))
        return choices

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        section = next((one for one in self.sections if one.value == cleaned.get("section")), None)
        if section is not None and section.page is not None:
            cleaned["page"] = section.page
        if not cleaned.get("section") and cleaned.get("page"):
            cleaned["with_subsections"] = True  # the page itself
        return cleaned

    def save(self, commit: bool = True) -> LessonSource:
        source = self.instance
        if self.add_prefix("section") not in self.data:  # not asked, so not answered
            return super().save(commit)
        section = next((one for one in self.sections if one.value == self.cleaned_data["section"]), None)
        if not self.cleaned_data["section"]:
            source.heading_path = []
        elif section is not None:
            source.heading_path = list(section.path)
        if {"section", "document"} & set(self.changed_data):
            source.part = source.part_count = 1
            source.version_id = source.document.active_version_id
        return super().save(commit)


LessonSourceFormSet = forms.inlineformset_factory(Lesson, LessonSource, form=LessonSourceForm, extra=1, can_delete=True)
