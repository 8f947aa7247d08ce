"""A quiz question of each kind as a form, with the passage it rests on."""

import json
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from courses.models import Lesson, QuizItem, QuizKind
from courses.quiz_editing import Passage, UnsoundQuestion, check

CHOICES = 6


def passage_key(document_id: int | None, heading_path: Sequence[str]) -> str:
    """A document's section as the form carries it."""
    return json.dumps([document_id, list(heading_path)], ensure_ascii=False)


class QuizItemForm(forms.ModelForm[QuizItem]):
    """What every question has. Each kind adds how its answer is written.

    Saving is approving: a person wrote it or read it. It is refused unless its passage stands word for word in one of
    `passages`, and it has exactly one right answer.
    """

    passage = forms.ChoiceField(label=_("En qué apartado se responde"))

    class Meta:
        model = QuizItem
        fields = ["question", "quote", "explanation"]
        widgets = {
            "question": forms.Textarea(attrs={"rows": 2}),
            "quote": forms.Textarea(attrs={"rows": 3}),
            "explanation": forms.Textarea(attrs={"rows": 2}),
        }
        labels = {"quote": _("Pasaje que da la respuesta"), "explanation": _("Explicación")}
        help_texts = {
            "quote": _("Cópialo palabra por palabra del texto de la fuente."),
            "explanation": _("Se muestra después de responder. Puede quedar vacía."),
        }

    def __init__(self, *args: Any, lesson: Lesson, passages: Sequence[Passage], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lesson, self.passages = lesson, passages
        self._by_key = {passage_key(one.document.pk, one.heading_path): one for one in passages}
        self.fields["quote"].required = True
        self.fields["passage"].choices = [(key, one.name) for key, one in self._by_key.items()]  # type: ignore[attr-defined]
        if self.instance.pk:
            self.initial["passage"] = passage_key(self.instance.document_id, self.instance.heading_path)

    def answer_fields(self, cleaned: dict[str, Any]) -> tuple[list[str], list[Any]]:
        """Options and answer as stored."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        item, passage = self.instance, self._by_key[cleaned["passage"]]
        item.options, item.answer = self.answer_fields(cleaned)
        item.question, item.quote = cleaned["question"], cleaned["quote"]
        item.document, item.heading_path, item.page = passage.document, list(passage.heading_path), passage.page
        try:
            check(item, self.passages)
        except UnsoundQuestion as error:
            raise forms.ValidationError(str(error.user_message)) from error
        return cleaned

    def save(self, commit: bool = True) -> QuizItem:
        item = self.instance
        if item.pk is None:
            item.organization_id, item.lesson = self.lesson.organization_id, self.lesson
            last = self.lesson.quiz_items.order_by("-position").values_list("position", flat=True).first()
            item.position = 0 if last is None else last + 1
        item.is_reviewed = True
        return super().save(commit)


class SingleChoiceForm(QuizItemForm):
    """Options, one of them marked as right."""

    right = forms.TypedChoiceField(
        label=_("Respuesta correcta"), coerce=int, choices=[(at, str(at + 1)) for at in range(CHOICES)]
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        options = self.instance.options if self.instance.pk else []
        for at in range(max(CHOICES, len(options))):
            self.fields[f"option_{at}"] = forms.CharField(
                label=_("Opción %(number)s") % {"number": at + 1}, required=at < 2, max_length=500
            )
            self.initial[f"option_{at}"] = options[at] if at < len(options) else ""
        names = [name for name in self.fields if name.startswith("option_")]
        self.fields["right"].choices = [(at, str(at + 1)) for at in range(len(names))]  # type: ignore[attr-defined]
        if self.instance.pk and self.instance.answer:
            self.initial["right"] = self.instance.answer[0]
        self.order_fields(["question", *names, "right", "passage", "quote", "explanation"])

    def answer_fields(self, cleaned: dict[str, Any]) -> tuple[list[str], list[Any]]:
        given = [cleaned[name].strip() for name in self.fields if name.startswith("option_")]
        options = [option for option in given if option]
        right = given[cleaned["right"]]
        return options, [options.index(right)] if right else []


class _LinesForm(QuizItemForm):
    lines = forms.CharField(widget=forms.Textarea(attrs={"rows": 5}))
    field_order = ["question", "lines", "passage", "quote", "explanation"]

    def _given(self, cleaned: dict[str, Any]) -> list[str]:
        return [text for line in cleaned["lines"].splitlines() if (text := " ".join(line.split()))]


class OrderForm(_LinesForm):
    """Steps in the right order."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["lines"].label = _("Pasos, en el orden correcto")
        self.fields["lines"].help_text = _("Uno por línea. Se muestran desordenados.")
        self.initial["lines"] = "\n".join(self.instance.options)

    def answer_fields(self, cleaned: dict[str, Any]) -> tuple[list[str], list[Any]]:
        return self._given(cleaned), []


class FillForm(_LinesForm):
    """Accepted spellings of one answer."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["lines"].label = _("Respuesta correcta")
        self.fields["lines"].help_text = _("Si vale escrita de varias maneras, una por línea: «24», «veinticuatro».")
        self.fields["lines"].widget.attrs["rows"] = 2
        self.initial["lines"] = "\n".join(map(str, self.instance.answer))

    def answer_fields(self, cleaned: dict[str, Any]) -> tuple[list[str], list[Any]]:
        return [], self._given(cleaned)


FORMS: dict[str, type[QuizItemForm]] = {
    QuizKind.SINGLE_CHOICE: SingleChoiceForm,
    QuizKind.ORDER: OrderForm,
    QuizKind.FILL: FillForm,
}
