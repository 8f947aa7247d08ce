"""What the embedder's adapter is trained on and with, in small."""

import json
import math
import random
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from transformers import BertConfig, BertModel

from benchmarks.adapter.losses import (
    Answerability,
    Encoded,
    Losses,
    Weighing,
    any_of,
    balanced_loss,
    best_of_own,
    numbered_units,
    share_higher,
    unit_passages,
    unit_scores,
)
from benchmarks.adapter.low_rank import Adapter
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
from benchmarks.adapter.train import rate_share, show, train
from skillnet.embedded.adapter import merged


def test_every_everyday_question_points_to_a_sentence_of_its_passage() -> None:
    sources = everyday_sources()
    assert {source.field for source in sources} == set(FIELDS)
    for source in sources:
        assert source.questions
        assert {miss.passage for miss in source.near_misses} == set(range(len(source.passages)))
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


def test_questions_that_nothing_answers_are_near_misses(tmp_path: Path) -> None:
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
    assert first.near_misses == (Question("¿Y en agosto?", 0, ()),)
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


@pytest.fixture
def sources() -> list[Source]:
    return [
        Source(
            "laws",
            name,
            tuple(Passage("", f"{name} {number}", ((0, 3),)) for number in range(5)),
            tuple(Question(f"¿{name} {number}?", number, (0,)) for number in range(5)),
            tuple(Question(f"¿{name} {number}?", number, ()) for number in range(5)),
        )
        for name in ("una", "dos", "tres")
    ]


def test_a_batch_keeps_questions_with_their_passages(sources: list[Source]) -> None:
    batch = drawn(sources, BatchSize(sources=2, passages=3, questions=2), random.Random(4))
    assert (len(batch.passages), len(batch.questions)) == (6, 4)
    for question in batch.questions:
        assert question.units
        assert question.text == f"¿{batch.passages[question.passage].text}?"
    assert batch == drawn(sources, BatchSize(sources=2, passages=3, questions=2), random.Random(4))


def test_a_batch_has_half_as_many_near_misses_to_the_passages_of_each_source(sources: list[Source]) -> None:
    size = BatchSize(sources=2, passages=3, questions=2)
    batch = drawn(sources, size, random.Random(4), random.Random(5))
    misses = [question for question in batch.questions if not question.units]
    assert [batch.sources[miss.passage] for miss in misses] == [0, 1]
    for miss in misses:
        assert miss.text == f"¿{batch.passages[miss.passage].text}?"
    for passage, source in zip(batch.passages, batch.sources, strict=True):
        assert passage.text.split()[0] == batch.passages[source * 3].text.split()[0]

    without = drawn(sources, size, random.Random(4))
    assert batch.passages == without.passages
    assert tuple(question for question in batch.questions if question.units) == without.questions


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


def test_units_are_known_by_their_passages() -> None:
    assert unit_passages([0, 2, 2, 5]).tolist() == [0, 0, 2, 2, 2]


def test_the_best_unit_is_looked_for_in_the_questions_own_source() -> None:
    scores = torch.tensor([[0.2, 0.4, 0.9], [0.2, 0.4, 0.3]])
    best = best_of_own(scores, torch.tensor([0, 0, 1]), torch.tensor([0, 1]))
    assert best.tolist() == pytest.approx([0.4, 0.3])


def test_a_score_at_the_threshold_may_or_may_not_have_an_answer() -> None:
    logits = Answerability(threshold=0.5, log_sharpness=math.log(10))(torch.tensor([0.5, 0.6, 0.3]))
    assert logits.tolist() == pytest.approx([0.0, 1.0, -2.0], abs=1e-5)


def test_the_few_without_an_answer_weigh_as_much_as_the_many_with_one() -> None:
    has_answer = torch.tensor([True, True, True, False])
    all_answered, none_answered = torch.full((4,), 3.0), torch.full((4,), -3.0)
    wrong = balanced_loss(all_answered, has_answer)
    assert wrong.item() == pytest.approx(balanced_loss(none_answered, has_answer).item())
    assert balanced_loss(torch.where(has_answer, all_answered, none_answered), has_answer) < wrong / 10


