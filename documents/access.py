"""Who may read which documents."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from skillnet.models import Classification, Membership, Role


@dataclass(frozen=True, slots=True)
class Reader:
    """On whose behalf documents are read: a member, or the organization's own administration."""

    user_id: int | None
    clearance: int
    sees_everything: bool = False

    @classmethod
    def of(cls, membership: Membership) -> "Reader":
        return cls(membership.user_id, membership.clearance, sees_everything=membership.role == Role.ADMIN)


ADMINISTRATION = Reader(None, Classification.CONFIDENTIAL, sees_everything=True)

# The courses a person takes are known further up; that app registers its answer here when it is ready.
_course_documents: list[Callable[[Reader], QuerySet[Any, Any]]] = []


def register_course_documents(answer: Callable[[Reader], QuerySet[Any, Any]]) -> None:
    """Tell this app how to find the ids of documents whose courses a reader is enrolled in (one column)."""
    _course_documents.append(answer)


def course_document_ids(reader: Reader) -> QuerySet[Any, Any] | list[int]:
    """Ids of documents used by courses that `reader` is enrolled in, as a subquery."""
    return _course_documents[0](reader) if _course_documents else []
