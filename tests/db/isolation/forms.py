"""Forms as a browser finds them in a page, and as an attacker sends them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from bs4 import BeautifulSoup, Tag

_IS_ID = re.compile(r"\d+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a page: how and where it is sent, and each field's values, hidden ones too."""

    method: str
    action: str
    fields: Mapping[str, list[str]]

    def with_value(self, name: str, values: list[str]) -> "Form":
        return Form(self.method, self.action, {**self.fields, name: values})


def forms_of(page: str, address: str) -> list[Form]:
    """Every form of a page of HTML at `address`, log-out and language apart."""
    return [
        _form(tag, address)
        for tag in BeautifulSoup(page, "lxml").find_all("form")
        if "logout" not in str(tag.get("action"))
    ]


def _form(tag: Tag, address: str) -> Form:
    fields: dict[str, list[str]] = {}
    for field in tag.find_all(["input", "select", "textarea", "button"]):
        name = field.get("name")
        if not name or field.get("type") == "file" or name == "csrfmiddlewaretoken":
            continue
        fields.setdefault(str(name), []).extend(_values(field))
    method = str(tag.get("method") or ("post" if tag.has_attr("hx-post") else "get")).lower()
    action = tag.get("action") or tag.get("hx-post") or tag.get("hx-get") or address
    return Form(method, urljoin(address, str(action)), fields)


def _values(field: Tag) -> list[str]:
    if field.name == "select":
        options = field.find_all("option")
        chosen = [option for option in options if option.has_attr("selected")] or options[-1:]
        return [str(option.get("value", option.get_text())) for option in chosen]
    if field.name == "textarea":
        return [field.get_text() or "Texto de prueba"]
    return [str(field.get("value") or "1")]


def with_foreign_values(form: Form, foreign: Mapping[str, Any]) -> Iterator[tuple[str, Form]]:
    """The form with another organization's ids in each field of ids: alone, and beside those that were there."""
    for name, own in form.fields.items():
        if name.rsplit("-", 1)[-1] not in FIELDS and name != "persona" and not any(map(_IS_ID.fullmatch, own)):
            continue
        for value in _candidates(name, foreign):
            yield f"{name}={value}", form.with_value(name, [value])
            if any(map(_IS_ID.fullmatch, own)):
                yield f"{name}=own,{value}", form.with_value(name, [*own, value])


# Names of fields that carry an id, and whose. A field that is not here is given a document's.
FIELDS = {
    "documento": "document_id",
    "document": "document_id",
    "documents": "document_id",
    "coleccion": "collection_id",
    "collection": "collection_id",
    "curso": "course_id",
    "course": "course_id",
    "leccion": "lesson_id",
    "module": "module_id",
    "grupo": "group_id",
    "groups": "group_id",
    "group": "group_id",
    "conversation": "conversation_id",
    "turns": "turn_id",
    "turno": "turn_id",
}


def _candidates(name: str, foreign: Mapping[str, Any]) -> list[str]:
    if name == "persona":
        return [str(foreign["user_id"]), str(foreign["member_id"]), str(foreign["enrolment_id"])]
    bare = name.rsplit("-", 1)[-1]
    return [str(foreign[FIELDS.get(bare, "document_id")])]
