"""Bytes to text: the encoding is read from the bytes, never from the file's name."""

import codecs
import re
from dataclasses import dataclass

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# One-byte encodings Spanish offices still write, the likeliest first.
_LEGACY = ("cp1252", "cp850", "mac_roman")
_COMMON = re.compile(r"[áéíóúüñÁÉÍÓÚÜÑçÇàèòïâêôãõäößÀÈÒÂÊÔÃÕÄÖ¿¡«»ºª€°–—‘’“”…·]")
_RARE = re.compile(r"[^\x00-\x7fáéíóúüñÁÉÍÓÚÜÑçÇàèòïâêôãõäößÀÈÒÂÊÔÃÕÄÖ¿¡«»ºª€°–—‘’“”…·\xa0]")
_WORD_INSIDE = re.compile(r"(?<=[a-z])[¿¡«»ºªÁÉÍÓÚÑÇ–—“”…·](?=[a-z])")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")


class NotText(ValueError):
    """The bytes are no text in any encoding we know."""


@dataclass(frozen=True, slots=True)
class DecodedText:
    """Text and the encoding it was in. `is_guess` is true when the bytes do not prove the encoding."""

    text: str
    encoding: str
    is_guess: bool = False


def decode(data: bytes) -> DecodedText:
    """Text of `data`, without byte-order mark.

    Raises: NotText.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return DecodedText(data.decode(encoding, errors="replace").lstrip("\ufeff"), encoding)
    wide = _utf16_without_mark(data)
    if wide:
        return DecodedText(data[: len(data) // 2 * 2].decode(wide, errors="replace"), wide)
    try:
        return _checked(DecodedText(data.decode("utf-8"), "utf-8"))
    except UnicodeDecodeError:
        pass
    guesses = []
    for order, encoding in enumerate(_LEGACY):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        sample = text[:200_000]
        score = len(_COMMON.findall(sample)) - 2 * len(_RARE.findall(sample)) - 4 * len(_WORD_INSIDE.findall(sample))
        guesses.append((score, -order, text, encoding))
    if guesses:
        _, _, text, encoding = max(guesses)
        return _checked(DecodedText(text, encoding, is_guess=True))
    return _checked(DecodedText(data.decode("latin-1"), "latin-1", is_guess=True))


def _utf16_without_mark(data: bytes) -> str:
    """UTF-16 whose mark is missing: in European text every other byte is zero."""
    sample = data[:4000]
    if len(sample) < 4:
        return ""
    even, odd = sample[0::2], sample[1::2]
    zeros_even, zeros_odd = even.count(0) / len(even), odd.count(0) / len(odd)
    if zeros_even > 0.6 and zeros_odd < 0.1:
        return "utf-16-be"
    if zeros_odd > 0.6 and zeros_even < 0.1:
        return "utf-16-le"
    return ""


def _checked(decoded: DecodedText) -> DecodedText:
    sample = decoded.text[:50_000]
    if len(_CONTROL.findall(sample)) > 0.005 * len(sample) + 2:
        raise NotText("binary data, not text")
    return decoded
