"""How well an embedding model ranks passages for questions in everyday words: before and after it was taught.

    python benchmarks/adapter/rank.py [--model FOLDER | NAME] [--hold FIELD] [--files DIR]

Prints recall@1, recall@10 and MRR@10 by the cosine of the whole vectors and by late interaction, over token vectors as
they are stored: of a field's questions among the passages of all of benchmarks/data/everyday; and, with --files, of
benchmarks/data/paraphrased_questions.jsonl by kind, among the chunks of the documents that their set names. A set of
which DIR does not hold every document is named and left out. No database is asked. Without --model, the bundled one.
"""

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "skillnet.settings.development")
django.setup()

from benchmarks.adapter.samples import FIELDS, Source, everyday_sources  # noqa: E402 - Django has to be set up first
from benchmarks.judging import folded  # noqa: E402
from documents.chunking import ChunkSettings, chunk_blocks  # noqa: E402
from documents.parsing import parse  # noqa: E402
from documents.titles import below_letterhead  # noqa: E402
from documents.token_vectors import decode, encode  # noqa: E402
from retrieval.evaluation.judging import RIGHT, judged_ranking  # noqa: E402
from retrieval.evaluation.runs import measured  # noqa: E402
from retrieval.late_interaction import interactions  # noqa: E402
from skillnet.backends.protocols import Embedder, Vector  # noqa: E402
from skillnet.backends.sentence_transformer import LocalEmbedder  # noqa: E402

QUESTIONS = ROOT / "benchmarks" / "data" / "paraphrased_questions.jsonl"
ENOUGH_WORDS = 0.95  # of those that answer, in the chunk
SHOWN = ("recall@1", "recall@10", "mrr@10")
DEPTH = 10  # places of a ranking that the figures look at
EMBEDDED_AT_ONCE = 64
NOT_COMPARED = -1.0  # a passage without token vectors comes last


