"""Small files for uploads, made here so that every byte is known."""

import io
import random

import docx
import pymupdf

THINGS = (
    "llave",
    "freno",
    "timbre",
    "cesta",
    "rueda",
    "pedal",
    "bomba",
    "casco",
    "farol",
    "manillar",
    "cadena",
    "radio",
)
DEEDS = ("revisa", "limpia", "aprieta", "engrasa", "cambia", "apunta", "guarda", "pesa", "cuenta", "prueba", "mide")
PLACES = ("taller", "almacén", "mostrador", "patio", "furgón", "garaje", "muelle", "sótano", "pasillo", "banco")
RULES = (
    "Las bicicletas de alquiler se entregan con el sillín a la altura de la cadera y las ruedas a cuatro bares.",
    "La fianza es de 35 euros y se devuelve al entregar la bicicleta limpia y con las dos luces.",
    "Si una cadena se rompe en ruta, el cliente llama a la extensión 512 y espera en un lugar seguro.",
    "Los cascos se desinfectan después de cada uso y se cambian cuando han recibido un golpe.",
    "La revisión de frenos se hace los martes y se apunta en la hoja BI-7 con la firma de quien la hizo.",
)


def page_heading(number: int) -> str:
    """The heading of a page of `pdf`, unlike any other's: what all pages say at their top is left out."""
    deed, place, thing = (words[number % len(words)] for words in (DEEDS, PLACES, THINGS))
    return f"{number}. {deed.capitalize()} {place} y {thing}"


def pdf(title: str, *, pages: int = 6, password: str = "") -> bytes:
    """A PDF of a heading and a few rules a page; with a password, one that asks for it."""
    with pymupdf.open() as file:
        file.set_metadata({"title": title})
        for number in range(1, pages + 1):
            page = file.new_page()
            page.insert_text((60, 80), page_heading(number), fontsize=18)
            chance = random.Random(number)
            text = " ".join(f"{rule} Caso {number}." for rule in chance.sample(RULES, 4))
            page.insert_textbox((60, 110, 530, 500), text, fontsize=11)
        locked = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "user_pw": password, "owner_pw": password}
        content: bytes = file.tobytes(**(locked if password else {}))
        return content


def scanned(title: str, *, is_blank: bool = False) -> bytes:
    """A PDF of one picture: of the first page of `pdf`, or of an empty sheet."""
    with pymupdf.open(stream=pdf(title, pages=1)) as printed, pymupdf.open() as file:
        sheet = printed[0]
        picture = sheet.get_pixmap(dpi=200, colorspace=pymupdf.csGRAY)
        if is_blank:
            picture.clear_with(235)
        file.set_metadata({"title": title})
        file.new_page(width=sheet.rect.width, height=sheet.rect.height).insert_image(sheet.rect, pixmap=picture)
        content: bytes = file.tobytes()
        return content


def word(title: str) -> bytes:
    """A Word document with two headings."""
    document = docx.Document()
    document.core_properties.title = title
    for heading in ("Entrega", "Recogida"):
        document.add_heading(heading, level=1)
        for rule in RULES:
            document.add_paragraph(f"{heading}. {rule}")
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()


def long_text(title: str, *, words: int = 31_000) -> bytes:
    """Markdown of more than sixty pages whose sections all differ."""
    chance = random.Random(title)
    lines = [f"# {title}"]
    written = 0
    section = 0
    while written < words:
        section += 1
        lines.append(f"\n## {section}. {chance.choice(THINGS).capitalize()} en el {chance.choice(PLACES)}\n")
        for _sentence in range(18):
            sentence = (
                f"Quien está en el {chance.choice(PLACES)} {chance.choice(DEEDS)} la pieza {chance.randrange(10_000)} "
                f"con el {chance.choice(THINGS)} y después {chance.choice(DEEDS)} el {chance.choice(THINGS)} "
                f"número {chance.randrange(10_000)} antes de las {chance.randrange(8, 21)} horas."
            )
            lines.append(sentence)
            written += len(sentence.split())
    return "\n".join(lines).encode()
