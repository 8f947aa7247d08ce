"""The page that an invitation's link opens, for anybody who holds it."""

from allauth.account.utils import perform_login
from allauth.core.internal import ratelimit
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from skillnet import invitations
from skillnet.errors import SkillNetError
from skillnet.invitations import Offer
from skillnet.models import User
from skillnet.people_forms import AcceptForm


@never_cache
@require_http_methods(["GET", "POST"])
def accept(request: HttpRequest, token: str) -> HttpResponse:
    """What the invitation offers, and the way to take it that suits the person: new, known, or known as another."""
    if not ratelimit.consume(request, app="allauth.account", action="invitation", limit_get=True):
        refusal: HttpResponse = ratelimit.respond_429(request)
        return refusal
    offer = invitations.offer_of(token)
    if offer is None:
        return render(request, "people/invitation_unknown.html", status=404)
    if not offer.is_open or offer.has_expired:
        return render(request, "people/invitation_closed.html", {"offer": offer}, status=410)
    invitations.follow(request, token)
    if settings.LANGUAGE_COOKIE_NAME not in request.COOKIES and not request.user.is_authenticated:
        translation.activate(offer.language)  # unless they have chosen another at the foot of the page
        request.LANGUAGE_CODE = offer.language
    if request.user.is_authenticated:
        return _as_oneself(request, offer)
    if User.objects.filter(email__iexact=offer.email).exists():
        return _after_log_in(request, offer)
    return _as_new_person(request, offer)


def _as_oneself(request: HttpRequest, offer: Offer) -> HttpResponse:
    """Someone who is logged in: they accept with a button, if the invitation is theirs."""
    user = request.user
    assert isinstance(user, User)
    is_theirs = user.email.lower() == offer.email
    if request.method == "POST" and is_theirs:
        try:
            invitations.accept(offer, user=user)
        except SkillNetError:
            return render(request, "people/invitation_closed.html", {"offer": offer}, status=410)
        return _welcome(request, offer)
    return render(request, "people/accept.html", {"offer": offer, "is_theirs": is_theirs})


def _after_log_in(request: HttpRequest, offer: Offer) -> HttpResponse:
    """Someone who has an account already, from another organization: they log in and come back."""
    way_in = f"{reverse(settings.LOGIN_URL)}?next={request.path}"
    if request.method == "POST":
        return redirect(way_in)
    return render(request, "people/accept.html", {"offer": offer, "way_in": way_in})


def _as_new_person(request: HttpRequest, offer: Offer) -> HttpResponse:
    """Someone without an account: they choose name and password, and are in."""
    first, _space, last = offer.name.partition(" ")
    form = AcceptForm(request.POST or None, email=offer.email, initial={"first_name": first, "last_name": last})
    if request.method == "POST" and form.is_valid():
        try:
            user = invitations.accept_as_new_person(
                offer,
                first_name=form.cleaned_data["first_name"],
                last_name=form.cleaned_data["last_name"],
                password=form.cleaned_data["password"],
                language=get_language() or settings.LANGUAGE_CODE,  # the one they have just read the page in
            )
        except (SkillNetError, IntegrityError):  # withdrawn, or sent twice, meanwhile: the page says how it stands now
            return redirect(request.path)
        perform_login(request, user)
        return _welcome(request, offer)
    context = {"offer": offer, "form": form}
    return render(request, "people/accept.html", context, status=422 if form.errors else 200)


def _welcome(request: HttpRequest, offer: Offer) -> HttpResponse:
    request.session.pop(invitations.SESSION_KEY, None)
    messages.success(request, _("Ya estás en %(organization)s.") % {"organization": offer.organization_name})
    return redirect("organization_home", offer.slug)
