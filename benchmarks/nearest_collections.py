"""Does looking only in the nearest collections lose what would have been found? Texts of one title are a collection.

Usage: nearest_collections.py DIR, a data set in BEIR layout whose rows have titles. Prints recall and time with and
without routing, and how near questions lie to the collection that answers them.
"""

import argparse
import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from statistics import mean, median

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")

import django

django.setup()

import numpy as np  # noqa: E402

from documents.models import Collection, Document  # noqa: E402
from retrieval import collection_routing  # noqa: E402
from retrieval.evaluation.corpus import ingested  # noqa: E402
from retrieval.evaluation.dataset import read_data_set  # noqa: E402
from retrieval.models import CollectionCentroid  # noqa: E402
from retrieval.pipeline import search  # noqa: E402
from retrieval.types import SearchConfig  # noqa: E402
from skillnet.backends import get_embedder  # noqa: E402
from skillnet.tenancy import organization_scope  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, help="ask only so many of them, evenly spread")
    options = parser.parse_args()
    data_set = read_data_set(options.folder)
    scope, names = ingested(data_set)
    embedder = get_embedder()
    with organization_scope(scope.organization_id):
        for title in {row.title for row in data_set.corpus}:
            collection, _created = Collection.objects.get_or_create(
                organization_id=scope.organization_id, name=title[:120]
            )
            Document.objects.filter(title=title[:300]).update(collection=collection)
        print("measured", collection_routing.measure(scope.organization_id, embedder.model_id), "collections")
        middles = {
            row.collection_id: np.asarray(row.vector) / np.linalg.norm(row.vector)
            for row in CollectionCentroid.objects.all()
        }
        homes = dict(Document.objects.values_list("pk", "collection_id"))
    of_row = {row_id: pk for pk, row_id in names.items()}
    step = max(1, len(data_set.queries) // options.questions) if options.questions else 1
    found: dict[str, dict[str, list[float]]] = {name: {"r1": [], "r10": [], "ms": []} for name in ("all", "routed")}
    places, cosines = [], []
    for query in data_set.queries[::step]:
        right = {of_row[row_id] for row_id, relevance in data_set.qrels[query.id].items() if relevance}
        vector = embedder.embed_query(query.text)
        nearness = {pk: float(vector @ middle) for pk, middle in middles.items()}
        home = homes[next(iter(right))]
        places.append(sorted(nearness.values(), reverse=True).index(nearness[home]))
        cosines.append(nearness[home])
        with organization_scope(scope.organization_id):
            for name, figures in found.items():
                config = replace(SearchConfig(), route_collections=name == "routed")
                search(query.text, scope, config)  # embeds the question
                started = time.perf_counter()
                result = search(query.text, scope, config)
                figures["ms"].append((time.perf_counter() - started) * 1000)
                ranking = [passage.document_id for passage in result.passages]
                figures["r1"].append(ranking[:1] == list(right)[:1])
                figures["r10"].append(bool(right & set(ranking[:10])))
    for name, figures in found.items():
        shares = f"recall@1 {mean(figures['r1']):.4f}, recall@10 {mean(figures['r10']):.4f}"
        print(f"{name}: n={len(places)} {shares}, {median(figures['ms']):.1f} ms")
    for limit in (1, 3, 5):
        print(f"right collection among the nearest {limit}: {mean(place < limit for place in places):.4f}")
    print(f"cosine with the right one: lowest {min(cosines):.3f}, 1 % {np.quantile(cosines, 0.01):.3f}")


if __name__ == "__main__":
    main()
