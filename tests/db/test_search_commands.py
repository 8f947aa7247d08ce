"""`search` and `evaluate` as they are called from the command line."""

import io
import json
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command

from courses.models import Course
from retrieval.calibration import calibration_for
from retrieval.models import SettingsOverride
from skillnet.backends import get_embedder
from skillnet.models import Classification
from skillnet.tenancy import organization_scope
from tests.factories import make_document
from tutor import own_words

pytestmark = pytest.mark.django_db


def run(*arguments):
    output = io.StringIO()
    call_command(*arguments, "--json", stdout=output)
    return json.loads(output.getvalue())


@pytest.fixture
def manual(organization):
    return make_document(organization, "Horno", "# Limpieza\n[p3]\nEl horno se limpia cada noche con agua templada.")


def test_a_hit_tells_where_it_stands(organization, manual):
    [result] = run("search", "limpiar el horno", "--org", "acme")["results"]
    [hit] = result["hits"]
    assert hit["document_id"] == str(manual.pk)
    assert (hit["rank"], hit["document"], hit["version"], hit["page_start"]) == (1, "Horno", 1, 3)
    assert hit["heading_path"] == ["Limpieza"]
    assert hit["legs"] == ["keyword", "semantic"]
    assert set(result) >= {"question", "confidence", "evidence", "language", "rung", "timings_ms"}


@pytest.mark.parametrize(
    ("flags", "is_found"),
    [
        (("--section", "limpieza"), True),
        (("--section", "Limpieza > Horno"), False),
        (("--section", "Turnos", "--section", "Limpieza"), True),
        (("--language", "es"), True),
        (("--language", "de"), False),
        (("--tag", "cocina"), True),
        (("--tag", "cocina", "--tag", "sala"), False),
        (("--document-since", "2024-05-02", "--document-until", "2024-05-02"), True),
        (("--document-until", "2024-05-01"), False),
        (("--media-type", "text/plain"), True),
        (("--media-type", "application/pdf"), False),
        (("--until", "2001-01-01"), False),
    ],
)
def test_flags_limit_what_is_searched(organization, manual, flags, is_found):
    with organization_scope(organization.pk):
        type(manual).objects.filter(pk=manual.pk).update(tags=["cocina"], document_date="2024-05-02")
    [result] = run("search", "limpiar el horno", "--org", "acme", *flags)["results"]
    assert bool(result["hits"]) is is_found


def test_each_line_of_a_file_is_a_question(organization, manual, tmp_path):
    path = tmp_path / "questions.jsonl"
    path.write_text('{"question": "horno"}\n\n{"question": "agua", "id": 7}\n', encoding="utf-8")
    results = run("search", "--questions", str(path), "--org", "acme")["results"]
    assert [result["question"] for result in results] == ["horno", "agua"]


def test_a_line_ends_at_its_line_break_only(organization, manual, tmp_path):
    path = tmp_path / "questions.jsonl"
    path.write_text('{"question": "horno\u2028agua\x85fría"}\n{"question": "tres"}\n', encoding="utf-8")
    results = run("search", "--questions", str(path), "--org", "acme")["results"]
    assert [result["question"] for result in results] == ["horno\u2028agua\x85fría", "tres"]


@pytest.mark.parametrize("command", ["search", "ask"])
@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"q": "horno"}',
        "3",
        '{"question": 3}',
        r'{"question": "a\u0000"}',
        r'{"question": "\ud800"}',
        "[" * 9**5,
    ],
)
def test_a_bad_line_is_named(organization, tmp_path, command, line):
    path = tmp_path / "questions.jsonl"
    path.write_text('{"question": "horno"}\n' + line, encoding="utf-8")
    with pytest.raises(CommandError, match="línea 2") as failure:
        run(command, "--questions", str(path), "--org", "acme")
    assert failure.value.returncode == 1


@pytest.mark.parametrize("command", ["search", "ask"])
def test_a_file_that_is_no_text_is_a_failure(organization, tmp_path, command):
    path = tmp_path / "questions.jsonl"
    path.write_bytes(b"\xff\xfe{")
    with pytest.raises(CommandError, match="UTF-8"):
        run(command, "--questions", str(path), "--org", "acme")


@pytest.mark.parametrize("command", ["search", "ask"])
def test_a_course_one_may_not_open_does_not_exist(organization, manual, employee_membership, command):
    with organization_scope(organization.pk):
        Course.objects.create(organization=organization, title="Borrador", slug="borrador")
    arguments = (command, "horno", "--org", "acme", "--course", "borrador")
    with pytest.raises(CommandError, match="no puede abrirlo") as failure:
        run(*arguments, "--user", employee_membership.user.email)
    assert failure.value.returncode == 1
    run(*arguments)  # as the organization's administration


@pytest.mark.parametrize(
    "arguments",
    [
        ("--document", "999999"),
        ("--document", "abc"),
        ("--document", "9" * 40),
        ("--document", "-1"),
        ("--collection", "Nada"),
        ("--course", "nada"),
        ("--user", "nadie@acme.example"),
        ("--questions", "/no/existe.jsonl"),
    ],
)
def test_what_does_not_exist_is_a_failure(organization, manual, arguments):
    question = () if arguments[0] == "--questions" else ("horno",)
    with pytest.raises(CommandError) as failure:
        run("search", *question, "--org", "acme", *arguments)
    assert failure.value.returncode == 1


def test_a_document_of_another_organization_does_not_exist(organization, other_organization, manual):
    theirs = make_document(other_organization, "Ajeno", "# Horno\nEl horno.")
    with pytest.raises(CommandError, match="No existe el documento"):
        run("search", "horno", "--org", "acme", "--document", str(theirs.pk))
    assert run("search", "horno", "--org", "acme", "--document", str(manual.pk))["results"][0]["hits"]


