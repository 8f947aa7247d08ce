"""What is learned of a model counts for that model alone."""

import json
from pathlib import Path

import pytest

from retrieval import calibration
from retrieval.calibration import calibration_for, write_calibrations
from skillnet.embedded.weights import MODEL_NAME, PLAIN_NAME
from tutor.prepared.matching import UNKNOWN, calibration_of

KINDS = ("late_interaction", "hybrid", "vector", "meaning", "answer")


@pytest.fixture
def own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "calibration.json"
    file.write_text(calibration.FILE.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(calibration, "FILE", file)
    calibration._file.cache_clear()
    yield file
    calibration._file.cache_clear()


@pytest.mark.parametrize("model", [MODEL_NAME, PLAIN_NAME])
@pytest.mark.parametrize("kind", KINDS)
def test_both_bundled_models_have_one_of_each_kind(model: str, kind: str) -> None:
    assert calibration_for(model, kind) != calibration_for(None, "keyword")
    assert calibration_of(model).threshold is not None


@pytest.mark.parametrize("kind", KINDS)
def test_of_another_model_words_alone_tell(kind: str) -> None:
    assert calibration_for("another", kind) == calibration_for(None, "keyword")
    assert calibration_of("another") == UNKNOWN


def test_what_is_learned_takes_the_place_of_its_kind_alone(own_file: Path) -> None:
    learned = {"coefficients": {"cosine": 1.0}, "intercept": -1.0, "threshold": 0.5}
    before = json.loads(own_file.read_text(encoding="utf-8"))
    write_calibrations("another", {"answer": learned})
    after = json.loads(own_file.read_text(encoding="utf-8"))
    assert after["models"].pop("another") == {"answer": learned}
    assert after == before
    assert calibration_for("another", "answer").threshold == 0.5
