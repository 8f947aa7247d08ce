"""What people may say when they measure search."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from retrieval.models import EvaluationQuestion

CONFIGURATION_NAMES = {
    "hybrid+rerank": _("Palabras y significado, revisado (como busca el tutor)"),
    "hybrid": _("Palabras y significado, sin revisar"),
    "keyword": _("Solo palabras"),
    "vector": _("Solo significado"),
    "vector+rerank": _("Solo significado, revisado"),
    "hybrid+rerank+mmr": _("Palabras y significado, revisado y sin repetidos"),
}
USUAL = ["hybrid+rerank", "hybrid", "keyword", "vector"]
NO_ANSWER = "ninguno"


class ConfigurationsForm(forms.Form):
    """Which ways of searching to measure."""

    configuraciones = forms.MultipleChoiceField(
        label=_("Formas de buscar"),
        choices=list(CONFIGURATION_NAMES.items()),
        initial=USUAL,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Elige al menos una forma de buscar.")},
    )


class QuestionForm(forms.Form):
    """A question to look for the right passage of."""

    pregunta = forms.CharField(
        label=_("Pregunta"),
        max_length=EvaluationQuestion._meta.get_field("question").max_length,
        error_messages={"required": _("Escribe una pregunta.")},
    )


class JudgementForm(QuestionForm):
    """A question, and the number of the passage that answers it, or that none does."""

    palabras = forms.CharField(
        label=_("Palabras que la respuesta tiene que decir (opcional)"),
        help_text=_("Por ejemplo, «30 días naturales». Así se mide también si el tutor las dice."),
        max_length=EvaluationQuestion._meta.get_field("expected_words").max_length,
        required=False,
    )
    respuesta = forms.CharField(error_messages={"required": _("Elige el fragmento que responde.")})

    def clean_palabras(self) -> str:
        words: str = self.cleaned_data["palabras"]
        if words and not any(map(str.isalnum, words)):
            raise forms.ValidationError(_("Escribe alguna palabra o cifra, o nada."), code="invalid")
        return words

    def clean_respuesta(self) -> int | None:
        answer: Any = self.cleaned_data["respuesta"]
        if answer == NO_ANSWER:
            return None
        if answer.isascii() and answer.isdecimal() and len(answer) <= 18:
            return int(answer)
        raise forms.ValidationError(_("Elige el fragmento que responde."), code="invalid")
