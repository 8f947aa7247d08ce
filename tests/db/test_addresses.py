"""Every address the product answers, tried by everybody it is not for."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.test.utils import override_script_prefix

from skillnet import staff
from skillnet.models import Organization, Role, User
from skillnet.tenancy import organization_scope
from tests.db.isolation.addresses import OPEN_TO_ALL, OUTSIDE, all_routes, first_rows, staff_ids
from tests.db.isolation.database import fingerprint
from tests.db.isolation.worlds import World, make_world
from tests.factories import make_member

ROUTES = all_routes()
OF_ORGANIZATIONS = [route for route in ROUTES if route.is_of_organizations]
ELSEWHERE = [route for route in ROUTES if not route.is_of_organizations]
WITH_IDS = [route for route in OF_ORGANIZATIONS if route.names & {name for name in route.names if name.endswith("_id")}]

# The same request as a page's, a form's, and a fragment's.
WAYS: tuple[tuple[str, dict[str, str]], ...] = (
    ("get", {}),
    ("post", {}),
    ("get", {"HX-Request": "true"}),
    ("post", {"HX-Request": "true"}),
)
# Where the way makes no difference: who is let in is decided before any view.
TWO_WAYS = (WAYS[0], WAYS[3])
IS_SHUT = (404, 405)  # 405: not this way, said before anything is looked up
FOREIGN_WORD = "esmeralda"


@pytest.fixture
def own(organization: Organization) -> World:
    return make_world(organization, "granate")


@pytest.fixture
def foreign(other_organization: Organization) -> World:
    return make_world(other_organization, FOREIGN_WORD)


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Print a figure whatever pytest captures."""

    def _say(text: str) -> None:
        with capsys.disabled():
            print(f"\n  {text}", end=" ")  # noqa: T201 - the figure is the test's result

    return _say


def client_of(user: User | None) -> Client:
    client = Client(raise_request_exception=False)
    if user is not None:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def staff_client(organization: Organization | None) -> Client:
    """A member of the platform's staff, perhaps at work in an organization."""
    user = User.objects.create_superuser("staff@plataforma.example", "contraseña-larga-1")
    client = client_of(user)
    if organization is not None:
        session = client.session
        session[staff.SESSION_KEY] = str(organization.pk)
        session.save()
    return client


def tries(client: Client, addresses: Mapping[str, str], ways: Any = WAYS) -> Iterator[tuple[str, HttpResponseBase]]:
    """Each address in every way: what was tried, and what came back."""
    for pattern, address in addresses.items():
        for method, headers in ways:
            yield f"{method} {headers} {pattern}", getattr(client, method)(address, headers=headers)


def is_led_back(response: Any) -> bool:
    """Whether a form's address, opened as a page, leads to a page above it: said before anything is looked up."""
    asked = response.wsgi_request
    above = response.headers.get("Location", "")
    return (
        asked.method == "GET" and response.status_code == 302 and asked.path.startswith(above) and above != asked.path
    )


def body_of(response: HttpResponseBase) -> str:
    content = b"".join(response) if response.streaming else response.content
    return content.decode("utf-8", "replace")


def test_every_address_has_a_case(own: World):
    """A new route with a hole that nobody has filled, or outside all that is known, fails here."""
    for route in OF_ORGANIZATIONS:
        assert route.address({"slug": "acme", **own.ids}), route.pattern
    for route in ELSEWHERE:
        known = route.is_for_staff or route.pattern in OPEN_TO_ALL or route.pattern.startswith(OUTSIDE)
        assert known, f"say in tests/db/isolation/addresses.py what {route.pattern} is"
        assert route.address(staff_ids(route, {}))
    assert len(OF_ORGANIZATIONS) > 140


@pytest.mark.parametrize("who", ["nobody", "admin of another", "staff", "staff at work elsewhere", "former member"])
def test_no_address_of_an_organization_answers_who_is_not_in_it(who, organization, foreign, say):
    former = make_member(foreign.organization, "antes@otra.example", Role.ADMIN)
    former.is_active = False
    former.save(update_fields=["is_active"])
    client = {
        "nobody": lambda: client_of(None),
        "admin of another": lambda: client_of(make_member(organization, "admin@acme.example", Role.ADMIN).user),
        "staff": lambda: staff_client(foreign.organization),
        "staff at work elsewhere": lambda: staff_client(organization),
        "former member": lambda: client_of(former.user),
    }[who]()
    before, count = fingerprint(foreign.organization), 0
    places = {
        route.pattern: route.address({"slug": foreign.organization.slug, **foreign.ids}) for route in OF_ORGANIZATIONS
    }
    ways = WAYS if who == "admin of another" else TWO_WAYS
    for tried, response in tries(client, places, ways):
        count += 1
        if who == "nobody":
            to_log_in = response.headers.get("Location", "") + response.headers.get("HX-Redirect", "")
            assert "/cuenta/login/" in to_log_in, tried
        else:
            assert response.status_code == 404, tried
        assert FOREIGN_WORD not in body_of(response), tried
    assert fingerprint(foreign.organization) == before
    assert count == len(ways) * len(OF_ORGANIZATIONS)
    say(f"{who}: {count} tries of {len(OF_ORGANIZATIONS)} addresses, all shut")


