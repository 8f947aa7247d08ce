"""Questions put to the tutor as a browser puts them, for tests of its pages."""

import uuid
from collections.abc import Callable
from typing import Any

from django.test import Client
from django.urls import reverse

from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope
from tutor.models import Turn

LogIn = Callable[[Membership], Client]
QUESTION = "¿Cuántos días naturales hay para devolver un producto no alimentario?"
MANUAL = """
# Plazos
El cliente dispone de 30 días naturales para devolver un producto no alimentario con su tique.
[p2]
# Caja
El arqueo de la caja se hace dos veces al día, antes de abrir y después de cerrar la tienda.
"""
WITHHELD = "Esta respuesta usaba un documento que ya no puedes ver."


def form_data(question: str = QUESTION, **fields: Any) -> dict[str, Any]:
    return {"question": question, "submission": uuid.uuid4(), "conversation": uuid.uuid4(), **fields}


def turns(organization: Organization) -> list[Turn]:
    with organization_scope(organization.pk):
        return list(Turn.objects.order_by("asked_at"))


def read(response: Any) -> str:
    return b"".join(response.streaming_content).decode()


def answered_turn(client: Client, organization: Organization, question: str = QUESTION) -> Turn:
    """A question asked and answered as a browser with scripts does it."""
    client.post(reverse("tutor:ask", args=[organization.slug]), form_data(question))
    turn = turns(organization)[-1]
    read(client.get(reverse("tutor:stream", args=[organization.slug, turn.pk])))
    return turns(organization)[-1]


def shown(client: Client, turn: Turn) -> list[str]:
    """The answer on its page, and as the last event of its stream."""
    return [
        client.get(reverse("tutor:conversation", args=["acme", turn.conversation_id])).content.decode(),
        read(client.get(reverse("tutor:stream", args=["acme", turn.pk]))),
    ]
