"""Every address the product answers, with values for what varies in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.regex_helper import normalize

OF_ORGANIZATIONS = "o/<slug:slug>/"
STAFF = "staff/"
# Addresses outside organizations: what each shows belongs to the person who asks, or to nobody.
OUTSIDE = ("cuenta/", "invitacion/<str:token>/")
OPEN_TO_ALL = ("", "idioma/", "healthz", "readyz", "metrics", "csp/")
# Names in addresses outside organizations: nothing by that name exists.
STRANGE: Mapping[str, object] = {
    "token": "inventado",
    "key": "inventada",
    "uidb36": "1",
    "provider_id": "empresa",
    "queue_index": 0,
    "scheduler_index": 0,
    "connection_index": 0,
    "job_id": "inventado",
    "result_id": "inventado",
    "scheduler_name": "inventado",
    "cron_job_name": "inventado",
    "content_type_id": 1,
    "app_label": "skillnet",
    "rest": "1/1/",
    "url": "inventada",
    "id": 0,
}


@dataclass(frozen=True, slots=True)
class Route:
    """An address with holes: `pattern` as it is joined from the URL configurations, `shape` to be filled in."""

    pattern: str
    shape: str
    names: frozenset[str]

    @property
    def is_of_organizations(self) -> bool:
        return self.pattern.startswith(OF_ORGANIZATIONS)

    @property
    def is_for_staff(self) -> bool:
        return self.pattern.startswith(STAFF)

    def address(self, ids: Mapping[str, object]) -> str:
        """The route with every hole filled. Raises: KeyError for one that nobody has thought of."""
        return "/" + self.shape % {name: ids[name] for name in self.names}


def all_routes() -> list[Route]:
    """Every route that the product's resolver knows."""
    return list(_walk(get_resolver(), "", ""))


def _walk(resolver: URLResolver, pattern: str, shape: str) -> Iterator[Route]:
    for entry in resolver.url_patterns:
        expression = entry.pattern.regex.pattern.removeprefix("^").removesuffix("\\Z")
        piece, _ = normalize(expression)[0]
        whole, text = pattern + str(entry.pattern), shape + piece
        if isinstance(entry, URLResolver):
            yield from _walk(entry, whole, text)
        elif isinstance(entry, URLPattern):
            yield Route(whole, text, frozenset(piece.split(")s")[0] for piece in text.split("%(")[1:]))


def staff_ids(route: Route, rows: Mapping[str, object]) -> dict[str, object]:
    """Ids for a staff page: of a row in `rows` (by model, as «app/model») where the page is about such a model."""
    _, app, model, *_ = [*route.pattern.split("/"), "", ""]
    return {**STRANGE, "object_id": rows.get(f"{app}/{model}", 0)}


def first_rows() -> dict[str, object]:
    """The key of one row of every table that this scope can see, by model."""
    rows: dict[str, Any] = {}
    for model in apps.get_models():
        if not model._meta.managed:
            continue
        row = model._default_manager.order_by("pk").first()
        if row is not None:
            rows[f"{model._meta.app_label}/{model._meta.model_name}"] = row.pk
    return rows
