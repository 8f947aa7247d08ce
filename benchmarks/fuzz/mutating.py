"""Files changed at random, so that they stay near enough to good ones to be opened."""

import io
import random
import re
import zipfile

INTERESTING = (b"\x00", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"-1", b"0", b"99999999999", b"%s%n", b"\xed\xa0\x80")
_NUMBER = re.compile(rb"\d+")
_TAG = re.compile(rb"<[^<>]{1,200}>")
_PDF_NAME = re.compile(rb"/[A-Za-z]{2,20}")


def mutated(data: bytes, chance: random.Random) -> bytes:
    """`data` with one to eight changes; in archives (Word, PowerPoint, Excel) mostly in the parts inside."""
    if data[:2] == b"PK" and chance.random() < 0.8:
        return _archive(data, chance)
    return _changed(data, chance)


def _changed(data: bytes, chance: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 3, 5, 8))):
        out = bytearray(chance.choice(_CHANGES)(bytes(out), chance))
    return bytes(out)


def _archive(data: bytes, chance: random.Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    names = [name for name in parts if name.endswith((".xml", ".rels"))]
    for name in chance.sample(names, min(len(names), chance.choice((1, 1, 2, 4)))):
        if chance.random() < 0.05:
            del parts[name]
        else:
            parts[name] = _changed(parts[name], chance)
    if chance.random() < 0.05:
        parts[f"word/../../{chance.randrange(9)}.xml"] = b"<a/>"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return _changed(out.getvalue(), chance) if chance.random() < 0.1 else out.getvalue()


def _flip(data: bytes, chance: random.Random) -> bytes:
    if not data:
        return b"\0"
    place = chance.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << chance.randrange(8))]) + data[place + 1 :]


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)] if chance.random() < 0.3 else _without(data, chance)


def _span(data: bytes, chance: random.Random, longest: int = 2000) -> tuple[int, int]:
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + chance.randrange(1, longest))


def _without(data: bytes, chance: random.Random) -> bytes:
    start, end = _span(data, chance)
    return data[:start] + data[end:]


def _again(data: bytes, chance: random.Random) -> bytes:
    start, end = _span(data, chance)
    return data[:end] + data[start:end] * chance.choice((1, 2, 50)) + data[end:]


def _insert(data: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(data) + 1)
    return data[:place] + chance.choice(INTERESTING) * chance.choice((1, 1, 4, 500)) + data[place:]


def _swap(pattern: "re.Pattern[bytes]", data: bytes, chance: random.Random) -> bytes:
    found = list(pattern.finditer(data))
    if not found:
        return _flip(data, chance)
    one, other = chance.choice(found), chance.choice(found)
    return data[: one.start()] + other.group() + data[one.end() :]


def _number(data: bytes, chance: random.Random) -> bytes:
    found = list(_NUMBER.finditer(data))
    if not found:
        return _flip(data, chance)
    one = chance.choice(found)
    value = chance.choice((b"0", b"-1", b"4294967296", b"1e308", b"9" * 40, str(chance.randrange(10_000)).encode()))
    return data[: one.start()] + value + data[one.end() :]


_CHANGES = (
    _flip,
    _cut,
    _without,
    _again,
    _insert,
    _number,
    lambda data, chance: _swap(_TAG, data, chance),
    lambda data, chance: _swap(_PDF_NAME, data, chance),
    lambda data, chance: _swap(_NUMBER, data, chance),
)
