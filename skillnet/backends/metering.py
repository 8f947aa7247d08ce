"""What a language model took of what it is paid for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skillnet.backends.protocols import ChatMessage, LanguageModel
from skillnet.backends.tokens import count_prompt_tokens


@dataclass(frozen=True, slots=True)
class Tokens:
    """Of prompts and of replies, as cl100k_base counts them: a few per cent off for other models."""

    prompt: int = 0
    reply: int = 0


class MeteredModel:
    """A language model that counts the tokens of its replies so far, and of the prompts that led to them.

    A request that nothing came of is not counted. For one thread.
    """

    def __init__(self, model: LanguageModel) -> None:
        self.model_id = model.model_id
        self.context_tokens = model.context_tokens
        self.tokens = Tokens()
        self._model = model

    def stream(
        self, messages: Sequence[ChatMessage], *, max_tokens: int, seconds: float | None = None
    ) -> Iterator[str]:
        """As the model does it. Raises: BackendUnavailable, before or between pieces."""
        pieces: list[str] = []
        try:
            for piece in self._model.stream(messages, max_tokens=max_tokens, seconds=seconds):
                pieces.append(piece)
                yield piece
        finally:
            if pieces:
                self.tokens = Tokens(
                    self.tokens.prompt + sum(count_prompt_tokens(message.content) for message in messages),
                    self.tokens.reply + count_prompt_tokens("".join(pieces)),
                )