@dataclass(frozen=True, slots=True)
class Text:
    """A passage with what stands before it when it is embedded, and the file it is from."""

    head: str
    text: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the places, among the texts it is put to, of those that answer it."""

    kind: str
    question: str
    right: frozenset[int]


@dataclass(frozen=True, slots=True)
class Index:
    """Texts as search has them: one vector each, and token vectors in their stored form, read back."""

    vectors: Vector
    tokens: Sequence[Vector]


Ranker = Callable[[Index, Vector, Vector], Vector]  # index, question's vector, its tokens -> scores of all texts


def by_cosine(index: Index, vector: Vector, tokens: Vector) -> Vector:
    return index.vectors @ vector


def by_late_interaction(index: Index, vector: Vector, tokens: Vector) -> Vector:
    found = interactions(tokens, index.tokens)
    return np.array([one.score if one else NOT_COMPARED for one in found], np.float32)


RANKERS: Mapping[str, Ranker] = {"cosine": by_cosine, "late interaction": by_late_interaction}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="", help="folder or name of a sentence-transformers model")
    parser.add_argument("--hold", choices=FIELDS, default=FIELDS[-1], help="field whose questions are asked")
    parser.add_argument("--files", type=Path, metavar="DIR", help="the public documents that were asked about")
    options = parser.parse_args()
    embedder = LocalEmbedder(options.model)
    print(f"{embedder.model_id}: " + ", ".join(SHOWN))
    texts, asked = everyday_questions(everyday_sources(), options.hold)
    show(f"everyday, {options.hold}", ranked(embedder, texts, asked))
    if options.files:
        rankings: dict[str, list[Rankings]] = defaultdict(list)
        for number, rows in question_sets().items():
            missing = sorted({row["doc"] for row in rows if not (options.files / row["doc"]).is_file()})
            if missing:
                print(f"set {number} is left out: {', '.join(missing)} missing")
                continue
            texts, asked = document_questions(embedder, options.files, rows)
            for one, found in zip(asked, ranked(embedder, texts, asked), strict=True):
                rankings[one.kind].append(found)
        for kind, of_kind in sorted(rankings.items()):
            show(kind, of_kind)


Rankings = Mapping[str, Sequence[str]]  # ranker -> one question's ranking


def everyday_questions(sources: Sequence[Source], field: str) -> tuple[list[Text], list[Asked]]:
    """The passages of all sources, and the questions of those of one field."""
    texts: list[Text] = []
    asked: list[Asked] = []
    for source in sources:
        if source.field == field:
            asked += [Asked(field, one.text, frozenset([len(texts) + one.passage])) for one in source.questions]
        texts += [Text(passage.head, passage.text) for passage in source.passages]
    return texts, asked


def question_sets() -> dict[int, list[dict[str, Any]]]:
    """The rows that have an answer, by the number of the documents that are searched together."""
    sets: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for line in QUESTIONS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["answerable"]:
            sets[row["set"]].append(row)
    return sets


def document_questions(
    embedder: Embedder, folder: Path, rows: Sequence[dict[str, Any]]
) -> tuple[list[Text], list[Asked]]:
    """The chunks of the documents that the rows name, and the questions whose words stand in one of them."""
    texts = [text for name in sorted({row["doc"] for row in rows}) for text in chunks_of(embedder, folder / name)]
    words = [set(folded(text.text).split()) for text in texts]
    asked: list[Asked] = []
    for row in rows:
        wanted = set(folded(row["quote"]).split())
        enough = ENOUGH_WORDS * len(wanted)
        right = frozenset(
            at for at, text in enumerate(texts) if text.file == row["doc"] and len(wanted & words[at]) >= enough
        )
        if right:
            asked.append(Asked(row["kind"], row["question"], right))
        else:
            print(f"left out, its words are in no chunk: {row['question']}")
    return texts, asked


def chunks_of(embedder: Embedder, file: Path) -> Iterator[Text]:
    """A document cut as the product does it by default."""
    document = parse(file)
    drafts = chunk_blocks(
        document.blocks,
        title=below_letterhead(document.title, document.blocks) or file.stem,
        language=document.language or "es",
        count_tokens=embedder.count_tokens,
        settings=ChunkSettings(max_tokens=embedder.max_tokens),
    )
    for draft in drafts:
        yield Text(draft.meaning_text.removesuffix(draft.text), draft.text, file.name)


def ranked(embedder: Embedder, texts: Sequence[Text], asked: Sequence[Asked]) -> list[Rankings]:
    """Each question's rankings; what is right is named so."""
    index = indexed(embedder, texts)
    rankings: list[Rankings] = []
    for one in asked:
        question = embedder.embed_query_with_tokens(one.question)
        rankings.append(
            {
                name: _named(ranker(index, question.vector, question.tokens), one.right)
                for name, ranker in RANKERS.items()
            }
        )
    return rankings


def indexed(embedder: Embedder, texts: Sequence[Text]) -> Index:
    """The texts' vectors, batch by batch: all tokens of many texts as floats would fill the memory."""
    vectors: list[Vector] = []
    tokens: list[Vector] = []
    for start in range(0, len(texts), EMBEDDED_AT_ONCE):
        batch = texts[start : start + EMBEDDED_AT_ONCE]
        embeddings = embedder.embed_passages_with_tokens([text.head + text.text for text in batch])
        for text, embedding in zip(batch, embeddings, strict=True):
            vectors.append(embedding.vector)
            tokens.append(decode(encode(embedding, offset=len(text.head)), embedder.dimensions).vectors)
    return Index(np.stack(vectors), tokens)


def _named(scores: Vector, right: frozenset[int]) -> list[str]:
    order = np.argsort(-scores, kind="stable").tolist()
    return judged_ranking([place in right for place in order], [str(place) for place in order])[:DEPTH]


def show(label: str, rankings: Sequence[Rankings]) -> None:
    qrels = {str(number): {RIGHT: 1} for number in range(len(rankings))}
    for ranker in RANKERS:
        means, _each = measured(qrels, {str(number): found[ranker] for number, found in enumerate(rankings)})
        print(f"{label:22} {len(rankings):4} {ranker:17}", *(f"{means[name]:.3f}" for name in SHOWN), flush=True)


if __name__ == "__main__":
    main()
