"""Warnings a parser may give, with their wording: Spanish as they are stored with the document."""

from collections.abc import Sequence

from django.utils.translation import gettext_noop as _

from documents.parsing.types import ParseWarning

MESSAGES = {
    "pages_without_text": _("%(count)s de %(total)s páginas no tienen texto y no se podrán buscar."),
    "little_text": _("El documento tiene muy poco texto para sus páginas. Puede que lo importante esté en imágenes."),
    "hidden_text": _("Hay texto oculto %(where)s, que no se ha incluido."),
    "unreadable_text": _("El texto de esta página no se puede leer: su letra no dice qué carácter es cada signo."),
    "ocr_used": _("Hay texto leído de la imagen (OCR) %(where)s, que puede tener errores."),
    "poor_ocr": _("El texto viene de un OCR de baja calidad y puede tener errores."),
    "dynamic_form": _("Es un formulario dinámico (XFA). Imprímelo a PDF y sube esa copia para ver su contenido."),
    "page_damaged": _("No se ha podido leer esta página."),
    "repaired": _("El archivo estaba dañado y se ha leído lo que se ha podido."),
    "hidden_sheets": _("Se han dejado fuera las hojas ocultas: %(names)s."),
    "hidden_slides": _("Diapositivas ocultas que se han dejado fuera: %(count)s."),
    "rows_cut": _("La hoja «%(name)s» tiene demasiadas celdas: se ha leído solo el principio."),
    "part_damaged": _("Una parte del archivo está dañada y se ha dejado fuera: %(name)s."),
    "no_slide_text": _("%(count)s de %(total)s diapositivas no tienen texto."),
    "formulas_without_value": _(
        "Hay fórmulas sin resultado guardado. Abre el libro en Excel, guárdalo y súbelo de nuevo."
    ),
    "encoding_guessed": _(
        "La codificación del texto se ha deducido (%(encoding)s). Comprueba que los acentos están bien."
    ),
}


NAMED_PAGES = 8  # more are not read one by one


def where(pages: Sequence[int], count: int) -> tuple[str, dict[str, object]]:
    """Wording and values of where something stands: «en las páginas 2, 3, 8», «en 55 páginas». `pages` is empty where
    they were only counted.
    """
    values = {"pages": ", ".join(map(str, pages)), "count": count}
    if not 0 < len(pages) <= NAMED_PAGES:
        return (_("en una página") if count == 1 else _("en %(count)s páginas")), values
    return (_("en la página %(pages)s") if len(pages) == 1 else _("en las páginas %(pages)s")), values


def pages_warning(code: str, pages: Sequence[int]) -> ParseWarning:
    """The warning `code` about some pages, counted from 1. Raises: KeyError, for a code without a message."""
    words, values = where(pages, len(pages))
    return warning(code, where=words % values, count=len(pages), pages=list(pages))


def warning(code: str, *, page: int | None = None, **values: object) -> ParseWarning:
    """The warning `code` with its message filled in. Raises: KeyError, for a code without a message."""
    message = MESSAGES[code]
    return ParseWarning(code, message % values if values else message, page, values)