def test_pairs_that_scores_tell_apart_are_counted() -> None:
    has_answer = torch.tensor([True, False, True, False])
    assert share_higher(torch.tensor([0.9, 0.5, 0.4, 0.1]), has_answer).item() == 0.75


def test_only_batches_with_near_misses_count_for_their_figures(capsys: pytest.CaptureFixture[str]) -> None:
    one, two = torch.tensor(1.0), torch.tensor(2.0)
    without = Losses(one, one, one, one, one)
    with_misses = Losses(one, one, one, one, one, miss=two, answered_higher=one)
    weighing = Weighing(keeping=2.0, misses=0.5)
    assert (without.total(weighing).item(), with_misses.total(weighing).item()) == (4.0, 5.0)
    show("both", [without.figures(), with_misses.figures()])
    show("neither", [without.figures()])
    both, neither = capsys.readouterr().out.splitlines()
    assert "miss 2.0000" in both
    assert "miss" not in neither


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
    whole = merged(
        {name: weight.numpy() for name, weight in weights.items()}, {name: part.numpy() for name, part in saved.items()}
    )
    plain.load_state_dict({name: torch.from_numpy(weight) for name, weight in whole.items()})
    assert not torch.allclose(taught, before, atol=1e-3)
    torch.testing.assert_close(plain(ids).last_hidden_state, taught, atol=1e-5, rtol=1e-4)


def test_an_adapter_goes_on_from_its_file(tiny_model: BertModel, tmp_path: Path) -> None:
    base = BertModel(tiny_model.config, add_pooling_layer=False).eval()
    base.load_state_dict(tiny_model.state_dict())
    ids = torch.tensor([[3, 5, 7, 2]])
    first = Adapter(tiny_model, rank=3, scale=2.0)
    with torch.no_grad():
        for parameter in first.parameters:
            parameter.copy_(torch.randn_like(parameter).half() / 4)
    first.save(tmp_path / "first.safetensors")
    second = Adapter(base, rank=3, scale=4.0)
    second.load(tmp_path / "first.safetensors")
    torch.testing.assert_close(base(ids).last_hidden_state, tiny_model(ids).last_hidden_state, atol=1e-5, rtol=1e-4)
    second.save(tmp_path / "second.safetensors")
    assert (tmp_path / "second.safetensors").read_bytes() == (tmp_path / "first.safetensors").read_bytes()

    other = Adapter(BertModel(tiny_model.config, add_pooling_layer=False), rank=2)
    with pytest.raises(ValueError, match=r"first\.safetensors"):
        other.load(tmp_path / "first.safetensors")
    (tmp_path / "cut.safetensors").write_bytes((tmp_path / "first.safetensors").read_bytes()[:100])
    with pytest.raises(ValueError, match=r"cut\.safetensors"):
        second.load(tmp_path / "cut.safetensors")


def test_training_may_stop_before_its_rate_is_zero(tiny_model: BertModel) -> None:
    adapter = Adapter(tiny_model, rank=2)
    optimizer = torch.optim.SGD(adapter.parameters, lr=1.0)
    steps: list[int] = []
    checkpoints: list[int] = []

    def losses_of(step: int) -> Losses:
        steps.append(step)
        loss = torch.stack([parameter.square().sum() for parameter in adapter.parameters]).sum()
        return Losses(loss, loss, loss, loss, loss)

    train(
        adapter,
        optimizer,
        losses_of,
        Weighing(),
        steps=40,
        last=20,
        checkpoint=lambda: checkpoints.append(len(steps)),
    )
    assert steps == list(range(20))
    assert checkpoints == [20]
    assert optimizer.param_groups[0]["lr"] == pytest.approx(rate_share(20, 40)) == 0.5


def test_only_the_adapters_learn(tiny_model: BertModel) -> None:
    adapter = Adapter(tiny_model, rank=2)
    trained = {id(parameter) for parameter in tiny_model.parameters() if parameter.requires_grad}
    assert trained == {id(parameter) for parameter in adapter.parameters}
