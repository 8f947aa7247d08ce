"""What can be wrong with an entry that somebody writes or imports."""

from django.utils.translation import gettext_lazy as _

from skillnet.errors import SkillNetError


class QuoteNotFound(SkillNetError):
    """The quoted words do not stand in the version that the document serves, or are too many."""

    code = "quote_not_found"
    user_message = _(
        "Esas palabras no están en la versión actual del documento. Copia la frase tal como aparece, hasta 80 palabras."
    )


class UnreadableImport(SkillNetError):
    """A file from which no entries can be read."""

    code = "unreadable_import"
    user_message = _("No podemos leer este archivo. Usa un CSV o JSON como el que da «Exportar».")


class AlreadyAsked(SkillNetError):
    """Another entry has the same question."""

    code = "already_asked"
    user_message = _("Ya hay otra respuesta con una de estas preguntas. Edita esa o cambia la pregunta.")
