"""One's own account."""

from typing import cast

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from skillnet import erasing, personal_data, second_factor
from skillnet.account_forms import ProfileForm
from skillnet.models import User


@never_cache
@require_http_methods(["GET", "POST"])
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """Name and language; the ways to password, second factor, sessions and one's data."""
    user = User.objects.get(pk=cast(User, request.user).pk)  # a form that fails must not change what the header shows
    form = ProfileForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        with override(form.save().reading_language):  # the next page is in the language just chosen
            messages.success(request, _("Guardado."))
        return redirect("account")
    context = {
        "form": form,
        "email": user.email,
        "has_password": user.has_usable_password(),
        "has_second_factor": second_factor.has_second_factor(user),
    }
    return render(request, "account/account.html", context, status=422 if form.errors else 200)


@never_cache
@require_GET
@login_required
def my_data(request: HttpRequest) -> HttpResponse:
    """Everything stored about the person who asks, as a JSON file."""
    response = JsonResponse(
        personal_data.collect(cast(User, request.user)), json_dumps_params={"ensure_ascii": False, "indent": 2}
    )
    response["Content-Disposition"] = 'attachment; filename="mis-datos-skillnet.json"'
    return response


def _can_repeat_log_in(request: HttpRequest) -> bool:
    """Whether a person has a password or second factor to give again; who comes in through another service has not."""
    return bool(get_adapter().get_reauthentication_methods(request.user))


@never_cache
@require_http_methods(["GET", "POST"])
@login_required
@reauthentication_required(enabled=_can_repeat_log_in)  # type: ignore[untyped-decorator]
def erase(request: HttpRequest) -> HttpResponse:
    """Ask, saying what happens, then erase everything about the person who asks."""
    if request.method != "POST":
        return render(request, "account/erase.html")
    user = User.objects.get(pk=cast(User, request.user).pk)
    try:
        erasing.erase(user, by=user)
    except erasing.StillNeeded as error:
        messages.error(request, str(error.user_message))
        return redirect("account")
    logout(request)
    messages.success(request, _("Tus datos se han borrado y tu cuenta está cerrada."))
    return redirect(settings.LOGIN_URL)


@never_cache
@require_GET
@login_required
def second_factor_needed(request: HttpRequest) -> HttpResponse:
    """Says that an organization asks for a second factor, and how to set it up."""
    if second_factor.has_second_factor(cast(User, request.user)):
        return redirect("home")
    return render(request, "account/second_factor_needed.html")
