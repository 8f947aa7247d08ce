"""Lists as CSV files that spreadsheets open."""

import csv
import io
from collections.abc import Iterable, Sequence

from django.http import HttpResponse

from skillnet.spreadsheets import inert


def csv_file(name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    """A download named `name`. Nothing in it is run as a formula by whoever opens it."""
    output = io.StringIO()
    output.write("\ufeff")  # or spreadsheets take it for another encoding
    writer = csv.writer(output, delimiter=";")
    writer.writerow(header)
    for row in rows:
        writer.writerow(["" if cell is None else inert(str(cell)) for cell in row])
    return HttpResponse(
        output.getvalue(),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.csv"'},
    )
