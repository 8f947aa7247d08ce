"""The process that reads pictures of PDF pages: Tesseract cannot be interrupted, a process can be ended.

Arguments: FILE DPI FOLDER PAGE…

Prints a JSON line for each page (from 1) as soon as it is read. Started by `documents.parsing.pdf_ocr`, whose limits
on memory and processor time it inherits.
"""

import json
import sys
from dataclasses import asdict

from documents.parsing.mupdf import PDF_ERRORS, pymupdf
from documents.parsing.pdf_lines import read_page


def main() -> None:
    path, dpi, folder, *numbers = sys.argv[1:]
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    with pymupdf.open(path, filetype="pdf") as document:
        for number in map(int, numbers):
            page = document[number - 1]
            try:
                textpage = page.get_textpage_ocr(language="spa", dpi=int(dpi), full=True, tessdata=folder)
                found = read_page(page, number, textpage=textpage)
            except PDF_ERRORS:  # Tesseract gave up on this picture; the next may be better
                continue
            lines = [asdict(line) for line in found.lines]
            answer = {"number": number, "turn": found.upright.turn, "frame": found.frame, "lines": lines}
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
