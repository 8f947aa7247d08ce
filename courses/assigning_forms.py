"""Forms by which courses are assigned."""

from typing import Any

from django import forms
from django.db.models import Case, When
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from courses.models import Course, Enrolment
from courses.overview import Stage
from skillnet.models import Group, Membership, Role
from skillnet.widgets import ManyCheckboxes

LONGEST_DAYS = 3650


def _date_field(label: Any) -> forms.DateField:
    return forms.DateField(
        label=label, required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )


class _Members(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: Any) -> str:
        name = obj.user.get_full_name()
        return f"{name} · {obj.user.email}" if name else str(obj.user.email)


def _not_past(due_on: Any) -> Any:
    if due_on is not None and due_on < timezone.localdate():
        raise forms.ValidationError(_("Elige una fecha que no haya pasado."))
    return due_on


class AssignPeopleForm(forms.Form):
    """People who do not take a course yet, and by when they are to finish it."""

    members = _Members(
        label=_("Personas"),
        queryset=Membership.objects.none(),
        widget=ManyCheckboxes,
        error_messages={"required": _("Elige al menos una persona.")},
    )
    due_on = _date_field(_("Fecha límite (opcional)"))

    def __init__(self, *args: Any, course: Course, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        enrolled = Enrolment.objects.filter(course=course).values("user_id")
        members = Membership.objects.filter(organization=course.organization_id, user__is_active=True)
        manages = Case(When(role=Role.EMPLOYEE, then=0), default=1)  # courses are for employees before all
        self.fields["members"].queryset = (  # type: ignore[attr-defined]
            members.exclude(user__in=enrolled)
            .select_related("user")
            .order_by(manages, "user__last_name", "user__first_name", "user__email")
        )

    def clean_due_on(self) -> Any:
        return _not_past(self.cleaned_data["due_on"])


class AssignGroupForm(forms.Form):
    """A group, and how many days each of its people has."""

    group = forms.ModelChoiceField(
        label=_("Grupo"),
        queryset=Group.objects.none(),
        empty_label=_("Elige un grupo"),
        error_messages={"required": _("Elige un grupo.")},
    )
    due_days = forms.IntegerField(
        label=_("Días para terminarlo (opcional)"),
        required=False,
        min_value=1,
        max_value=LONGEST_DAYS,
        help_text=_("Cuentan desde el día en que se asigna a cada persona. Quien entre después lo recibe también."),
    )

    def __init__(self, *args: Any, course: Course, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        groups = Group.objects.filter(organization=course.organization_id).order_by("name")
        self.fields["group"].queryset = groups  # type: ignore[attr-defined]


class DueForm(forms.Form):
    """Another date for someone; empty for none."""

    due_on = _date_field(_("Fecha límite"))

    def clean_due_on(self) -> Any:
        return _not_past(self.cleaned_data["due_on"])


class ProgressFilter(forms.Form):
    """What to see of those who take a course."""

    q = forms.CharField(label=_("Buscar persona"), required=False, max_length=200)
    estado = forms.ChoiceField(
        label=_("Estado"), required=False, choices=[("", _("Todos")), *((one.value, one.label) for one in Stage)]
    )
