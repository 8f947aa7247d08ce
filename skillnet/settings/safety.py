"""Values that production does not start with: missing, left as an example shows them, or too weak."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

_PLACEHOLDER = re.compile(
    r"change.?me|c[aá]mbia|replace|example|ejemplo|placeholder|insecure|secret.?key|password|contrase|default|"
    r"123456|qwerty|todo|your.|xxxx",
    re.IGNORECASE,
)
_KEY_CHARACTERS = 50
_DISTINCT_CHARACTERS = 5
_PASSWORD_CHARACTERS = 16
_TOKEN_CHARACTERS = 32
_OWNERS = ("postgres", "skillnet_owner", "skillnet_maintenance")  # who can pass over isolation


def weaknesses(values: Mapping[str, Any]) -> list[str]:
    """What is wrong with production's settings, in sentences that name the variable; empty when nothing is.

    `values` are the settings by name, as Django reads them.
    """
    return [*_secrets(values), *_addresses(values), *_cookies(values), *_servers(values)]


def is_weak(secret: str, *, characters: int) -> bool:
    """Whether a secret is short, of a few characters over and over, or one that everybody knows."""
    return (
        len(secret) < characters or len(set(secret)) < _DISTINCT_CHARACTERS or _PLACEHOLDER.search(secret) is not None
    )


def _secrets(values: Mapping[str, Any]) -> Iterator[str]:
    if is_weak(values["SECRET_KEY"], characters=_KEY_CHARACTERS):
        yield f"SECRET_KEY must be set to a random value of at least {_KEY_CHARACTERS} characters."
    token = values["SKILLNET_METRICS_TOKEN"]
    if token and is_weak(token, characters=_TOKEN_CHARACTERS):
        yield f"METRICS_TOKEN must be a random value of at least {_TOKEN_CHARACTERS} characters, or not set."


def _addresses(values: Mapping[str, Any]) -> Iterator[str]:
    if values["DEBUG"]:
        yield "DEBUG must be off: its pages show settings and data."
    hosts = values["ALLOWED_HOSTS"]
    if not hosts or any(host.strip(".") in ("", "*") for host in hosts):
        yield "ALLOWED_HOSTS must name the addresses this installation answers to."
    if any(not origin.startswith("https://") for origin in values["CSRF_TRUSTED_ORIGINS"]):
        yield "CSRF_TRUSTED_ORIGINS must begin with https://."
    if any("*" in origin for origin in values["CSRF_TRUSTED_ORIGINS"]):
        yield "CSRF_TRUSTED_ORIGINS must name origins, not patterns."


def _cookies(values: Mapping[str, Any]) -> Iterator[str]:
    for name in ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SESSION_COOKIE_HTTPONLY"):
        if not values[name]:
            yield f"{name} must be on: a cookie sent in the clear is anybody's."
    if values["SESSION_COOKIE_SAMESITE"] not in ("Lax", "Strict"):
        yield "SESSION_COOKIE_SAMESITE must be Lax or Strict."


def _servers(values: Mapping[str, Any]) -> Iterator[str]:
    if not values["EMBEDDED_POSTGRES"]:
        if values["DATABASES"]["default"].get("USER") in _OWNERS:
            yield "DATABASE_URL must log in as the runtime role (skillnet_app), which policies bind."
        for alias, variable in (("default", "DATABASE_URL"), ("owner", "DATABASE_OWNER_URL")):
            database = values["DATABASES"].get(alias, {})
            if database.get("HOST") and is_weak(str(database.get("PASSWORD") or ""), characters=_PASSWORD_CHARACTERS):
                yield f"{variable} needs a random password of at least {_PASSWORD_CHARACTERS} characters."
    if not values["EMBEDDED_VALKEY"]:
        queue = urlsplit(values["REDIS_URL"])
        is_local = queue.scheme == "unix" or queue.hostname in ("localhost", "127.0.0.1", "::1")
        if not is_local and is_weak(queue.password or "", characters=_PASSWORD_CHARACTERS):
            yield f"REDIS_URL needs a random password of at least {_PASSWORD_CHARACTERS} characters."
    bucket = values["STORAGES"]["default"].get("OPTIONS", {})
    if bucket.get("secret_key") and is_weak(bucket["secret_key"], characters=_PASSWORD_CHARACTERS):
        yield f"S3_SECRET_KEY must be a random value of at least {_PASSWORD_CHARACTERS} characters."
