"""Text in a document or question that speaks to the language model instead of to people. Pure."""

import re

LEFT_OUT = "[…]"

# Marks by which chat templates part the speakers: a server may read them as such wherever they stand.
_CHAT_MARKS = re.compile(r"<\|[^|<>\n]{0,40}\|?>|</?(?:start|end)_of_turn>|\[/?INST\]|<</?SYS>>|</?s>", re.IGNORECASE)
# Weak models repeat them with the speaker's name behind.
_ECHOES = re.compile(
    rf"(?:{_CHAT_MARKS.pattern})(?:[ \t]*(?:user|assistant|system|model)\b)?|</?\s*(?:fuentes|pregunta)\s*>",
    re.IGNORECASE,
)
_BEGUN_ECHO = re.compile(r"\s*<(?:[|/a-z][^<>\n]{0,40})?\Z", re.IGNORECASE)
_STOP_OBEYING = (
    "ignora|ignorad|ignore|olvida|olvidad|olvide|omite|desobedece|descarta|no (?:hagas caso|sigas)|disregard|forget"
)
_RULES = "instrucci[oó]n(?:es)?|[oó]rdenes|reglas|indicaciones|directrices|instructions?|rules|prompt"
_GIVEN_BEFORE = "anteriore?s?|previas?|tus|previous|above|prior|your|all|earlier"
_MODEL = r"modelo de lenguaje|ia|chatbot|asistente (?:virtual|de ia)|language model|ai(?: assistant)?"
_ORDERS = re.compile(
    "|".join(
        (
            rf"\b(?:{_STOP_OBEYING})\b[^.!?\n]{{0,40}}\b(?:{_RULES})\b[^.!?\n]{{0,20}}\b(?:{_GIVEN_BEFORE})\b",
            rf"\b(?:{_STOP_OBEYING})\b[^.!?\n]{{0,40}}\b(?:{_GIVEN_BEFORE})\b[^.!?\n]{{0,20}}\b(?:{_RULES})\b",
            rf"\b(?:eres|act[uú]a como|comp[oó]rtate como|you are|act as)\b[^.!?\n]{{0,15}}\b(?:{_MODEL})\b",
            r"\b(?:system prompt|prompt del sistema)\b",
            r"\b(?:nuevas instrucciones para ti|new instructions for you)\b",
            rf"\b(?:{_MODEL})\s*:\s*(?:responde|di|escribe|contesta|answer|say|write|reply)\b",
        )
    ),
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n]*[.!?\n]*")


def without_chat_marks(text: str) -> str:
    """`text` with the marks of chat templates («<|im_start|>», «[INST]») made harmless."""
    return _CHAT_MARKS.sub(LEFT_OUT, text)


def without_echoes(reply: str) -> str:
    """A reply without the marks of chat templates and of the prompt's own parts, which weak models repeat."""
    return _ECHOES.sub("", reply)


def without_begun_echo(reply: str) -> str:
    """A reply in the making without the mark that it ends in, still open: what it becomes is not known yet."""
    return _BEGUN_ECHO.sub("", reply)


def gives_orders(text: str) -> bool:
    """Whether a text gives orders to a language model, in a known wording."""
    return _ORDERS.search(text) is not None


def without_orders(text: str) -> str:
    """`text` without the sentences that give orders to a language model, «[…]» in their place.

    What follows such a sentence on its line goes with it: there the order says what to do. Known wordings in Spanish
    and English alone; others still stand among the sources, which the instructions tell the model not to obey.
    """
    if not _ORDERS.search(text):
        return text
    return "\n".join(_line_without_orders(line) for line in text.split("\n"))


def _line_without_orders(line: str) -> str:
    start = 0
    for sentence in _SENTENCE.findall(line):
        if _ORDERS.search(sentence):
            return f"{line[:start].rstrip()} {LEFT_OUT}".strip()
        start += len(sentence)
    return line
