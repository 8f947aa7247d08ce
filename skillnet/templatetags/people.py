"""Filters of the people pages."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.conf import settings
from django.utils.translation import gettext as _

register = template.Library()


@register.filter
def of_person(groups: Mapping[int, list[str]], user_id: int) -> str:
    """The names of a person's groups, as a list in words."""
    return ", ".join(groups.get(user_id, ()))


@register.filter
def value_of(mapping: Mapping[str, Any], key: str) -> Any:
    """What a mapping holds under a key that is a variable; the key itself where it holds nothing."""
    return mapping.get(key, key)


@register.simple_tag
def company_log_in() -> Mapping[str, Any] | None:
    """The company's own log-in (name, provider_id), when this installation has one."""
    return next(iter(settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"]), None)


@register.filter
def browser(user_agent: str) -> str:
    """Which browser on which system, in the words people use."""
    programs = (
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    )
    systems = (
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Mac OS", "Mac"),
        ("Linux", "Linux"),
    )
    found = [next((name for mark, name in marks if mark in user_agent), "") for marks in (programs, systems)]
    return " · ".join(filter(None, found)) or _("Navegador desconocido")