@pytest.mark.parametrize("role", list(Role))
def test_no_id_of_another_organization_is_known_in_ones_own(role, own, foreign, say):
    client = client_of(make_member(own.organization, f"prueba-{role}@acme.example", role).user)
    before, count = fingerprint(foreign.organization), 0
    places = {route.pattern: route.address({"slug": own.organization.slug, **foreign.ids}) for route in WITH_IDS}
    for tried, response in tries(client, places, WAYS if role == Role.ADMIN else TWO_WAYS):
        count += 1
        assert response.status_code in IS_SHUT or is_led_back(response), tried
        assert FOREIGN_WORD not in body_of(response), tried
    assert fingerprint(foreign.organization) == before
    assert count >= 2 * len(WITH_IDS) > 200
    say(f"{role.value}: {count} tries with foreign ids, all shut")


@pytest.mark.parametrize("mixed", ["first", "last"])
def test_ids_of_two_organizations_in_one_address_are_shut_too(mixed, own, foreign, say):
    """An address with several ids: one's own and another's."""
    client, count = client_of(own.admin.user), 0
    before = fingerprint(foreign.organization)
    for route in WITH_IDS:
        named = [name for name in route.shape.replace("%(", " ").replace(")s", " ").split() if name.endswith("_id")]
        if len(named) < 2:
            continue
        chosen = named[0] if mixed == "first" else named[-1]
        ids = {"slug": own.organization.slug, **own.ids, chosen: foreign.ids[chosen]}
        for tried, response in tries(client, {route.pattern: route.address(ids)}):
            count += 1
            assert response.status_code in IS_SHUT or is_led_back(response), tried
    assert fingerprint(foreign.organization) == before
    assert count > 0


@pytest.mark.parametrize("who", ["nobody", *Role, "staff", "staff at work"])
def test_addresses_outside_organizations_show_nothing_of_one(who, own, foreign, say):
    """Accounts, invitations, health and staff pages, also with ids of what another organization has."""
    with organization_scope(foreign.organization.pk):
        rows = first_rows()
    if who in list(Role):
        client = client_of(make_member(own.organization, "alguien@acme.example", who).user)
    else:
        client = {
            "nobody": lambda: client_of(None),
            "staff": lambda: staff_client(None),
            "staff at work": lambda: staff_client(own.organization),
        }[who]()
    before, count, cookies = fingerprint(foreign.organization), 0, dict(client.cookies)
    for route in ELSEWHERE:
        if route.pattern == "cuenta/borrar/":  # leaves nobody to go on with; see test_erasing.py
            continue
        for tried, response in tries(client, {route.pattern: route.address(staff_ids(route, rows))}, WAYS[:2]):
            count += 1
            assert response.status_code < 500, tried
            assert FOREIGN_WORD not in body_of(response), tried
            if (
                route.is_for_staff
                and "staff" not in who
                and not route.pattern.startswith(("staff/log", "staff/jsi18n"))
            ):
                assert response.status_code in (302, 401, 403, 404, 405), tried
            if "/log" in route.pattern or "sesiones" in route.pattern:  # they end the session: come in again
                client = _again(client, cookies, who, own)
    assert fingerprint(foreign.organization) == before
    say(f"{who}: {count} tries of {len(ELSEWHERE)} other addresses")


def _again(client: Client, cookies: dict[str, Any], who: object, own: World) -> Client:
    if who == "nobody":
        return client_of(None)
    emails = {"staff": "staff@plataforma.example", "staff at work": "staff@plataforma.example"}
    user = User.objects.get(email=emails.get(str(who), "alguien@acme.example"))
    again = client_of(user)
    if who == "staff at work":
        session = again.session
        session[staff.SESSION_KEY] = str(own.organization.pk)
        session.save()
    return again


@pytest.mark.parametrize("role", [Role.ADMIN, Role.EMPLOYEE])
def test_no_address_shows_an_error_of_the_browsers_own(role, own):
    """Where a form ended with a mistake, the browser stays at its address; opened as a page it leads to one above."""
    client = client_of(make_member(own.organization, f"prueba-{role}@acme.example", role).user)
    for route in OF_ORGANIZATIONS:
        address = route.address({"slug": own.organization.slug, **own.ids})
        response = client.get(address)
        if response.status_code == 405:
            roles = getattr(response.resolver_match.func, "organization_roles", ())
            assert roles and role not in roles, route.pattern


def test_what_is_led_back_stays_below_the_prefix_of_the_product(own):
    client = client_of(make_member(own.organization, "prueba@acme.example").user)
    with override_script_prefix("/formacion/"):
        assert client.get("/o/acme/tutor/preguntar/").headers["Location"] == "/formacion/o/acme/tutor/"


def test_the_address_for_questions_leads_to_the_tutor(own):
    client = client_of(make_member(own.organization, "prueba@acme.example").user)
    assert client.post("/o/acme/tutor/preguntar/", {"question": ""}).status_code == 422
    assert client.get("/o/acme/tutor/preguntar/").headers["Location"] == "/o/acme/tutor/"
    assert client.get("/o/acme/tutor/preguntar/", headers={"HX-Request": "true"}).status_code == 405
