"""What people asked lately: asked by the app below that measures search, which does not know conversations."""

from uuid import UUID

from tutor.models import Turn

LOOKED_AT = 10  # turns for each question wanted: the same is often asked again


def of_organization(organization_id: UUID, limit: int) -> list[str]:
    """An organization's questions, each once, newest first."""
    turns = Turn.objects.for_organization(organization_id).order_by("-asked_at", "-pk")
    texts = turns.values_list("question", flat=True)[: limit * LOOKED_AT]
    return list(dict.fromkeys(" ".join(text.split()) for text in texts))[:limit]
