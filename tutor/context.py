"""Which passages go into a prompt. Pure."""

from collections.abc import Callable, Sequence

from retrieval.types import Passage

INSTRUCTION_TOKENS = 500
QUESTION_TOKENS = 200
REPLY_TOKENS = 2_000


def context_budget(context_tokens: int, question_tokens: int = 0) -> int:
    """What remains for passages of a model's window beside a question of so many, in tokens; 0 when nothing does."""
    return max(0, context_tokens - INSTRUCTION_TOKENS - max(QUESTION_TOKENS, question_tokens) - REPLY_TOKENS)


def pack(passages: Sequence[Passage], *, budget: int, count_tokens: Callable[[Passage], int]) -> list[Passage]:
    """The best passages that fit `budget` together, in document order: the best passage's document first,
    then position.

    `passages` come best first. One that does not fit is passed over; a smaller one behind it may still fit.
    """
    order: dict[int, int] = {}
    packed: list[Passage] = []
    for passage in passages:
        order.setdefault(passage.document_id, len(order))
        tokens = count_tokens(passage)
        if tokens <= budget:
            packed.append(passage)
            budget -= tokens
    return sorted(packed, key=lambda passage: (order[passage.document_id], passage.position))
