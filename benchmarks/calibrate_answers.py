"""Learn which sentence answers and how sure an answer may be, from questions put to real manuals.

    python benchmarks/calibrate_answers.py --ask ORG FILE.jsonl [--ask ORG FILE.jsonl …] [--refusal DIR …]
        [--weigh NAME WEIGHT …] [--cache FILE] [--write]

Each line of a file holds `question`, `answerable` and, where there is an answer, the `doc` and the words (`quote`) that
answer. DIR holds questions with and without an answer among the paragraphs of an encyclopaedia, in BEIR layout: without
them the confidence comes to rest on headings, which such texts lack. Half of the questions, chosen by a hash of their
words, are learned from; on the other half figures are reported. Questions whose passages answering cannot read closely,
as those in a language that no document has, are left out. Searching is what takes time: with --cache its signals are
kept in a file, for one model and one list of files, and from there a new fit takes seconds. With --weigh the questions
of a file or folder (by its name without ending) count other than 1 in the confidence; for the threshold those of all
files count alike, and those of folders not at all. Prints the weights of tutor/weights.py; --write puts the calibration
named "answer" into retrieval/calibration.json, for the configured model: ask organizations that are searched with it.
"""

import argparse
import json
import os
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import django
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")
django.setup()

from benchmarks.asking import Asked, asked, asked_of_paragraphs  # noqa: E402 - Django has to be set up first
from benchmarks.judging import folded, is_reported  # noqa: E402
from retrieval.calibration import FILE, write_calibrations  # noqa: E402
from retrieval.evaluation.refusal import area_under_curve  # noqa: E402
from skillnet.backends import get_embedder  # noqa: E402
from tutor.evidence import ANSWER_SIGNALS, SEARCH_SIGNALS, lead_of  # noqa: E402
from tutor.reading import is_readable  # noqa: E402
from tutor.scoring import support_of  # noqa: E402
from tutor.weights import LEARNED  # noqa: E402

Values = NDArray[np.float64]
RIDGE = 0.01  # of the units' weights, on standardized signals
REGULARIZATION = 1.0  # scikit-learn's C, of the confidence
REFUSED_WRONGLY = 0.08  # the threshold refuses at most this share of the answerable questions to manuals, however asked


@dataclass(frozen=True)
class Sample:
    """A question, its file's name, the signals of its search and of each unit read, and which units answer it.

    `scores` are the units' as answering ranks them: by the weights and by what is set by hand; `lead` is that of the
    best of them.
    """

    question: str
    file: str
    is_answerable: bool
    search: Mapping[str, float]
    units: Sequence[Mapping[str, float]]
    scores: Sequence[float]
    lead: float
    answers: Sequence[bool]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ask", nargs=2, action="append", default=[], metavar=("ORG", "FILE.jsonl"))
    parser.add_argument("--refusal", action="append", default=[], type=Path, metavar="DIR")
    parser.add_argument("--weigh", nargs=2, action="append", default=[], metavar=("NAME", "WEIGHT"))
    parser.add_argument("--cache", type=Path, metavar="FILE")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    what = {"model": get_embedder().model_id, "ask": arguments.ask, "refusal": list(map(str, arguments.refusal))}
    if arguments.cache and arguments.cache.exists():
        kept = json.loads(arguments.cache.read_text(encoding="utf-8"))
        if kept["what"] != what:
            parser.error(f"{arguments.cache} holds other searches: {kept['what']}")
        samples = [Sample(**sample) for sample in kept["samples"]]
    else:
        given = [(Path(file).stem, asked(slug, Path(file))) for slug, file in arguments.ask]
        given += [(folder.name, asked_of_paragraphs(folder)) for folder in arguments.refusal]
        samples = [
            sample_of(one, name)
            for name, questions in given
            for one in questions
            if is_readable(one.result) and one.reading.choices
        ]
        if arguments.cache:
            content = {"what": what, "samples": [asdict(sample) for sample in samples]}
            arguments.cache.write_text(json.dumps(content), encoding="utf-8")
    weights = {name: float(weight) for name, weight in arguments.weigh}
    calibration = learn(samples, weights, [folder.name for folder in arguments.refusal])
    if arguments.write:
        write_calibrations(get_embedder().model_id, {"answer": calibration})
        print(f"written: {FILE}")


