"""Clean text: one Unicode form, no control characters, folded space, no page counters. Pure functions."""

import re
import unicodedata

_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}  # U+FB00 to U+FB06
)
# Symbol fonts put their pictures in the private use area; these are the ones office programs use as list bullets.
_BULLETS = "\uf0b7\uf0a7\uf0d8\uf0fc\uf076\uf0e8\uf06e\uf071\uf0a8\uf02d\uf0be\uf0d2\uf0e0\uf0f0\uf06f\uf0a1\uf0b2"
_SYMBOLS = str.maketrans(dict.fromkeys(_BULLETS, "•"))
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u200c\u200d\u2060\ufeff\ufffe\uffff\ue000-\uf8ff\ud800-\udfff]"
)
_PRESENTATION_FORMS = re.compile("[\ufb1d-\ufdff\ufe70-\ufefc]+")
_SPACES = re.compile(r"[^\S\n]+")
_MANY_BREAKS = re.compile(r"\n{3,}")
_LINE_ENDS = re.compile("\r\n?|\x0b|\x0c|\x85|\u2028|\u2029")
_PAGE_COUNTER = re.compile(
    r"""^[\s\-–—|·•*]*(?:
        (?:p[áa]g(?:ina)?s?|page|seite|p)(?:\.\s*|\s+)(?:[:nº°]+\s*)?\d{1,4}(?:\s*(?:de|of|von|di|sur|/|-)\s*\d{1,4})?
      | \d{1,4}\s*/\s*\d{1,4}
      | \d{1,4}\s+(?:de|of|von|di|sur)\s+\d{1,4}
    )[\s\-–—|·•*.]*$""",
    re.IGNORECASE | re.VERBOSE,
)
_FORBIDDEN_IN_NAMES = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"|?*\u200b-\u200f\u202a-\u202e\u2066-\u2069]')
MAX_FILE_NAME = 150


def clean_characters(text: str) -> str:
    """`text` in NFC, ligatures spelled out, symbol-font bullets as •, without control or invisible characters."""
    text = _LINE_ENDS.sub("\n", text).translate(_LIGATURES).translate(_SYMBOLS)
    text = _INVISIBLE.sub("", text)
    text = _PRESENTATION_FORMS.sub(lambda found: unicodedata.normalize("NFKC", found.group()), text)
    return unicodedata.normalize("NFC", text)


def clean_line(text: str) -> str:
    """`text` on one line: characters cleaned, every run of white space one space."""
    return " ".join(clean_characters(text).split())


def is_page_counter(line: str) -> bool:
    """Whether a line is nothing but a page number in words: "Página 3", "Page 3 of 10", "3/10"."""
    return len(line) < 40 and _PAGE_COUNTER.match(line) is not None


def clean_text(text: str) -> str:
    """`text` cleaned for storing: characters, spaces and tabs folded, at most one empty line, no page counter lines."""
    lines = (_SPACES.sub(" ", line).strip() for line in clean_characters(text).split("\n"))
    kept = "\n".join(line for line in lines if not is_page_counter(line))
    return _MANY_BREAKS.sub("\n\n", kept).strip("\n")


def clean_code(text: str) -> str:
    """`text` with its indentation and inner spaces kept, for code and commands."""
    return _MANY_BREAKS.sub("\n\n", clean_characters(text)).strip("\n")


def clean_file_name(name: str) -> str:
    """A file name to show and to offer for download: no folders, no control characters, at most 150 characters.

    The extension survives the cut. A name of which nothing is left becomes "documento".
    """
    base = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    base = " ".join(_FORBIDDEN_IN_NAMES.sub("", base).split()).strip(". ")
    if not base:
        return "documento"
    stem, dot, extension = base.rpartition(".")
    if not dot or not stem or len(extension) > 10:
        return base[:MAX_FILE_NAME].rstrip(". ")
    return stem[: MAX_FILE_NAME - len(extension) - 1].rstrip(". ") + "." + extension
