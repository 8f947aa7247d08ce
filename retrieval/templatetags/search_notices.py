"""What those who manage documents should know about their search."""

from typing import Any

from django import template

from documents import reindexing, serving
from documents.access import Reader
from retrieval.allowed import allowed_chunks
from retrieval.types import SearchScope
from skillnet.backends import get_embedder
from skillnet.models import Membership, Role

register = template.Library()


@register.inclusion_tag("retrieval/_mismatch.html")
def mismatch_notice(membership: Membership) -> dict[str, Any]:
    """How many of the documents that a member may know of are found by words alone, and how far a remedy has come."""
    scope = SearchScope(membership.organization_id, Reader.of(membership))
    allowed = allowed_chunks(scope)
    return {
        "count": allowed.documents_of_other_models(get_embedder().model_id) if allowed else 0,
        "progress": reindexing.progress_of(membership.organization_id),
        "may_reindex": membership.role == Role.ADMIN,
        "has_own_model": membership.role == Role.ADMIN and serving.own_model(membership.organization_id) is not None,
        "organization": membership.organization,
    }
