"""What the documents say to a question in their own words, read as closely as when the tutor answers."""

from retrieval.types import SearchConfig, SearchResult, SearchScope
from skillnet.backends import get_embedder
from tutor.answerers import ExtractiveAnswerer
from tutor.drafting import Draft
from tutor.grounding import Grounded, ground
from tutor.reading import assessed, with_limits, wording_of


def in_own_words(result: SearchResult, scope: SearchScope, config: SearchConfig) -> Grounded:
    """The answer that a search's passages give, with its citations checked; empty where they are no evidence.

    Call inside the organization's scope.
    """
    embedder = get_embedder()
    result = assessed(with_limits(result, scope, config), config, embedder)
    if not result.evidence or not result.passages:
        return Grounded("")
    *_pieces, draft = ExtractiveAnswerer(embedder).draft(wording_of(result), result)
    assert isinstance(draft, Draft)
    return ground(draft.text, draft.sources)
