"""Coming in through the company's own log-in, against a small provider on this machine."""

import json
import time
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
from django.core.cache import cache
from django.utils import timezone

from skillnet.invitation_tokens import new_token
from skillnet.models import Invitation, Membership, User
from skillnet.tenancy import organization_scope
from tests.factories import make_member

CALLBACK = "/cuenta/proveedor/empresa/login/callback/"


class Provider:
    """Vouches for whoever `claims` says."""

    def __init__(self) -> None:
        self.claims: dict[str, object] = {}
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer(provider.discovery() if "well-known" in self.path else provider.claims)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                now = int(time.time())
                claims = provider.claims | {"iss": provider.address, "aud": "skillnet", "iat": now, "exp": now + 60}
                token = jwt.encode(claims, "a" * 32, "HS256")
                self._answer({"access_token": "a", "token_type": "Bearer", "id_token": token})

            def _answer(self, content: object) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(json.dumps(content).encode())

            def log_message(self, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def discovery(self) -> dict[str, str]:
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "userinfo_endpoint": f"{self.address}/userinfo",
            "jwks_uri": f"{self.address}/jwks",
        }


@pytest.fixture
def provider(settings, db) -> Iterator[Provider]:
    cache.clear()
    provider = Provider()
    thread = Thread(target=provider.server.serve_forever)
    thread.start()
    app = {
        "provider_id": "empresa",
        "name": "Acme",
        "client_id": "skillnet",
        "secret": "s",
        "settings": {"server_url": provider.address},
    }
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [app], "OAUTH_PKCE_ENABLED": True}}
    yield provider
    provider.server.shutdown()
    provider.server.server_close()
    thread.join()


def come_in(client, provider: Provider, email: str, *, verified: bool = True, to: str = "/"):
    provider.claims = {"sub": f"id-{email}", "email": email, "email_verified": verified, "given_name": "Nuria"}
    asked = client.post(f"/cuenta/proveedor/empresa/login/?next={to}")
    assert asked["Location"].startswith(f"{provider.address}/authorize?")
    state = parse_qs(urlsplit(asked["Location"]).query)["state"][0]
    return client.get(CALLBACK, {"code": "c", "state": state})


def is_logged_in(client) -> bool:
    return client.get("/cuenta/").status_code == 200


def invite(organization, email: str) -> str:
    with organization_scope(organization.pk):
        invitation = Invitation.objects.create(
            organization=organization, email=email, expires_at=timezone.now() + timedelta(days=1)
        )
        return f"/invitacion/{new_token(invitation)}/"


def test_the_log_in_page_offers_it(client, provider):
    assert "Entrar con Acme" in client.get("/cuenta/login/").content.decode()


def test_it_is_not_offered_without_settings(client, db):
    assert "/cuenta/proveedor/" not in client.get("/cuenta/login/").content.decode()


def test_a_member_comes_in_and_keeps_their_password(client, provider, employee_membership):
    assert come_in(client, provider, "Empleada@acme.example").status_code == 302
    assert client.get("/o/acme/cursos/").status_code == 200
    assert User.objects.get(pk=employee_membership.user_id).has_usable_password()
    client.post("/cuenta/logout/")
    come_in(client, provider, "Empleada@acme.example")
    assert is_logged_in(client)


def test_an_address_that_the_provider_does_not_vouch_for_opens_nothing(client, provider, employee_membership):
    response = come_in(client, provider, "empleada@acme.example", verified=False)
    assert response.status_code == 403
    assert not is_logged_in(client)


def test_somebody_nobody_knows_stays_outside(client, provider):
    response = come_in(client, provider, "nadie@acme.example")
    assert response.status_code == 403
    assert "por invitación" in response.content.decode()
    assert not User.objects.exists()


def test_a_former_member_stays_outside(client, provider, organization):
    make_member(organization, "antes@acme.example", is_active=False)
    assert come_in(client, provider, "antes@acme.example").status_code == 403
    assert not is_logged_in(client)


def test_who_follows_an_invitation_gets_an_account_and_accepts(client, provider, organization):
    link = invite(organization, "nuria@acme.example")
    assert "Entrar con Acme" in client.get(link).content.decode()
    assert come_in(client, provider, "nuria@acme.example", to=link)["Location"] == link
    client.post(link)
    membership = Membership.objects.get(user__email="nuria@acme.example")
    assert not membership.user.has_usable_password()
    assert client.get("/o/acme/cursos/").status_code == 200


def test_an_invitation_for_somebody_else_is_of_no_help(client, provider, organization):
    link = invite(organization, "nuria@acme.example")
    client.get(link)
    assert come_in(client, provider, "otra@acme.example", to=link).status_code == 403
    assert not User.objects.exists()