def learn(
    samples: Sequence[Sample], file_weights: Mapping[str, float], paragraphs: Collection[str]
) -> dict[str, object]:
    """Fit on the one half, print figures of both, and return the calibration. `paragraphs` names the folders."""
    tuned = [sample for sample in samples if not is_reported(sample.question)]
    reported = [sample for sample in samples if is_reported(sample.question)]
    names = list(LEARNED)
    weights = _fitted_weights([sample for sample in tuned if any(sample.answers)], names)
    print("weights:", json.dumps(dict(zip(names, weights.round(2).tolist(), strict=True)), indent=2))
    for name, half in (("tuned", tuned), ("reported", reported)):
        for label, values in (("shipped", np.array(list(LEARNED.values()))), ("learned", weights)):
            print(f"{name}, {label}: {_shares(half, names, values)}")
    signals = [*SEARCH_SIGNALS, *ANSWER_SIGNALS]
    rows = {name: _evidence(half, signals) for name, half in (("tuned", tuned), ("reported", reported))}
    calibration = _fitted_confidence(rows["tuned"], tuned, signals, file_weights, paragraphs)
    for name, half in (("tuned", tuned), ("reported", reported)):
        for label, is_weighed in (("", False), (", weighed files", True)):
            chosen = [at for at, sample in enumerate(half) if (sample.file in file_weights) == is_weighed]
            if chosen:
                of_files = [half[at] for at in chosen]
                _report(name + label, of_files, rows[name][chosen], calibration)
    return calibration


def sample_of(one: Asked, file: str) -> Sample:
    """What a question's search and reading say, with the units marked that hold the words which answer."""
    row, reading = one.row, one.reading
    wanted = set(folded(str(row.get("quote") or "")).split())
    answers = []
    for choice in reading.choices:
        passage = reading.passages[choice.passage]
        words = set(folded(support_of(passage, choice.unit) + choice.unit.text).split())
        answers.append(one.is_from_right_document(passage) and len(wanted & words) >= 0.7 * len(wanted))
    return Sample(
        question=str(row["question"]),
        file=file,
        is_answerable=bool(row["answerable"]),
        search=dict(one.result.trace["signals"]),
        units=[dict(choice.signals) for choice in reading.choices],
        scores=[choice.score for choice in reading.choices],
        lead=lead_of(reading.choices),
        answers=answers,
    )


def _matrix(sample: Sample, names: Sequence[str]) -> Values:
    return np.array([[unit[name] for name in names] for unit in sample.units])


def _fitted_weights(samples: Sequence[Sample], names: Sequence[str]) -> Values:
    """The weights under which the units that answer are likeliest, by a softmax over each question's units."""
    matrices = [_matrix(sample, names) for sample in samples]
    marks = [np.array(sample.answers) for sample in samples]
    everything = np.vstack(matrices)
    mean, deviation = everything.mean(axis=0), everything.std(axis=0) + 1e-9
    scaled = [(matrix - mean) / deviation for matrix in matrices]

    def loss(weights: Values) -> tuple[float, Values]:
        total, gradient = 0.0, np.zeros_like(weights)
        for matrix, mark in zip(scaled, marks, strict=True):
            scores = matrix @ weights
            shares = np.exp(scores - scores.max())
            shares /= shares.sum()
            right = shares[mark].sum() + 1e-12
            total -= float(np.log(right))
            gradient -= matrix.T @ (np.where(mark, shares / right, 0.0) - shares)
        count = len(scaled)
        return total / count + RIDGE * float(weights @ weights) / 2, gradient / count + RIDGE * weights

    found: Values = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B").x
    return found / deviation


