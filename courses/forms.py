"""What those who manage courses may write."""

from typing import Any

from django import forms
from django.db.models import Max, QuerySet
from django.utils.translation import gettext_lazy as _

from courses.models import Course, CourseDocument, Module
from courses.slugs import free_slug
from documents.models import Document, DocumentQuerySet
from skillnet.models import Organization
from skillnet.widgets import ManyCheckboxes

MOST_DOCUMENTS = 200  # of a course; the address of the choice of their chapters holds them all


class ChooseDocumentsForm(forms.Form):
    """What a course is to be called, and the documents it is drafted from: some of `documents`."""

    title = forms.CharField(
        label=_("Título del curso"), max_length=200, help_text=_("Por ejemplo, «Apertura y cierre de la tienda».")
    )
    documents = forms.ModelMultipleChoiceField(
        label=_("Documentos"),
        queryset=Document.objects.none(),
        widget=ManyCheckboxes,
        error_messages={"required": _("Elige al menos un documento.")},
    )

    def __init__(self, *args: Any, documents: DocumentQuerySet, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["documents"].queryset = documents.only("title")  # type: ignore[attr-defined]

    def clean_documents(self) -> DocumentQuerySet:
        """No more than an address holds, and than anybody looks over."""
        chosen: DocumentQuerySet = self.cleaned_data["documents"]
        if len(chosen) > MOST_DOCUMENTS:
            message = _("Elige %(limit)d documentos como mucho. Haz otro curso con los demás.")
            raise forms.ValidationError(message, params={"limit": MOST_DOCUMENTS})
        return chosen

    def in_order(self) -> list[Document]:
        """The documents chosen, in the order they were offered."""
        return list(self.cleaned_data["documents"].defer(None).select_related("active_version"))


class CourseForm(forms.ModelForm[Course]):
    """A course with its documents.

    `documents` are those its author may read; links to others are left as they are.
    """

    documents = forms.ModelMultipleChoiceField(
        label=_("Documentos de los que trata"),
        queryset=Document.objects.none(),
        required=False,
        widget=ManyCheckboxes,
    )

    class Meta:
        model = Course
        fields = ["title", "summary", "pass_percent", "recertify_months", "recertify_on_change"]
        widgets = {"summary": forms.Textarea(attrs={"rows": 3})}
        help_texts = {
            "pass_percent": _("De cada 100 preguntas de un cuestionario, cuántas hay que acertar para aprobarlo."),
            "recertify_months": _("Pasados estos meses, quien acabó el curso tiene que repetirlo. Vacío: nunca."),
            "recertify_on_change": _("Si cambia una lección, quien ya la hizo tiene que volver a leerla."),
        }

    def __init__(self, *args: Any, organization: Organization, documents: DocumentQuerySet, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.organization = organization
        self.fields["documents"].queryset = documents  # type: ignore[attr-defined]
        self.fields["pass_percent"].required = False
        if self.instance.pk:
            self.initial["documents"] = documents.filter(course_documents__course=self.instance)

    def clean_documents(self) -> DocumentQuerySet:
        """Nothing can be taught from a document without text; one that a course has already may stay."""
        chosen: DocumentQuerySet = self.cleaned_data["documents"]
        kept = self.instance.course_documents.values("document_id") if self.instance.pk else ()
        titles = chosen.exclude(pk__in=kept).unreadable().values_list("title", flat=True)
        if titles:
            message = _("«%(title)s» no se ha podido leer. Quítalo de la lista, o sube otro archivo en su página.")
            raise forms.ValidationError([message % {"title": title} for title in titles], code="unreadable")
        return chosen

    def clean_pass_percent(self) -> int:
        """Left empty, it stays as it was."""
        given: int | None = self.cleaned_data["pass_percent"]
        return self.instance.pass_percent if given is None else given

    def save(self, commit: bool = True) -> Course:
        course = self.instance
        course.organization = self.organization
        if not course.slug:
            course.slug = free_slug(self.organization, course.title)
        course.save()
        self._link_documents(course)
        return course

    def _link_documents(self, course: Course) -> None:
        offered = self.fields["documents"].queryset  # type: ignore[attr-defined]
        chosen = self.cleaned_data["documents"]
        course.course_documents.filter(document__in=offered).exclude(document__in=chosen).delete()
        CourseDocument.objects.bulk_create(
            [CourseDocument(organization=self.organization, course=course, document=document) for document in chosen],
            ignore_conflicts=True,
        )


def next_position(siblings: QuerySet[Any]) -> int:
    """Where one more stands: after the last, counted from 0."""
    last: int | None = siblings.aggregate(last=Max("position"))["last"]
    return 0 if last is None else last + 1


class ModuleForm(forms.ModelForm[Module]):
    """A module; a new one stands last in `course`."""

    goals = forms.CharField(
        label=_("Qué se aprende"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Un objetivo por línea."),
    )

    class Meta:
        model = Module
        fields = ["title", "summary"]
        widgets = {"summary": forms.Textarea(attrs={"rows": 3})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["goals"] = "\n".join(self.instance.goals)

    def clean_goals(self) -> list[str]:
        lines = (" ".join(line.split()) for line in self.cleaned_data["goals"].splitlines())
        return [line for line in lines if line]

    def save_in(self, course: Course) -> Module:
        module = self.instance
        module.goals = self.cleaned_data["goals"]
        if module.pk is None:
            module.organization_id, module.course = course.organization_id, course
            module.position = next_position(course.modules.all())
        module.save()
        return module


class DismissForm(forms.Form):
    """Why a lesson may stay as it is although its source changed."""

    reason = forms.CharField(
        label=_("Por qué no hace falta"), max_length=500, widget=forms.Textarea(attrs={"rows": 2}), strip=True
    )
