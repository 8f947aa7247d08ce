"""An organization's own settings: how it looks, and the ways to everything else that can be set."""

import uuid

from django import forms
from django.conf import settings as django_settings
from django.contrib import messages
from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from skillnet.access import OrganizationRequest, organization_view
from skillnet.appearance import LOGO_BYTES, Accent, LogoRefused, appearance_of, change
from skillnet.models import Role
from skillnet.widgets import FileChooser

LOGO_SECONDS = 7 * 24 * 3600  # a new logo has a new address


class AppearanceForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Nombre de la organización"), max_length=120)
    accent = forms.ChoiceField(label=gettext_lazy("Color"), choices=Accent.choices, widget=forms.RadioSelect)
    language = forms.ChoiceField(
        label=gettext_lazy("Idioma"),
        choices=django_settings.LANGUAGES,
        help_text=gettext_lazy(
            "El de las invitaciones y el de quien entra por primera vez. Después, cada persona elige el suyo."
        ),
    )
    logo = forms.FileField(
        label=gettext_lazy("Logo"),
        required=False,
        help_text=gettext_lazy("PNG, JPEG o WebP, mejor cuadrado. 200 kB como mucho."),
        widget=FileChooser(attrs={"accept": "image/png,image/jpeg,image/webp"}),
    )
    drops_logo = forms.BooleanField(label=gettext_lazy("Quitar el logo"), required=False)


@require_http_methods(["GET", "POST"])
@organization_view(Role.ADMIN)
def settings(request: OrganizationRequest) -> HttpResponse:
    """Name, colour, language and logo, and where the rest is set."""
    looks = appearance_of(request.organization)
    given = {
        "name": request.organization.name,
        "accent": looks.accent,
        "language": request.organization.language,
    }
    form = AppearanceForm(request.POST or None, request.FILES or None, initial=given)
    if not looks.logo:
        del form.fields["drops_logo"]
    if request.method == "POST" and form.is_valid():
        logo = form.cleaned_data["logo"]
        try:
            change(
                request.organization,
                name=form.cleaned_data["name"],
                accent=Accent(form.cleaned_data["accent"]),
                language=form.cleaned_data["language"],
                logo=logo.read(LOGO_BYTES + 1) if logo else None,
                drops_logo=form.cleaned_data.get("drops_logo", False),
                by=request.user,
            )
        except LogoRefused as error:
            form.add_error("logo", str(error.user_message))
        else:
            messages.success(request, _("Guardado."))
            return redirect("organization_settings", request.organization.slug)
    return render(request, "skillnet/organization_settings.html", {"form": form}, status=422 if form.errors else 200)


@require_GET
@organization_view()
def logo(request: OrganizationRequest, logo_id: uuid.UUID) -> HttpResponseBase:
    """The organization's logo, for its members."""
    looks = appearance_of(request.organization)
    if not looks.logo or looks.logo_id != logo_id:
        raise Http404
    try:
        file = default_storage.open(looks.logo)
    except FileNotFoundError as error:
        raise Http404 from error
    response = FileResponse(file, content_type=looks.logo_type)
    response.headers["X-Content-Type-Options"] = "nosniff"
    patch_cache_control(response, private=True, max_age=LOGO_SECONDS)
    return response
