"""An organization of which too many requests wait is told to try again; the others' go on."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from skillnet import middleware
from skillnet.taking_turns import Crowded
from skillnet.tenancy import current_organization_id
from tests.factories import make_member


class Full:
    """Turns of which one organization gets no more. Notes in which scope it was asked for one."""

    def __init__(self, organization_id: UUID) -> None:
        self.organization_id = organization_id
        self.scopes: list[UUID | None] = []

    @contextmanager
    def of(self, organization_id: UUID, *, may_be_refused: bool = False) -> Iterator[None]:
        self.scopes.append(current_organization_id())
        if organization_id == self.organization_id and may_be_refused:
            raise Crowded
        yield


def test_who_comes_while_too_many_wait_is_told_when_to_try_again(
    client_for, employee_membership, organization, other_organization, monkeypatch
):
    turns = Full(organization.pk)
    monkeypatch.setattr(middleware, "turns", turns)
    refused = client_for(employee_membership).get("/o/acme/tutor/")
    assert (refused.status_code, refused["Retry-After"]) == (429, str(middleware.CROWDED_SECONDS))
    assert f"dentro de {middleware.CROWDED_SECONDS} segundos" in refused.content.decode()
    neighbour = client_for(make_member(other_organization, "vecina@otra.example"))
    assert neighbour.get("/o/otra/tutor/").status_code == 200
    assert turns.scopes == [None, None]  # nobody waits inside a transaction
