"""Questions as people send them."""

from typing import Any
from uuid import uuid4

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _


class QuestionForm(forms.Form):
    """A question, the conversation it belongs to, and the form's one-time key.

    The page gives a new conversation its identifier, so that a form sent twice starts one conversation, not
    two.
    """

    question = forms.CharField(
        label=_("Tu pregunta"),
        error_messages={"required": _("Escribe tu pregunta.")},
        widget=forms.Textarea(
            attrs={
                "rows": 2,
                "class": "ask__box",
                "placeholder": _("Escribe tu pregunta"),
                "autocomplete": "off",
                "enterkeyhint": "send",
            }
        ),
    )
    submission = forms.UUIDField(widget=forms.HiddenInput)
    conversation = forms.UUIDField(widget=forms.HiddenInput)
    curso = forms.IntegerField(required=False, widget=forms.HiddenInput)
    fresh = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["submission"].initial = uuid4
        self.fields["conversation"].initial = uuid4

    def clean_question(self) -> str:
        # Browsers send line breaks as two characters; the limit counts what the person sees.
        question: str = self.cleaned_data["question"].replace("\r\n", "\n").strip()
        limit = settings.SKILLNET_QUESTION_MAX_CHARS
        if len(question) > limit:
            raise forms.ValidationError(
                _("Tu pregunta tiene %(count)d caracteres y caben %(limit)d. Acórtala o divídela en varias.")
                % {"count": len(question), "limit": limit}
            )
        return question
