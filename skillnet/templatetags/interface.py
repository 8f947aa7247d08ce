"""Tags that pages of every app use."""

from django import template
from django.contrib.auth.models import AnonymousUser
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from skillnet.markup import render_markdown
from skillnet.models import Membership, User

register = template.Library()


@register.simple_tag
def icon(name: str) -> SafeString:
    """A decorative drawing from the sprite; words beside it say what it means."""
    return format_html(
        '<svg class="icon" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>',
        static("img/icons.svg"),
        name,
    )


@register.simple_tag
def memberships_of(user: User | AnonymousUser) -> list[Membership]:
    """Memberships that let a person in, with their organizations, by name, for the switcher in the header."""
    if not user.is_authenticated:
        return []
    return list(
        Membership.objects.active()
        .filter(user_id=user.pk)
        .select_related("organization")
        .order_by("organization__name")
    )


@register.filter
def markdown(text: str) -> SafeString:
    """`text` as safe HTML."""
    return render_markdown(text)
