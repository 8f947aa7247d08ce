"""Bytes of a document to text."""

from documents.parsing.errors import UnsupportedFormat
from skillnet import decoding
from skillnet.decoding import DecodedText


def decode(data: bytes) -> DecodedText:
    """Text of `data`, without byte-order mark. Raises: UnsupportedFormat, when the bytes are no text."""
    try:
        return decoding.decode(data)
    except decoding.NotText as error:
        raise UnsupportedFormat(str(error)) from error
