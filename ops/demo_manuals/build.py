"""Rebuild the demo manuals from their sources: `python ops/demo_manuals/build.py`.

The output is the same byte for byte as long as sources and library versions are, so a rebuild
without a change leaves nothing to commit. «apertura-y-cierre.md» is its own source and is not built.
"""

import sys
from pathlib import Path

from docx_manual import render_docx
from manual_source import read_source
from pdf_manual import render_pdf

SOURCES = Path(__file__).parent
MANUALS = SOURCES.parents[1] / "courses" / "demo" / "manuals"


def main() -> None:
    returns = SOURCES / "devoluciones.md"
    built = {
        "manual-de-devoluciones.pdf": render_pdf(read_source(returns)),
        "manual-de-devoluciones-v2.pdf": render_pdf(read_source(returns, changes=SOURCES / "devoluciones-v2.toml")),
        "guia-de-alergenos.docx": render_docx(read_source(SOURCES / "alergenos.md")),
    }
    MANUALS.mkdir(parents=True, exist_ok=True)
    for name, data in built.items():
        (MANUALS / name).write_bytes(data)
        sys.stdout.write(f"{name}: {len(data) / 1024:.0f} KiB\n")


if __name__ == "__main__":
    main()
