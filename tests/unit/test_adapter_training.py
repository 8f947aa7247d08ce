"""What the embedder's adapter is trained on and with, in small."""

import json
import random
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from transformers import BertConfig, BertModel

from benchmarks.adapter.losses import Encoded, any_of, numbered_units, unit_scores
from benchmarks.adapter.low_rank import Adapter, merged
from benchmarks.adapter.samples import (
    FIELDS,
    BatchSize,
    Passage,
    Question,
    Source,
    article_sources,
    drawn,
    everyday_sources,
    joined,
)


def test_every_everyday_question_points_to_a_sentence_of_its_passage() -> None:
    sources = everyday_sources()
    assert {source.field for source in sources} == set(FIELDS)
    for source in sources:
        assert source.questions
        for question in source.questions:
            passage = source.passages[question.passage]
            for unit in question.units:
                start, end = passage.units[unit]
                assert passage.text[start:end].strip()


def test_sentences_are_found_where_they_stand() -> None:
    text, spans = joined(["Se cierra a las dos. ", "Se abre a las dos."])
    assert text == "Se cierra a las dos. Se abre a las dos."
    assert [text[start:end] for start, end in spans] == ["Se cierra a las dos.", "Se abre a las dos."]


def test_items_of_a_list_keep_their_lines() -> None:
    text, spans = joined(["Hay que llevar:", "- botas", "- casco"])
    assert text.splitlines() == ["Hay que llevar:", "- botas", "- casco"]
    assert text[slice(*spans[2])] == "- casco"


def test_questions_that_nothing_answers_are_left_out(tmp_path: Path) -> None:
    row = {
        "manual": "Taller",
        "heading": "Horario",
        "sentences": ["Se abre a las ocho.", "Se cierra a las dos."],
        "questions": [{"q": "¿Cuándo echan la llave?", "s": 1}, {"q": "¿Y en agosto?", "s": -1}],
    }
    for field in FIELDS:
        (tmp_path / f"{field}.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    first = everyday_sources(tmp_path)[0]
    assert first.questions == (Question("¿Cuándo echan la llave?", 0, (1,)),)
    assert first.passages[0].head == "[Documento: Taller] [Sección: Taller > Horario]\n"


def test_odd_articles_and_every_fourth_even_one_are_left_out(tmp_path: Path) -> None:
    text = "El faro es de 1902. Lo guarda una familia."
    asked = {"question": "¿Quién lo cuida?", "answers": [{"answer_start": text.index("una"), "text": "una familia"}]}
    articles = [{"title": str(number), "paragraphs": [{"context": text, "qas": [asked]}]} for number in range(11)]
    file = tmp_path / "articles.json"
    file.write_text(json.dumps({"data": articles}), encoding="utf-8")
    sources = article_sources(file)
    assert [source.title for source in sources] == ["2", "4", "6", "10"]
    (unit,) = sources[0].questions[0].units
    assert text[slice(*sources[0].passages[0].units[unit])] == "Lo guarda una familia."


def test_a_batch_keeps_questions_with_their_passages() -> None:
    sources = [
        Source(
            "laws",
            name,
            tuple(Passage("", f"{name} {number}", ((0, 3),)) for number in range(5)),
            tuple(Question(f"¿{name} {number}?", number, (0,)) for number in range(5)),
        )
        for name in ("una", "dos", "tres")
    ]
    batch = drawn(sources, BatchSize(sources=2, passages=3, questions=2), random.Random(4))
    assert (len(batch.passages), len(batch.questions)) == (6, 4)
    for question in batch.questions:
        assert question.text == f"¿{batch.passages[question.passage].text}?"
    assert batch == drawn(sources, BatchSize(sources=2, passages=3, questions=2), random.Random(4))


def test_tokens_go_to_the_unit_they_begin_in_and_the_head_to_none() -> None:
    # Characters 0-3 are the head; units "abc" and "de" follow with a space between them.
    starts = torch.tensor([[0, 4, 7, 9, 0]])
    own = torch.tensor([[False, True, True, True, False]])
    found = Encoded(torch.empty(1, 2), torch.empty(1, 5, 2), own, starts)
    numbers, firsts = numbered_units(found, [[(0, 3), (4, 6)]], [4])
    assert numbers.tolist() == [[-1, 0, 1, 1, -1]]
    assert firsts == [0, 2]


def test_a_unit_scores_the_mean_of_each_tokens_best_cosine() -> None:
    one, other = [1.0, 0.0], [0.0, 1.0]
    asked = Encoded(
        torch.empty(1, 2), torch.tensor([[one, other, one]]), torch.tensor([[True, True, False]]), torch.empty(1, 3)
    )
    found = Encoded(torch.empty(1, 2), torch.tensor([[one, one, other]]), torch.tensor([[True] * 3]), torch.empty(1, 3))
    scores = unit_scores(asked, found, torch.tensor([[0, 1, 1]]), 2)
    assert scores.tolist() == [[0.5, 1.0]]


def test_any_of_several_right_units_will_do() -> None:
    logits = torch.tensor([[9.0, 0.0, 0.0]])
    for right in ([True, False, False], [True, True, False]):
        assert any_of(logits, torch.tensor([right])).item() < 0.01
    assert any_of(logits, torch.tensor([[False, True, True]])).item() > 5


@pytest.fixture
def tiny_model() -> BertModel:
    torch.manual_seed(1)
    config = BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=2, num_attention_heads=2, intermediate_size=12)
    return BertModel(config, add_pooling_layer=False).eval()


def test_merged_weights_give_what_the_adapters_give(tiny_model: BertModel, tmp_path: Path) -> None:
    ids = torch.tensor([[3, 5, 7, 2]])
    weights = {name: value.clone() for name, value in tiny_model.state_dict().items()}
    before = tiny_model(ids).last_hidden_state.detach()
    adapter = Adapter(tiny_model, rank=3, scale=2.0)
    assert torch.equal(tiny_model(ids).last_hidden_state, before)  # untrained, it changes nothing
    with torch.no_grad():
        for parameter in adapter.parameters:
            parameter.copy_(torch.randn_like(parameter).half() / 4)  # halves, so that saving rounds nothing
    taught = tiny_model(ids).last_hidden_state.detach()
    with adapter.switched_off():
        assert torch.equal(tiny_model(ids).last_hidden_state, before)
    file = tmp_path / "adapter.safetensors"
    adapter.save(file)
    saved = load_file(file)
    assert saved["encoder.layer.1.intermediate.dense.down"].shape == (3, 8)
    assert saved["encoder.layer.1.intermediate.dense.up"].shape == (12, 3)
    assert len(saved) == 2 * 2 * 6

    plain = BertModel(tiny_model.config, add_pooling_layer=False).eval()
    plain.load_state_dict(merged(weights, saved))
    assert not torch.allclose(taught, before, atol=1e-3)
    torch.testing.assert_close(plain(ids).last_hidden_state, taught, atol=1e-5, rtol=1e-4)


def test_only_the_adapters_learn(tiny_model: BertModel) -> None:
    adapter = Adapter(tiny_model, rank=2)
    trained = {id(parameter) for parameter in tiny_model.parameters() if parameter.requires_grad}
    assert trained == {id(parameter) for parameter in adapter.parameters}
