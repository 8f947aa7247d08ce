"""Questions in one language put to passages in another, with the same ids: what is left of the figures.

Takes a data set in BEIR layout and files in the layout of SQuAD (XQuAD's, here) that ask the same questions in the same
order in both languages. Which of the data set's questions a file asks is told by their texts.
"""

import argparse
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")
django.setup()

from retrieval.evaluation.dataset import DataSet, Query, read_data_set  # noqa: E402
from retrieval.evaluation.runs import MEASURES, evaluate  # noqa: E402

CONFIGURATIONS = ("vector", "keyword", "hybrid", "hybrid+rerank")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--beir", type=Path, nargs="+", required=True, help="data sets in the passages' language")
    parser.add_argument("--same", type=Path, required=True, help="the questions in that language, as SQuAD")
    parser.add_argument("--other", type=Path, required=True, help="the same questions in another language, as SQuAD")
    options = parser.parse_args()
    same, other = _questions(options.same), _questions(options.other)
    translations = {text: other[name] for name, text in same.items() if name in other}
    print("| | configuration | " + " | ".join(MEASURES) + " |")
    print("| --- | --- |" + " --- |" * len(MEASURES))
    for folder in options.beir:
        for run in evaluate(_translated(read_data_set(folder), translations), CONFIGURATIONS):
            figures = " | ".join(f"{run.metrics[name]:.3f}" for name in MEASURES)
            print(f"| {run.data_set} | {run.configuration} | {figures} |", flush=True)


def _questions(path: Path) -> dict[str, str]:
    articles = json.loads(path.read_text(encoding="utf-8"))["data"]
    return {
        asked["id"]: asked["question"].strip()
        for article in articles
        for paragraph in article["paragraphs"]
        for asked in paragraph["qas"]
    }


def _translated(data_set: DataSet, translations: Mapping[str, str]) -> DataSet:
    queries = [
        Query(query.id, translations[query.text.strip()])
        for query in data_set.queries
        if query.text.strip() in translations
    ]
    print(f"{data_set.name}: {len(queries)} of {len(data_set.queries)} questions translated", file=sys.stderr)
    kept = {query.id for query in queries}
    qrels = {name: judged for name, judged in data_set.qrels.items() if name in kept}
    return replace(data_set, name=f"{data_set.name}-other", queries=queries, qrels=qrels)


if __name__ == "__main__":
    main()
