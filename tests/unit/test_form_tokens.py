"""Forms are taken with the token of their page alone."""

from collections.abc import Iterator

from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver

# What browsers report on their own carries no token; it is counted, and changes nothing.
WITHOUT_TOKEN = {"csp_report"}


def views(resolver: URLResolver) -> Iterator[URLPattern]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from views(entry)
        else:
            yield entry


def test_only_reports_of_browsers_come_without_a_token():
    exempt = {str(view.name) for view in views(get_resolver()) if getattr(view.callback, "csrf_exempt", False)}
    assert exempt == WITHOUT_TOKEN
    assert "django.middleware.csrf.CsrfViewMiddleware" in settings.MIDDLEWARE
