"""Questions gathered by what they ask about. Pure."""

import numpy as np

from skillnet.backends.protocols import Vector


def grouped(vectors: Vector, distance: float) -> list[list[int]]:
    """Indices of unit vectors in groups of one topic, in each the nearest to its middle first.

    Two groups become one while their vectors lie, on average, no further than this cosine distance from each other.
    """
    if len(vectors) < 2:
        return [[index] for index in range(len(vectors))]
    from sklearn.cluster import AgglomerativeClustering  # takes a second to import: only who groups pays

    clustering = AgglomerativeClustering(
        n_clusters=None, metric="cosine", linkage="average", distance_threshold=distance
    )
    labels = clustering.fit_predict(vectors)
    groups = []
    for label in dict.fromkeys(labels.tolist()):
        members = np.flatnonzero(labels == label)
        middle = vectors[members].mean(axis=0)
        groups.append([int(index) for index in members[np.argsort(-(vectors[members] @ middle), kind="stable")]])
    return groups
