"""Tags that pages of every app use."""

import re
from datetime import date

from django import template
from django.template.defaultfilters import stringfilter
from django.templatetags.static import static
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from skillnet.markup import render_markdown
from skillnet.models import Notification
from skillnet.notification_kinds import text_of

register = template.Library()

# A full stop behind a sign that ends a sentence by itself; three dots are one sign, and «v1..2» is a name.
_STOP_TOO_MANY = re.compile(r"(?<=[^.][.?!…])\.(?=[»”\"]?(?:[\s<]|$))")


@register.simple_tag
def icon(name: str) -> SafeString:
    """A decorative drawing from the sprite; words beside it say what it means."""
    return format_html(
        '<svg class="icon" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>',
        static("img/icons.svg"),
        name,
    )


@register.simple_tag
def notification_text(notification: Notification) -> str:
    """A notification as a sentence."""
    return text_of(notification)


@register.filter
def markdown(text: str, top: int = 2) -> SafeString:
    """`text` as safe HTML, its uppermost headings of level `top`."""
    return render_markdown(text, top=top)


@register.filter(is_safe=True)
@stringfilter
def single_stop(text: str) -> str:
    """Sentences with one full stop, where a name at the end brings its own: «… en Talleres S.L.»."""
    return _STOP_TOO_MANY.sub("", text)


@register.filter
def is_one_of(name: str | None, names: str) -> bool:
    """Whether `name` is among `names`, separated by spaces. Django's own `in` finds parts of words too."""
    return name in names.split()


@register.filter(expects_localtime=True)
def day(value: date | None, form: str = "j b Y") -> str:
    """A day, or a moment, in few signs, such as «30 nov 2026». In English, unlike elsewhere, months have a capital."""
    if not value:
        return ""
    return date_format(value, form.replace("b", "M") if get_language() == "en" else form)
