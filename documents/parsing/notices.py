"""Warnings a parser may give, with their wording: Spanish as they are stored with the document."""

from django.utils.translation import gettext_noop as _

from documents.parsing.types import ParseWarning

MESSAGES = {
    "pages_without_text": _("%(count)s de %(total)s páginas no tienen texto y no se podrán buscar."),
    "little_text": _("El documento tiene muy poco texto para sus páginas. Puede que lo importante esté en imágenes."),
    "hidden_text": _("Hay texto oculto, que no se ha incluido. Páginas: %(count)s."),
    "unreadable_text": _("El texto de esta página no se puede leer: su letra no dice qué carácter es cada signo."),
    "ocr_used": _("Hay texto leído de la imagen (OCR), que puede tener errores. Páginas: %(count)s."),
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


def warning(code: str, *, page: int | None = None, **values: object) -> ParseWarning:
    """The warning `code` with its message filled in. Raises: KeyError, for a code without a message."""
    message = MESSAGES[code]
    return ParseWarning(code, message % values if values else message, page, values)