def _best(sample: Sample, names: Sequence[str], weights: Values) -> list[int]:
    return [int(at) for at in np.argsort(-(_matrix(sample, names) @ weights), kind="stable")]


def _shares(samples: Sequence[Sample], names: Sequence[str], weights: Values) -> str:
    """How often a unit that answers comes first, or among the first three, of the questions where one was read."""
    can = [sample for sample in samples if any(sample.answers)]
    first = [[sample.answers[at] for at in _best(sample, names, weights)[:3]] for sample in can]
    return (
        f"of {len(can)} first {np.mean([one[0] for one in first]):.3f}, in three {np.mean([any(o) for o in first]):.3f}"
    )


def _evidence(samples: Sequence[Sample], signals: Sequence[str]) -> Values:
    """The signals of each question's search and of the unit that answering would put first."""
    rows = []
    for sample in samples:
        best = sample.units[int(np.argmax(sample.scores))]
        found = {**sample.search, **best, "strength": max(sample.scores), "lead": sample.lead}
        rows.append([found.get(name, 0.0) for name in signals])
    return np.array(rows)


def _fitted_confidence(
    rows: Values,
    samples: Sequence[Sample],
    signals: Sequence[str],
    file_weights: Mapping[str, float],
    paragraphs: Collection[str],
) -> dict[str, object]:
    answerable = np.array([sample.is_answerable for sample in samples])
    counts = np.array([file_weights.get(sample.file, 1.0) for sample in samples])
    # Questions with an answer weigh as much as those without, whatever the share of either.
    balanced = counts / np.where(answerable, counts[answerable].sum(), counts[~answerable].sum()) * counts.sum() / 2
    mean, deviation = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    model = LogisticRegression(C=REGULARIZATION, max_iter=2_000)
    model.fit((rows - mean) / deviation, answerable, sample_weight=balanced)
    weights = model.coef_[0] / deviation
    intercept = float(model.intercept_[0] - weights @ mean)
    decides = answerable & np.array([sample.file not in paragraphs for sample in samples])
    return {
        "coefficients": {name: round(float(weight), 4) for name, weight in zip(signals, weights, strict=True)},
        "intercept": round(intercept, 4),
        "threshold": round(float(np.quantile(_confidences(rows[decides], weights, intercept), REFUSED_WRONGLY)), 2),
    }


def _confidences(rows: Values, weights: Values, intercept: float) -> Values:
    confidences: Values = 1 / (1 + np.exp(-(rows @ weights + intercept)))
    return confidences


def _report(
    name: str,
    samples: Sequence[Sample],
    rows: Values,
    calibration: Mapping[str, object],
) -> None:
    coefficients = calibration["coefficients"]
    assert isinstance(coefficients, dict)
    confidences = _confidences(rows, np.array(list(coefficients.values())), float(str(calibration["intercept"])))
    answerable = np.array([sample.is_answerable for sample in samples])
    refused = confidences < float(str(calibration["threshold"]))
    of_answerable, of_others = refused[answerable].mean(), refused[~answerable].mean()
    print(
        f"{name}: AUC {area_under_curve(list(answerable), list(confidences)):.4f}; under {calibration['threshold']} "
        f"refused of the answerable {of_answerable:.3f}, of the others {of_others:.3f}"
    )
    right = np.array(
        [
            any(sample.answers[at] for at in np.argsort(-np.array(sample.scores), kind="stable")[:3])
            for sample in samples
        ]
    )
    for clear in (0.6, 0.7, 0.8, 0.85, 0.9, 0.95):
        shown = confidences >= clear
        unanswerable, wrong = (shown & ~answerable).sum(), (shown & ~right).sum()
        count = max(1, shown.sum())
        print(
            f"  clear from {clear}: {shown.mean():.3f} of the questions, of them without an answer "
            f"{unanswerable / count:.3f}, without the right words {wrong / count:.3f}"
        )


if __name__ == "__main__":
    main()
