"""Staff forms for people who log in by e-mail address."""

from typing import ClassVar

from django.contrib.auth import forms

from skillnet.models import User


class UserCreationForm(forms.BaseUserCreationForm[User]):
    class Meta:
        model = User
        fields = ("email",)
        field_classes: ClassVar[dict[str, type]] = {}


class UserChangeForm(forms.UserChangeForm[User]):
    class Meta:
        model = User
        fields = "__all__"
        field_classes: ClassVar[dict[str, type]] = {}
