"""What the tutor says from a search's result, so that evaluations measure the answers as well as the search."""

from retrieval.calibration import calibration_for
from retrieval.evaluation.answers import Cited, Given
from retrieval.types import SearchConfig, SearchResult, SearchScope
from skillnet.backends import get_embedder
from tutor.answering import placed, with_instructions
from tutor.courtesy import courtesy_reply
from tutor.faithfulness import judged_statements
from tutor.grounding import verify_quote
from tutor.own_words import in_own_words


class MeasuredAnswers:
    """Answers from the documents alone and in their own words: neither what the company wrote, nor what was answered
    before, nor a language model. So the same documents give the same figures, and measuring costs nothing.
    """

    def threshold(self) -> float:
        return calibration_for(get_embedder().model_id, "answer").threshold

    def __call__(self, result: SearchResult, scope: SearchScope, config: SearchConfig) -> Given:
        if courtesy_reply(result.question):
            return Given()
        grounded = in_own_words(with_instructions(result, scope, config), scope, config)
        passages = {citation.number: citation.passage for citation in grounded.citations}
        statements = judged_statements(grounded.text, passages)
        return Given(
            text=grounded.text,
            citations=tuple(
                Cited(one.document_id, one.heading_path, one.page, verify_quote(one.quote, one.passage))
                for one in placed(grounded.citations)
            ),
            statement_count=len(statements),
            faithful_count=sum(is_faithful for _text, is_faithful in statements),
        )
