"""Passages as a search returns them, for tests without a database."""

from retrieval.types import Passage

RETURNS = "El cliente dispone de 30 días naturales para devolver un producto. El día de la compra no cuenta."
HYGIENE = "Lávate las manos con agua y jabón antes de tocar un alimento. Usa guantes nuevos en cada mesa."


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
