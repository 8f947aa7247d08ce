"""A lesson's quiz as a form. Works without scripts: steps are put in order by giving each its number."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from courses.grading import shuffled
from courses.models import QuizItem, QuizKind

MAX_ATTEMPTS = 1_000_000


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question as it is put: `fields` are its steps where they are to be ordered, else its one field."""

    item: QuizItem
    fields: tuple[forms.BoundField, ...]
    errors: Sequence[str]

    @property
    def is_order(self) -> bool:
        return self.item.kind == QuizKind.ORDER

    @property
    def field(self) -> forms.BoundField:
        return self.fields[0]


class QuizForm(forms.Form):
    """The questions of a quiz. `number` counts someone's tries: each shows the options in another order.

    Options are sent by their place in that order, so what a page holds does not tell the right ones.
    """

    number = forms.IntegerField(min_value=1, max_value=MAX_ATTEMPTS, widget=forms.HiddenInput)

    def __init__(self, *args: Any, items: Sequence[QuizItem], user_id: int, number: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._items = items
        self.initial["number"] = number
        shown = self._number_shown(number)
        self._options = {item.pk: _order_shown(item, f"{item.pk}:{user_id}:{shown}") for item in items}
        for item in items:
            self.fields.update(self._fields_of(item))

    def _number_shown(self, number: int) -> int:
        """The number of the page that was answered, which a second window may have left behind."""
        if not self.is_bound:
            return number
        try:
            return int(self.fields["number"].clean(self.data.get(self.add_prefix("number"))))
        except forms.ValidationError:
            return number

    def _fields_of(self, item: QuizItem) -> Iterator[tuple[str, forms.Field]]:
        missing = {"required": _("Responde a esta pregunta.")}
        options = self._options[item.pk]
        if item.kind == QuizKind.FILL:
            field = forms.CharField(label=item.question, max_length=200, error_messages=missing)
            field.widget.attrs["autocomplete"] = "off"
            yield f"q{item.pk}", field
        elif item.kind == QuizKind.ORDER:
            numbers = [("", "–"), *((str(at + 1), str(at + 1)) for at in range(len(options)))]
            for at, step in enumerate(options):
                yield f"q{item.pk}-{at}", forms.ChoiceField(label=step, choices=numbers, required=False)
        else:
            choices = [(str(at), option) for at, option in enumerate(options)]
            yield (
                f"q{item.pk}",
                forms.ChoiceField(
                    label=item.question, choices=choices, widget=forms.RadioSelect, error_messages=missing
                ),
            )

    def _names(self, item: QuizItem) -> list[str]:
        if item.kind != QuizKind.ORDER:
            return [f"q{item.pk}"]
        return [f"q{item.pk}-{at}" for at in range(len(self._options[item.pk]))]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for item in self._items:
            names = self._names(item)
            numbers = [cleaned.get(name) for name in names]
            if item.kind == QuizKind.ORDER and len({*numbers} - {"", None}) < len(names):
                self.add_error(names[0], _("Da a cada paso un número distinto."))
        return cleaned

    def questions(self) -> list[AskedQuestion]:
        """The questions in their order."""
        return [
            AskedQuestion(
                item,
                tuple(self[name] for name in self._names(item)),
                tuple(str(error) for name in self._names(item) for error in self.errors.get(name, ())),
            )
            for item in self._items
        ]

    def given(self) -> dict[int, list[str]]:
        """The answers in words, by item id, as `studying.take_quiz` wants them."""
        return {item.pk: self._given(item) for item in self._items}

    def _given(self, item: QuizItem) -> list[str]:
        options, names = self._options[item.pk], self._names(item)
        if item.kind == QuizKind.FILL:
            return [self.cleaned_data[names[0]]]
        if item.kind == QuizKind.ORDER:
            places = [int(self.cleaned_data[name]) for name in names]
            return [option for _place, option in sorted(zip(places, options, strict=True))]
        return [options[int(self.cleaned_data[names[0]])]]


def _order_shown(item: QuizItem, seed: str) -> list[str]:
    return shuffled(item.options, seed=seed, solved=item.options if item.kind == QuizKind.ORDER else ())