def test_a_document_one_may_not_read_does_not_exist(organization, employee_membership):
    secret = make_document(organization, "Salarios", "# Horno\nEl horno.", classification=Classification.CONFIDENTIAL)
    user = employee_membership.user.email
    assert run("search", "horno", "--org", "acme", "--user", user)["results"][0]["hits"] == []
    with pytest.raises(CommandError, match="No existe el documento"):
        run("search", "horno", "--org", "acme", "--user", user, "--document", str(secret.pk))


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("horno", "--questions", "x.jsonl"),
        ("horno", "--top-k", "0"),
        ("horno", "--section", " > "),
    ],
)
def test_wrong_use_is_told_apart_from_failure(organization, arguments):
    with pytest.raises(CommandError) as failure:
        run("search", *arguments, "--org", "acme")
    assert failure.value.returncode == 2


def test_people_get_plain_text(organization, manual):
    output = io.StringIO()
    call_command("search", "horno", "--org", "acme", stdout=output)
    assert "1. Horno > Limpieza, pág. 3" in output.getvalue()


@pytest.fixture
def data_set(tmp_path):
    corpus = [
        ("d1", "El horno se limpia cada noche."),
        ("d2", "La caja se cuenta al cerrar."),
        ("d3", "El tique vale un mes."),
    ]
    queries = [("q1", "¿cuándo se limpia el horno?", "d1"), ("q2", "contar la caja", "d2")]
    (tmp_path / "qrels").mkdir()
    (tmp_path / "corpus.jsonl").write_text("\n".join(json.dumps({"_id": i, "title": "", "text": t}) for i, t in corpus))
    (tmp_path / "queries.jsonl").write_text(
        "\n".join(
            json.dumps({"_id": i, "text": t, "metadata": {"answerable": i == "q1"}}) for i, t, _document in queries
        )
    )
    (tmp_path / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\n" + "\n".join(f"{i}\t{document}\t1" for i, _text, document in queries)
    )
    return tmp_path


def test_an_evaluation_is_measured_stored_and_compared(data_set):
    runs = run("evaluate", "--beir", str(data_set), "--configs", "keyword,hybrid")["runs"]
    assert [r["config"] for r in runs] == ["keyword", "hybrid"]
    assert [r["metrics"]["recall@1"] for r in runs] == [1.0, 1.0]
    assert set(runs[0]["metrics"]) == {
        "recall@1",
        "recall@5",
        "recall@10",
        "precision@5",
        "hit@10",
        "mrr@10",
        "ndcg@10",
    }
    assert set(runs[0]["latency_ms"]) == {"p50", "p95"}
    compared = run("evaluate", "--beir", str(data_set), "--compare", runs[0]["id"], runs[1]["id"])["comparison"]
    assert compared["same_data"] is True
    assert (compared["better"], compared["worse"]) == ([], [])
    change = compared["intervals"]["recall@1"]
    assert (change["difference"], change["low"], change["high"]) == (0.0, 0.0, 0.0)
    assert (change["wins"], change["losses"]) == (0, 0)


def test_refusals_are_counted(data_set):
    figures = run("evaluate", "--refusal", str(data_set))
    assert set(figures) == {"auc", "precision", "recall", "threshold", "answered", "refused", "reliability", "answers"}
    assert sum(tenth["questions"] for tenth in figures["reliability"]) == 2
    assert figures["answered"] + figures["refused"] == 2


def test_the_tutors_own_refusing_is_counted_beside_that_of_the_search(data_set, monkeypatch):
    figures = run("evaluate", "--refusal", str(data_set))
    of_answers = figures["answers"]
    assert set(of_answers) == {"precision", "recall", "threshold", "answered", "refused", "faithful"}
    assert of_answers["answered"] + of_answers["refused"] == 2
    assert of_answers["threshold"] == calibration_for(get_embedder().model_id, "answer").threshold
    monkeypatch.setattr(own_words, "assessed", lambda result, *_args: replace(result, evidence=False))
    stricter = run("evaluate", "--refusal", str(data_set))
    assert stricter["answers"]["refused"] == 2
    assert {name: stricter[name] for name in ("auc", "answered", "refused", "precision", "recall")} == {
        name: figures[name] for name in ("auc", "answered", "refused", "precision", "recall")
    }


def test_pairs_say_which_are_wrong(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text(
        "should_match\tdocument\tquery\n1\tlas tiendas\ttienda\n0\tla caja\thorno\n1\tla caja\thorno\n",
        encoding="utf-8",
    )
    figures = run("evaluate", "--pairs", str(path))
    assert (figures["matched"], figures["should_match"], figures["false"], figures["should_not_match"]) == (1, 2, 0, 1)
    assert figures["wrong"] == [{"should_match": True, "document": "la caja", "query": "horno"}]


def test_a_folder_without_data_is_a_failure_with_a_reason(tmp_path):
    with pytest.raises(CommandError, match=r"corpus\.jsonl"):
        run("evaluate", "--beir", str(tmp_path))


def test_an_unknown_run_is_a_failure(data_set):
    with pytest.raises(CommandError, match="No existe la evaluación"):
        run("evaluate", "--beir", str(data_set), "--compare", "x", "y")


def test_a_search_goes_by_the_stored_settings_but_for_what_is_asked(organization, manual):
    make_document(organization, "Otro horno", "# Horno\nOtro horno, más pequeño.")
    with organization_scope(organization.pk):
        SettingsOverride.objects.create(organization=organization, values={"top_k": 1})
    assert len(run("search", "horno", "--org", "acme")["results"][0]["hits"]) == 1
    assert len(run("search", "horno", "--org", "acme", "--top-k", "5")["results"][0]["hits"]) == 2
