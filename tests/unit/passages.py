"""Passages as a search returns them, for tests without a database."""

from retrieval.types import Passage

RETURNS = "El cliente dispone de 30 días naturales para devolver un producto. El día de la compra no cuenta."
HYGIENE = "Lávate las manos con agua y jabón antes de tocar un alimento. Usa guantes nuevos en cada mesa."

STEPS = """Para cerrar la caja sigue este orden:

1. Cuenta el efectivo dos veces.
2. Imprime el informe Z en el TPV.
3. Guarda el dinero en la caja fuerte.

El informe Z se conserva cinco años."""

TABLE = """Cada producto tiene su plazo.

Producto | Plazo | Condición
Menaje | 30 días naturales | Sin usar
Vinos y licores | 15 días naturales | Precinto intacto
Queso al corte | 48 horas | Solo por defecto"""

LIST = """No se admite la devolución de estos productos:

- Tarjetas regalo. Tienen una validez de 24 meses.
- Libros de cocina sin su retractilado.
- Alimentos congelados."""

MENU = """Ensalada de primavera 9 €

Hojas verdes, piña confitada y nueces.

Tartar de atún 12 €
Atún rojo, aguacate y sésamo.

Macarrones con salmón y tomate. 15 €"""


def passage(text: str, *, document_id: int = 1, chunk_id: int = 1) -> Passage:
    return Passage(
        chunk_id=chunk_id,
        document_id=document_id,
        document_title=f"Manual {document_id}",
        version_id=document_id,
        version_number=1,
        position=chunk_id,
        kind="paragraph",
        text=text,
        heading_path=("Sección",),
        page_start=1,
        page_end=1,
        locator={},
        rows=None,
        language="es",
        score=1.0,
        legs=frozenset({"semantic"}),
    )
