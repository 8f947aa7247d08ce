"""What a language model took of what it is paid for."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from skillnet.backends.protocols import ChatMessage, LanguageModel
from skillnet.backends.tokens import count_prompt_tokens


@dataclass(frozen=True, slots=True)
class Tokens:
    """Of prompts and of replies, as cl100k_base counts them, because not every server tells: a few per cent off for
    other models.
    """

    prompt: int = 0
    reply: int = 0

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(self.prompt + other.prompt, self.reply + other.reply)


class MeteredReply:
    """A language model's reply while it comes, and the tokens it took."""

    def __init__(
        self, model: LanguageModel, messages: Sequence[ChatMessage], *, max_tokens: int, seconds: float | None = None
    ) -> None:
        self._model = model
        self._messages = messages
        self._max_tokens = max_tokens
        self._seconds = seconds
        self._pieces: list[str] = []
        self._is_over = False
        self.is_cut_off = False  # known at its end

    def __iter__(self) -> Iterator[str]:
        """Its pieces, once. Raises: BackendUnavailable, before or between them."""
        for piece in self._read():
            self._pieces.append(piece)
            yield piece

    def _read(self) -> Iterator[str]:
        self.is_cut_off = yield from self._model.stream(
            self._messages, max_tokens=self._max_tokens, seconds=self._seconds
        )
        self._is_over = True

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    @property
    def tokens(self) -> Tokens:
        """What it took so far; nothing while the server has not answered, were it with an empty reply."""
        if not self.text and not self._is_over:
            return Tokens()
        prompt = sum(count_prompt_tokens(message.content) for message in self._messages)
        return Tokens(prompt, count_prompt_tokens(self.text))


class MeteredModel:
    """A language model that counts the tokens of its replies so far. For one thread."""

    def __init__(self, model: LanguageModel) -> None:
        self.model_id = model.model_id
        self.context_tokens = model.context_tokens
        self.tokens = Tokens()
        self._model = model

    def stream(
        self, messages: Sequence[ChatMessage], *, max_tokens: int, seconds: float | None = None
    ) -> Generator[str, None, bool]:
        """As the model does it. Raises: BackendUnavailable, before or between pieces."""
        reply = MeteredReply(self._model, messages, max_tokens=max_tokens, seconds=seconds)
        try:
            yield from reply
        finally:
            self.tokens += reply.tokens
        return reply.is_cut_off
