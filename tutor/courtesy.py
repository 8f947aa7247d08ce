"""Greetings and thanks: what people write before and after a question. Pure but for the translated replies."""

import re

from django.utils.translation import gettext as _

from tutor.wording import word_key

_FILLS = r"(?:muy|a todos|equipo|otra vez|por todo|por la ayuda|de verdad)"
_GREETS = (
    r"h?ola+s?|holi|hey|hello|hi|saludos|buenas|buenos dias|buenas (?:tardes|noches)|buen dia|bon dia"
    r"|que tal(?: estas)?|como (?:estas|va)"
)
_THANKS = r"(?:muchas|mil) gracias|gracias|thanks|thank you|merci|gracies|ok|okey|vale|perfecto|genial|entendido"
_LEAVES = r"adios|hasta (?:luego|manana|pronto)|chao|bye"
_GREETING = re.compile(rf"(?:(?:{_GREETS}|{_FILLS})(?: |$))+")
_FAREWELL = re.compile(rf"(?:(?:{_GREETS}|{_THANKS}|{_LEAVES}|{_FILLS})(?: |$))+")


def is_courtesy(text: str) -> bool:
    """Whether a text greets, thanks or takes leave and asks nothing."""
    return _FAREWELL.fullmatch(word_key(text)) is not None


def courtesy_reply(text: str) -> str:
    """What is said back to a greeting or to thanks; empty when the text is neither, or says more than that."""
    if not is_courtesy(text):
        return ""
    if _GREETING.fullmatch(word_key(text)):
        return _("Hola. Escribe tu pregunta y la busco en los documentos de tu empresa.")
    return _("De nada. Si tienes otra pregunta, escríbela aquí.")
