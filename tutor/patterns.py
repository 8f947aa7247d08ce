"""Lists of words as patterns. Pure."""


def any_of(listed: str) -> str:
    """A pattern that matches any one of the patterns listed, which blanks part: a blank within one is written `\\s`."""
    return "(?:" + "|".join(listed.split()) + ")"
