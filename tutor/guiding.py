"""Which lessons of a course a language model would look in: asked before the search, with no scope open."""

from collections.abc import Sequence

from courses.navigation import lessons_by_model, tree_of
from courses.tree_search import Branch
from retrieval.followups import Form, form_of, topics_of, with_topic
from retrieval.question import MAX_CHARACTERS
from retrieval.types import SearchScope
from skillnet.backends.metering import MeteredModel
from skillnet.backends.protocols import LanguageModel
from skillnet.tenancy import organization_scope
from tutor import usage


def tree_to_read(scope: SearchScope) -> Sequence[Branch]:
    """The course's tree, for a language model to choose in; empty outside a course and when the organization's quota is
    used up. Call inside the organization's scope.
    """
    if scope.course_id is None or usage.usage_of(scope.organization_id).is_used_up:
        return ()
    return tree_of(scope.organization_id, scope.course_id)


def lessons_named(
    model: LanguageModel, question: str, history: Sequence[str], tree: Sequence[Branch], scope: SearchScope
) -> tuple[int, ...] | None:
    """The lessons that the model names, of a few seconds at most; None when it cannot, and the search looks for them.

    A question that may go on with an earlier one is read together with it. Opens the organization's scope to count.
    """
    topics = topics_of(history) if history and form_of(question) is not Form.WHOLE else []
    asked = with_topic(topics[0], question) if topics else question
    metered = MeteredModel(model)
    named = lessons_by_model(metered, asked[:MAX_CHARACTERS], tree)
    with organization_scope(scope.organization_id):
        usage.record_beside_answers(scope.organization_id, metered.tokens)
    return None if named is None else tuple(named)
