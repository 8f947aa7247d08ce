"""What asks the documents nothing: greetings and thanks, who answers here, where to find a person. Pure but for the
translated replies.
"""

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


def _said_with_fills(pattern: str) -> re.Pattern[str]:
    """A pattern for one or more of what is said, with fills around: those alone say nothing («otra vez»)."""
    return re.compile(rf"(?:{_FILLS} )*(?:{pattern})(?: (?:{pattern}|{_FILLS}))*")


_GREETING = _said_with_fills(_GREETS)
_FAREWELL = _said_with_fills(rf"{_GREETS}|{_THANKS}|{_LEAVES}")


def _whole(pattern: str) -> re.Pattern[str]:
    """A pattern for all that is said, but for a greeting before and a «por favor» behind."""
    return re.compile(rf"(?:(?:{_GREETS}) )*(?:{pattern})(?: por favor| please)?")


_ASKS_WHO = _whole(
    r"(?:y )?(?:tu )?(?:quien|que) eres(?: tu)?|como te llamas|que (?:haces|sabes)(?: hacer)?"
    r"|que puedes hacer(?: por mi)?"
    r"|(?:en|de|a|con) que (?:me )?(?:puedes|podrias) ayudar(?:me)?|como (?:me )?puedes ayudar(?:me)?"
    r"|para que sirves|como funcionas|que (?:te )?puedo preguntar(?:te)?"
    r"|eres (?:un |una )?(?:robot|bot|ia|inteligencia artificial|maquina|persona|humano)|who are you|what can you do"
)
_ASKS_FOR_DOCUMENTS = _whole(
    r"(?:que|cuales) (?:documentos|manuales|guias) (?:hay|tienes|tenemos|conoces|usas|puedo (?:ver|leer|consultar))"
    r"(?: disponibles)?|de donde sacas (?:las respuestas|la informacion)"
)
_ASKS_FOR_PERSON = _whole(
    r"(?:(?:quiero|quisiera|querria|necesito|puedo|podria|me gustaria) hablar|pasame|paseme|ponme|pongame)"
    r" con (?:alguien|(?:una|otra) persona(?: real| de verdad)?|un (?:humano|agente|responsable)"
    r"|mi (?:responsable|jef[ea]))"
)


def is_courtesy(text: str) -> bool:
    """Whether a text asks the documents nothing: it greets, thanks, takes leave, or asks about who answers here."""
    said = word_key(text)
    return any(
        pattern.fullmatch(said) is not None for pattern in (_FAREWELL, _ASKS_WHO, _ASKS_FOR_DOCUMENTS, _ASKS_FOR_PERSON)
    )


def courtesy_reply(text: str) -> str:
    """What is said to a text that asks the documents nothing; empty when it says more than that."""
    said = word_key(text)
    if not is_courtesy(text):
        return ""
    if _GREETING.fullmatch(said):
        return _("Hola. Escribe tu pregunta y la busco en los documentos de tu empresa.")
    if _ASKS_WHO.fullmatch(said):
        return _(
            "Soy el tutor: busco tu pregunta en los documentos de tu empresa y te digo de qué documento sale cada "
            "respuesta. Si no está en ellos, te lo digo."
        )
    if _ASKS_FOR_DOCUMENTS.fullmatch(said):
        return _("Los documentos que puedes leer están en «Manuales». Sobre todos ellos puedes preguntarme aquí.")
    if _ASKS_FOR_PERSON.fullmatch(said):
        return _(
            "Para hablar con una persona, dirígete a tu responsable. Si me preguntas algo y no lo encuentro, puedes "
            "enviarle la pregunta desde aquí."
        )
    return _("De nada. Si tienes otra pregunta, escríbela aquí.")
