from dataclasses import replace

from retrieval.types import SearchConfig


def test_equal_settings_have_equal_fingerprints_and_every_field_counts():
    config = SearchConfig()
    assert config.fingerprint() == SearchConfig().fingerprint()
    changes = {
        "mode": "vector",
        "rerank": "none",
        "alpha": 0.6,
        "candidates": 31,
        "rrf_k": 61,
        "rrf_strength": 0.1,
        "reranked": 31,
        "rerank_weight": 0.5,
        "diversity": True,
        "top_k": 9,
        "advanced": True,
        "confidence_offset": 0.1,
        "minimum_sources": 2,
        "cache_days": 1,
    }
    assert set(changes) <= set(SearchConfig.__dataclass_fields__)
    prints = {replace(config, **{name: value}).fingerprint() for name, value in changes.items()}
    assert len(prints | {config.fingerprint()}) == len(changes) + 1
