"""Text as it is compared: accents and case apart (pure)."""

import unicodedata


def folded(text: str) -> str:
    """In lower case and without accents; ñ is an n."""
    decomposed = unicodedata.normalize("NFD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))
