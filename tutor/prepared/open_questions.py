"""The vectors of questions that nobody was given a good answer to. Call inside the organization's scope."""

from collections.abc import Collection, Mapping
from uuid import UUID

import numpy as np
from django.db.models import TextField
from django.db.models.functions import Cast

from documents.embedding_models import current_model
from skillnet.backends.protocols import Vector
from tutor.models import OpenQuestion, Turn
from tutor.prepared.lookup import as_asked


def read(organization_id: UUID, turn_ids: Collection[UUID]) -> None:
    """Make and keep the vectors of those turns that have none of the current model; none while the embedder is away."""
    model, known = current_model(), vectors_of(organization_id, turn_ids)
    turns = Turn.objects.for_organization(organization_id).filter(pk__in=turn_ids).exclude(pk__in=list(known))
    made = []
    for pk, question in turns.order_by("pk").values_list("pk", "question"):
        embedding = as_asked(question).embedding
        if embedding is None:
            break
        made.append(OpenQuestion(organization_id=organization_id, turn_id=pk, model=model, vector=embedding.vector))
    OpenQuestion.objects.bulk_create(
        made, update_conflicts=True, unique_fields=["turn"], update_fields=["model", "vector"]
    )


def vectors_of(organization_id: UUID, turn_ids: Collection[UUID]) -> Mapping[UUID, Vector]:
    """The vectors of the current model of those turns that have one, by the turn's id."""
    kept = OpenQuestion.objects.for_organization(organization_id).filter(
        turn__in=turn_ids, model=current_model(), vector__isnull=False
    )
    written = kept.annotate(written=Cast("vector", TextField())).values_list("turn_id", "written")
    # A third of the time that lists of numbers would take to be made, for hundreds of them.
    return {turn_id: np.fromstring(text[1:-1], np.float32, sep=",") for turn_id, text in written}
