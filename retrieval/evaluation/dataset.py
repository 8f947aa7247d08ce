"""Data sets in BEIR layout: corpus.jsonl, queries.jsonl and qrels/*.tsv."""

import csv
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from skillnet.errors import SkillNetError


class DataSetError(SkillNetError):
    """A data set cannot be read; the message names the file and what is wrong with it."""

    code = "data_set"


@dataclass(frozen=True, slots=True)
class Row:
    """One text of a corpus."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Query:
    id: str
    text: str
    is_answerable: bool = True  # whether the corpus holds an answer


@dataclass(frozen=True, slots=True)
class DataSet:
    name: str
    corpus: Sequence[Row]
    queries: Sequence[Query]
    qrels: Mapping[str, Mapping[str, int]]  # query id -> corpus id -> relevance

    @property
    def corpus_fingerprint(self) -> str:
        """SHA-256 of the corpus alone: equal prints need to be ingested once."""
        return _digest([row.id, row.title, row.text] for row in self.corpus)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of everything that figures depend on."""
        return _digest(
            [
                [self.corpus_fingerprint],
                *([query.id, query.text, query.is_answerable] for query in self.queries),
                *([query_id, *sorted(judged.items())] for query_id, judged in sorted(self.qrels.items())),
            ]
        )


def read_data_set(folder: Path, *, judged: bool = True) -> DataSet:
    """Read a folder in BEIR layout. With `judged`, only queries that qrels judge are kept.

    Raises: DataSetError.
    """
    corpus = [
        Row(str(row["_id"]), str(row.get("title") or ""), str(row["text"]))
        for row in _lines(folder / "corpus.jsonl", "_id", "text")
    ]
    queries = [
        Query(str(row["_id"]), str(row["text"]), bool((row.get("metadata") or {}).get("answerable", True)))
        for row in _lines(folder / "queries.jsonl", "_id", "text")
    ]
    qrels = _qrels(folder / "qrels") if judged else {}
    if judged:
        queries = [query for query in queries if query.id in qrels]
    if not corpus or not queries:
        raise DataSetError(user_message=_("No hay textos o preguntas en %(folder)s.") % {"folder": folder})
    return DataSet(folder.resolve().name, corpus, queries, qrels)


def read_pairs(path: Path) -> list[tuple[bool, str, str]]:
    """(should match, document, query) of each row of a tab-separated file with those columns. Raises: DataSetError."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        return [(row["should_match"].strip() == "1", row["document"], row["query"]) for row in rows]
    except (OSError, UnicodeDecodeError, KeyError, AttributeError) as error:
        message = _("%(path)s no se puede leer: hacen falta las columnas should_match, document y query.")
        raise DataSetError(str(error), user_message=message % {"path": path}) from error


def _lines(path: Path, *needed: str) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                if not line.strip():
                    continue
                row = json.loads(line)
                if not isinstance(row, dict) or any(key not in row for key in needed):
                    message = _("%(path)s, línea %(number)s: faltan datos (%(needed)s).")
                    raise DataSetError(
                        user_message=message % {"path": path, "number": number, "needed": ", ".join(needed)}
                    )
                yield row
    except (OSError, ValueError) as error:
        raise DataSetError(
            str(error), user_message=_("%(path)s no se puede leer como JSON por líneas.") % {"path": path}
        ) from error


def _qrels(folder: Path) -> dict[str, dict[str, int]]:
    qrels: dict[str, dict[str, int]] = {}
    paths = sorted(folder.glob("*.tsv"))
    if not paths:
        raise DataSetError(user_message=_("No hay juicios de relevancia en %(folder)s.") % {"folder": folder})
    for path in paths:
        try:
            with path.open(encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file, delimiter="\t"):
                    qrels.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
        except (OSError, ValueError, KeyError) as error:
            message = _("%(path)s no se puede leer: hacen falta las columnas query-id, corpus-id y score.")
            raise DataSetError(str(error), user_message=message % {"path": path}) from error
    return qrels


def _digest(values: Any) -> str:
    print_ = hashlib.sha256()
    for value in values:
        print_.update(json.dumps(value, ensure_ascii=False).encode() + b"\n")
    return print_.hexdigest()
