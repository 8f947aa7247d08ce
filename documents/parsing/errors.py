"""Why a file could not be read. Every message says in Spanish what to do next."""

from django.utils.translation import gettext_lazy as _

from skillnet.errors import SkillNetError


class ParseError(SkillNetError):
    """Base of everything `parse` refuses a file with."""

    code = "damaged"


class EncryptedFile(ParseError):
    code = "encrypted"
    user_message = _("El archivo está protegido con contraseña. Guarda una copia sin contraseña y vuelve a subirla.")


class DamagedFile(ParseError):
    code = "damaged"
    user_message = _(
        "El archivo está dañado y no se puede leer. Ábrelo en su programa, guárdalo de nuevo y vuelve a subirlo."
    )


class UnsupportedFormat(ParseError):
    code = "unsupported"
    user_message = _(
        "No podemos leer este tipo de archivo. "
        "Sube un PDF, Word (.docx), PowerPoint (.pptx), Excel (.xlsx), CSV, texto, Markdown, HTML "
        "o subtítulos (VTT, SRT)."
    )


class EmptyFile(ParseError):
    code = "empty"
    user_message = _("El archivo está vacío. Comprueba que se guardó bien y vuelve a subirlo.")


class TooLarge(ParseError):
    code = "too_large"
    user_message = _("El archivo supera el tamaño permitido. Divídelo en partes más pequeñas y súbelas por separado.")


class NoText(ParseError):
    code = "no_text"
    user_message = _(
        "No hay texto que leer en el archivo. "
        "Si es un escaneo o una imagen, pásalo por un programa de OCR y vuelve a subirlo."
    )
    of_pictures = _(
        "No hay texto que leer en el archivo. Si lo que dice está en imágenes, guárdalo como PDF y súbelo así."
    )
    of_nothing = _("No hay texto que leer en el archivo. Comprueba el original, guárdalo de nuevo y vuelve a subirlo.")


class NoTranscript(ParseError):
    """A video whose transcript cannot be had."""

    code = "no_transcript"
    user_message = _(
        "Este vídeo no tiene subtítulos que podamos leer. Descarga los subtítulos (VTT o SRT) y súbelos como archivo."
    )
    unreachable = _(
        "No hemos podido llegar a YouTube desde aquí. Descarga los subtítulos (VTT o SRT) y súbelos como archivo."
    )
    not_an_address = _("No es la dirección de un vídeo de YouTube. Copia la dirección desde el navegador y pégala.")


class LimitExceeded(ParseError):
    code = "limit_exceeded"
    user_message = _(
        "Leer el archivo cuesta demasiado tiempo o memoria. Divídelo en partes o guárdalo en un formato más sencillo."
    )


ERRORS_BY_CODE: dict[str, type[ParseError]] = {
    error.code: error
    for error in (EncryptedFile, DamagedFile, UnsupportedFormat, EmptyFile, TooLarge, NoText, LimitExceeded)
}

LEGACY_MESSAGES = {
    "application/msword": _("Es un documento de Word antiguo (.doc). Ábrelo en Word, guárdalo como .docx y súbelo."),
    "application/vnd.ms-excel": _(
        "Es una hoja de Excel antigua (.xls). Ábrela en Excel, guárdala como .xlsx y súbela."
    ),
    "application/vnd.ms-powerpoint": _(
        "Es una presentación de PowerPoint antigua (.ppt). Ábrela en PowerPoint, guárdala como .pptx y súbela."
    ),
    "application/vnd.oasis.opendocument": _(
        "Es un archivo de LibreOffice. Guárdalo como .docx, .xlsx, .pptx o PDF y súbelo."
    ),
    "application/rtf": _("Es un documento RTF. Ábrelo en Word o LibreOffice, guárdalo como .docx y súbelo."),
}
