"""Which language a text is written in, told offline."""

import re
import threading
from functools import cache
from typing import Final

from lingua import Language, LanguageDetector, LanguageDetectorBuilder

LANGUAGES: Final = {
    "es": Language.SPANISH,
    "en": Language.ENGLISH,
    "pt": Language.PORTUGUESE,
    "fr": Language.FRENCH,
    "it": Language.ITALIAN,
    "de": Language.GERMAN,
    "ca": Language.CATALAN,
}
_CODES: Final = {language: code for code, language in LANGUAGES.items()}
# Short texts without accents fit several Romance languages about as well. A wrong guess answers a Spanish
# question in Portuguese, so another language must win clearly; the values separate a list of questions of one
# to five words.
_MINIMUM_CONFIDENCE: Final = 0.33
_TIMES_THE_DEFAULT: Final = 2.5
_MINIMUM_CONFIDENCE_ONE_WORD: Final = 0.9
_MAX_CHARACTERS: Final = 2_000  # more text adds time and no certainty
_WORD: Final = re.compile(r"[^\W\d_]{2,}")

_building: Final = threading.Lock()


def detect_language(text: str, default: str = "es") -> str:
    """The code of the text's language among `LANGUAGES`; `default` when too short or near to several.

    Codes such as E-4711 and single words that several languages share count as too short.
    """
    text = text[:_MAX_CHARACTERS]
    words = _WORD.findall(text)
    if not words:
        return default
    confidences = {
        _CODES[value.language]: value.value for value in _detector().compute_language_confidence_values(text)
    }
    best = max(confidences, key=confidences.__getitem__)
    needed = max(
        _MINIMUM_CONFIDENCE if len(words) > 1 else _MINIMUM_CONFIDENCE_ONE_WORD,
        _TIMES_THE_DEFAULT * confidences.get(default, 0.0),
    )
    return best if confidences[best] >= needed else default


def _detector() -> LanguageDetector:
    with _building:  # `cache` alone lets two threads that come first build two
        return _build()


@cache
def _build() -> LanguageDetector:
    # Models are read when first needed: long texts need a small part of them, short ones 170 MB.
    return LanguageDetectorBuilder.from_languages(*LANGUAGES.values()).build()
