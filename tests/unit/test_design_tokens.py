"""Colours that people can read, in the light and in the dark theme."""

import re
from pathlib import Path

import pytest

from skillnet.appearance import Accent

TOKENS = Path(__file__).resolve().parents[2] / "static" / "css" / "tokens.css"
PAIR = re.compile(r"--([\w-]+): light-dark\((#\w{6}, #\w{6})\);")
OWN, *ACCENTS = re.split(r':root\[data-accent="(\w+)"\]', TOKENS.read_text())
COLOURS = {"teal": OWN} | {name: OWN + pairs for name, pairs in zip(ACCENTS[::2], ACCENTS[1::2], strict=True)}
THEMES = [
    pytest.param({name: pair.split(", ")[index] for name, pair in PAIR.findall(tokens)}, id=f"{accent}-{theme}")
    for accent, tokens in COLOURS.items()
    for index, theme in enumerate(("light", "dark"))
]
STATES = ("ok", "warn", "danger", "info")


def luminance(colour):
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_text_stands_out_from_what_it_is_written_on(theme):
    backgrounds = ["surface", "surface-raised"]
    written = [(ink, back) for ink in ("text", "muted", "accent", *STATES) for back in backgrounds]
    written += [(state, f"{state}-soft") for state in STATES]
    written += [(ink, f"{state}-soft") for ink in ("text", "muted", "accent") for state in STATES]
    written += [("text", "mark"), ("text", "surface-sunken"), ("muted", "surface-sunken")]
    written += [(ink, "accent-soft") for ink in ("text", "accent")]
    written += [("on-accent", "accent"), ("on-accent", "accent-strong")]
    faint = {pair: round(contrast(theme[pair[0]], theme[pair[1]]), 2) for pair in written}
    assert {pair: value for pair, value in faint.items() if value < 4.5} == {}


@pytest.mark.parametrize("theme", THEMES)
def test_fields_and_focus_are_seen(theme):
    drawn = [(line, back) for line in ("border-strong", "focus") for back in ("surface", "surface-raised")]
    faint = {pair: round(contrast(theme[pair[0]], theme[pair[1]]), 2) for pair in drawn}
    assert {pair: value for pair, value in faint.items() if value < 3} == {}


def test_every_colour_on_offer_has_its_values():
    assert set(COLOURS) == set(Accent.values)
