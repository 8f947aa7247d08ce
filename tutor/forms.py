"""What people send: questions, what they think of the answers, filters, an organization's choices."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, ClassVar
from uuid import uuid4

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from courses.models import Course
from documents.cleaning import clean_line
from tutor.models import AnswerOrigin, Conversation
from tutor.policy import TutorPolicy
from tutor.question_log import FEEDBACK, RESULTS

COMMENT_CHARACTERS = 2_000


class ConversationForm(forms.ModelForm[Conversation]):
    """What a person calls a conversation of theirs."""

    class Meta:
        model = Conversation
        fields = ("title",)
        labels: ClassVar = {"title": _("Nombre")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["title"].required = True
        self.fields["title"].widget.attrs["autofocus"] = True

    def clean_title(self) -> str:
        return clean_line(self.cleaned_data["title"])


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
    leccion = forms.IntegerField(required=False, widget=forms.HiddenInput)
    fresh = forms.BooleanField(required=False, widget=forms.HiddenInput)
    biblioteca = forms.BooleanField(required=False, widget=forms.HiddenInput)

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


class FeedbackForm(forms.Form):
    """Whether an answer was useful, and what the person adds."""

    util = forms.ChoiceField(choices=[("si", _("Sí")), ("no", _("No"))])
    comentario = forms.CharField(required=False, max_length=COMMENT_CHARACTERS)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        return {"is_useful": given.get("util") == "si", "comment": given.get("comentario", "")}


class EscalationForm(forms.Form):
    """What the person adds to a question that is passed on."""

    comentario = forms.CharField(required=False, max_length=COMMENT_CHARACTERS)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        return {"comment": given.get("comentario", "")}


class ReplyForm(forms.Form):
    """What whoever is responsible answers to a question passed on."""

    respuesta = forms.CharField(
        label=_("Tu respuesta"),
        max_length=COMMENT_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("Escribe la respuesta.")},
    )


class LogFilterForm(forms.Form):
    """Filters of the log of questions. Anything unknown filters nothing."""

    texto = forms.CharField(label=_("Buscar en preguntas y respuestas"), required=False, max_length=200)
    resultado = forms.ChoiceField(
        label=_("Resultado"),
        required=False,
        choices=[("", _("Todos")), *((key, name) for key, (name, _filter) in RESULTS.items())],
    )
    valoracion = forms.ChoiceField(
        label=_("Valoración"),
        required=False,
        choices=[("", _("Todas")), *((key, name) for key, (name, _filter) in FEEDBACK.items())],
    )
    origen = forms.ChoiceField(label=_("Origen"), required=False, choices=[("", _("Todos")), *AnswerOrigin.choices])
    curso = forms.ChoiceField(label=_("Curso"), required=False)
    desde = forms.DateField(label=_("Desde"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    hasta = forms.DateField(label=_("Hasta"), required=False, widget=forms.DateInput(attrs={"type": "date"}))

    texto.widget.input_type = "search"
    NAMES: ClassVar = {
        "texto": "text",
        "resultado": "result",
        "valoracion": "feedback",
        "origen": "origin",
        "curso": "course",
        "desde": "since",
        "hasta": "until",
    }

    def __init__(self, *args: Any, courses: Iterable[Course], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["curso"]
        field.choices = [("", _("Todos")), *((str(course.pk), course.title) for course in courses)]

    @property
    def known(self) -> dict[str, Any]:
        """What was asked for and can be, by the names `questions_of` has for it."""
        self.is_valid()  # fills cleaned_data with the fields that are right
        return {self.NAMES[name]: value for name, value in getattr(self, "cleaned_data", {}).items() if value}


class PolicyForm(forms.Form):
    """An organization's choices about its tutor."""

    general_knowledge = forms.BooleanField(
        label=_("Responder con conocimiento general cuando los documentos no lo digan"),
        help_text=_("Solo con un modelo de lenguaje. Esas respuestas se marcan: no proceden de tus documentos."),
        required=False,
    )
    monthly_answers = forms.IntegerField(
        label=_("Respuestas redactadas al mes"),
        help_text=_(
            "Cuando se acaban, el tutor sigue respondiendo con las frases de los documentos. Vacío: el límite general."
        ),
        required=False,
        min_value=0,
        max_value=10_000_000,
    )
    passes_on_doubts = forms.BooleanField(
        label=_("Avisar al responsable del documento cuando una respuesta sea dudosa"), required=False
    )
    conversation_days = forms.IntegerField(
        label=_("Días que se guardan las conversaciones"),
        help_text=_("Desde la última pregunta; después se borran con sus respuestas. Vacío: se guardan siempre."),
        required=False,
        min_value=1,
        max_value=3_650,
    )
    hides_names = forms.BooleanField(label=_("No mostrar quién pregunta en el registro"), required=False)

    def __init__(self, data: Any = None, *, policy: TutorPolicy) -> None:
        super().__init__(data, initial=asdict(policy))

    @property
    def policy(self) -> TutorPolicy:
        return TutorPolicy(**self.cleaned_data)
