"""What the words of a line say about its part in a document: list markers, numbered and legal headings. Pure."""

import re
from dataclasses import dataclass

_BULLET = re.compile(r"^([•▪◦●○■□▫‣⁃∙➢➤►▶✓✔❖◆◇·]|[-–—*]|§)\s+(?=\S)|^([•▪◦●○■□▫‣➢➤►✓✔❖◆◇])(?=\S)")
_ENUMERATED = re.compile(
    r"^(\(?(?:\d{1,3}|[a-zñ]|[ivxlcIVXLC]{1,5}|[A-Z])(?:\)|\.-|\.º|\.ª|º\.?|ª\.?|\.)(?:\)|-)?)\s+(?=\S)"
)
# "Presentación de PowerPoint", "Microsoft Word - carta", "Documento1": of Office in Spanish and in English.
_UNNAMED = re.compile(
    r"(?:microsoft\b|untitled\b|sin t[íi]tulo\b"
    r"|(?:presentaci[óo]n(?: de powerpoint)?|(?:powerpoint )?presentation|documento?|libro|book|diapositiva|slide)"
    r"\s*\d*$)",
    re.I,
)
# Places in the order of a Spanish law, outermost first. "Artículo" and its kin stand deepest.
_LEGAL = (
    (
        re.compile(r"^(?:LIBRO|PARTE|BOOK|PART)\s+(?:[IVXLC\d]+|PRIMER[OA]|SEGUND[OA]|TERCER[OA]|[ÚU]NIC[OA])\b", re.I),
        1,
    ),
    (
        re.compile(
            r"^(?:ANEXO|ANNEX|AP[ÉE]NDICE|APPENDIX|ANEJO)(?:\s+(?:[IVXLC\d]+|[A-Z]|[ÚU]NICO))?\s*(?:$|[.:\-–—])", re.I
        ),
        1,
    ),
    (
        re.compile(
            r"^(?:T[ÍI]TULO)\s+(?:[IVXLC\d]+|PRELIMINAR|PRIMERO|SEGUNDO|TERCERO|CUARTO|QUINTO|SEXTO|[ÚU]NICO)\b", re.I
        ),
        2,
    ),
    (re.compile(r"^(?:M[ÓO]DULO|UNIDAD|TEMA|BLOQUE)\s+(?:DID[ÁA]CTICA\s+)?[IVXLC\d]+\b", re.I), 2),
    (
        re.compile(r"^(?:CAP[ÍI]TULO|CHAPTER)\s+(?:[IVXLC\d]+|PRIMERO|SEGUNDO|TERCERO|CUARTO|QUINTO|[ÚU]NICO)\b", re.I),
        3,
    ),
    (re.compile(r"^SECCI[ÓO]N\s+(?:\d+[.ºª°]*(?!\w)|[IVXLC]+|PRIMERA|SEGUNDA|TERCERA|[ÚU]NICA)\b", re.I), 4),
    (re.compile(r"^SUBSECCI[ÓO]N\s+(?:\d+[.ºª°]*(?!\w)|[IVXLC]+|PRIMERA|SEGUNDA|TERCERA)\b", re.I), 5),
    (re.compile(r"^Disposici[óo]n\s+(?:adicional|transitoria|derogatoria|final)\b", re.I), 6),
    (
        re.compile(
            r"^(?:Art[íi]culo|Article|Cl[áa]usula|Art\.)\s+(?:\d+|[IVXLC]+\b|[úu]nic|primer|segund|tercer|cuart|quint|sext)",
            re.I,
        ),
        6,
    ),
)
ARTICLE_RANK = 6
_ARTICLE_LEAD = re.compile(
    r"^((?:Art[íi]culo|ART[ÍI]CULO|Art\.|ART\.|Cl[áa]usula|CL[ÁA]USULA)\s+(?:\d{1,4}|[IVXLC]{1,7}|[ÚúUu]nic[oa]|ÚNIC[OA]|"
    r"(?:Primer|Segund|Tercer|Cuart|Quint|Sext|S[ée]ptim|Octav|Noven|D[ée]cim)[oa]|(?:PRIMER|SEGUND|TERCER|CUART|QUINT)[OA])"
    r"(?:\s?(?:bis|ter|qu[áa]ter))?\s?(?:[.:º°ª]|\s?[-–—])[.:º°ª\s\-–—]*(?:\([^)]{2,60}\)[.:]?)?)\s*(?=\S)"
)
_NUMBERED = re.compile(r"^(\d{1,2}(?:\.\d{1,2}){0,5})(?:\.|\)|\.-|\.º)?(?:\s*[-–—]\s+|\s+)(?=[^\W\d_]|[¿¡«\"“(])")
_ROMAN = re.compile(r"^([IVX]{1,5})(?:\.-?|\)|\s*[-–—])\s+(?=[^\W\d_]|[¿¡«\"“(])")
_CAPITAL = re.compile(r"^([A-H])(?:\.-?|\))\s+(?=[A-ZÁÉÍÓÚÑ])")
_LEADER = re.compile(r"(?:\.\s?){4,}|…{2,}|_{4,}|·{4,}")
_TOC_END = re.compile(r"(?:\.\s?){3,}\s*\d{1,4}$|…+\s*\d{1,4}$|(?:_{3,}|·{3,})\s*\d{1,4}$|\t+\s*\d{1,4}$")
_CAPTION = re.compile(
    r"^(?:Tabla|Figura|Fig\.|Ilustraci[óo]n|Gr[áa]fic[oa]|Imagen|Cuadro|Foto(?:graf[íi]a)?|Table|Figure|Esquema|Diagrama)"
    r"\s*(?:\d|[IVX]+\b)",
    re.IGNORECASE,
)
_TOC_TITLE = re.compile(
    r"^(?:[íi]ndice(?:\s+(?:general|de\s+contenidos?|de\s+tablas|de\s+figuras|de\s+materias))?|(?:tabla\s+de\s+)?contenidos?|sumario|"
    r"(?:table\s+of\s+)?contents|sum[áa]rio|sommaire|indice|inhalt(?:sverzeichnis)?|tabla\s+de\s+ilustraciones)[\s:.]*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Numbering:
    """The number a heading begins with. `depth` counts from 1; `family` tells numbering schemes apart."""

    family: str
    depth: int


def list_marker(text: str) -> str:
    """The bullet or number a list item begins with, "" when the line begins with none."""
    found = _BULLET.match(text)
    if found:
        return found.group().strip()
    found = _ENUMERATED.match(text)
    return found.group(1) if found else ""


def is_bullet(text: str) -> bool:
    return _BULLET.match(text) is not None


def legal_rank(text: str) -> int:
    """1 (outermost: Libro, Anexo) to 6 (Artículo, Disposición) for a heading of a law or statutes; 0 for other text."""
    for pattern, rank in _LEGAL:
        if pattern.match(text):
            return rank
    return 0


def is_caption(text: str) -> bool:
    """Whether a line names a table or a picture: "Tabla 2. Perfiles"."""
    return _CAPTION.match(text) is not None


def opens_article(text: str) -> bool:
    """Whether a line begins with an article's number set off by its sign: "Artículo 7.- De su funcionamiento."."""
    found = _ARTICLE_LEAD.match(text)
    return found is not None and not text[found.end() : found.end() + 1].islower()


def split_article(text: str) -> tuple[str, str] | None:
    """("Artículo 7.-", its text) for a paragraph that opens with its own article number; None for any other.

    A title in brackets stays with the number. "Artículo 5.º de la Ley" is a mention, not an opening.
    """
    found = _ARTICLE_LEAD.match(text)
    if found is None:
        return None
    body = text[found.end() :]
    if body[:1].islower() or len(body) < 30:
        return None
    return found.group(1).strip(), body


def numbering(text: str) -> Numbering | None:
    """The section number `text` begins with: "3.2.1 Caja" has depth 3, "IV. Plazos" and "B. Alcance" have depth 1."""
    found = _NUMBERED.match(text)
    if found:
        return Numbering("decimal", found.group(1).count(".") + 1)
    if _ROMAN.match(text):
        return Numbering("roman", 1)
    if _CAPITAL.match(text):
        return Numbering("capital", 1)
    return None


def is_uppercase(text: str) -> bool:
    """Whether a line is written in capitals: at least three letters and hardly a small one."""
    letters = sum(map(str.isalpha, text))
    return letters >= 3 and sum(map(str.isupper, text)) >= 0.9 * letters


def ends_sentence(text: str) -> bool:
    return text.rstrip(" »”\"')").endswith((".", "!", "?", ":", ";", "…"))


def is_contents_entry(text: str) -> bool:
    """Whether a line is an entry of a contents table: dots that lead to a page number."""
    if not text.rstrip()[-1:].isdigit():  # most lines: the searches below are dear
        return False
    return _TOC_END.search(text) is not None or _LEADER.search(text) is not None


def is_contents_title(text: str) -> bool:
    """Whether a line is the title of a contents table, letter-spaced or not."""
    text = text.strip()
    if _TOC_TITLE.match(text):
        return True
    letters = text.split(" ")
    return (
        len(letters) > 4 and all(len(part) == 1 for part in letters) and _TOC_TITLE.match("".join(letters)) is not None
    )


def is_unnamed(title: str) -> bool:
    """Whether a title is what a program writes while nobody has named the document."""
    return _UNNAMED.match(title.strip()) is not None
