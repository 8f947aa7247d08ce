import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.core.exceptions import ImproperlyConfigured

from skillnet.backends.rerankers import ApiScorer, CrossEncoderScorer, get_passage_scorer
from skillnet.errors import BackendUnavailable

PASSAGES = ["las manos se lavan", "la caja se cierra", "el pan llega"]


class Service:
    """A reranking service that gives the reply it is told to, and keeps what it was asked."""

    def __init__(self):
        self.asked = []
        self.status, self.reply = 200, {}
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                service.asked.append((self.path, self.headers["Authorization"], body))
                content = json.dumps(service.reply).encode()
                self.send_response(service.status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.http.server_port}"
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.01,))
        self.thread.start()

    def close(self):
        self.http.shutdown()
        self.thread.join()
        self.http.server_close()


@pytest.fixture
def service():
    running = Service()
    yield running
    running.close()


def scorer(service, protocol="cohere"):
    return ApiScorer(base_url=service.address, api_key="llave", model="m", protocol=protocol, timeout=5)


def results(*scores):
    """As services reply: the best first, the index says whose each score is."""
    rows = [{"index": index, "relevance_score": score} for index, score in enumerate(scores)]
    return {"results": sorted(rows, key=lambda row: -row["relevance_score"])}


@pytest.mark.parametrize(("protocol", "path"), [("cohere", "/v2/rerank"), ("jina", "/v1/rerank")])
def test_a_service_is_asked_in_its_protocol_and_scores_come_in_the_order_given(service, protocol, path):
    service.reply = results(0.2, 0.9, 0.1)
    assert scorer(service, protocol).scores("¿Quién cierra?", PASSAGES) == [0.2, 0.9, 0.1]
    [(asked_path, key, body)] = service.asked
    assert (asked_path, key) == (path, "Bearer llave")
    assert (body["model"], body["query"], body["documents"], body["top_n"]) == ("m", "¿Quién cierra?", PASSAGES, 3)
    assert ("return_documents" in body) == (protocol == "jina")


@pytest.mark.parametrize(
    ("status", "reply"),
    [
        (500, {}),
        (429, {"message": "espera"}),
        (200, {"sin": "resultados"}),
        (200, results(0.2, 0.9)),
        (200, {"results": [{"index": 0, "relevance_score": None}]}),
        (200, ["no"]),
    ],
)
def test_what_is_no_score_for_every_passage_is_an_unavailable_service(service, status, reply):
    service.status, service.reply = status, reply
    with pytest.raises(BackendUnavailable):
        scorer(service).scores("¿Quién cierra?", PASSAGES)


def test_nobody_at_the_address_is_an_unavailable_service(service):
    service.close()
    with pytest.raises(BackendUnavailable):
        scorer(service).scores("¿Quién cierra?", PASSAGES)


def test_nothing_to_score_asks_nobody(service):
    assert scorer(service).scores("¿Quién cierra?", []) == []
    assert service.asked == []


@pytest.mark.parametrize(
    "config",
    [
        {"model": ""},
        {"base_url": ""},
        {"base_url": "file:///etc"},
        {"protocol": "otro"},
    ],
)
def test_settings_that_name_no_service_are_said_so(settings, config):
    settings.SKILLNET_RERANK = {
        "model": "m",
        "base_url": "http://127.0.0.1:1",
        "api_key": "",
        "protocol": "jina",
        "timeout": 1,
    } | config
    with pytest.raises(ImproperlyConfigured, match="SKILLNET_RERANK"):
        get_passage_scorer("api")


@pytest.fixture(scope="module")
def tiny_cross_encoder(tmp_path_factory):
    """A cross-encoder of a few hundred weights, made here, with random ones."""
    import torch
    from sentence_transformers import CrossEncoder
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    folder = tmp_path_factory.mktemp("cross-encoder")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *sorted({w for text in PASSAGES for w in text.split()})]
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        num_labels=1,
        max_position_embeddings=64,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    CrossEncoder(str(folder), device="cpu").save_pretrained(str(folder / "model"))
    return str(folder / "model")


def test_a_cross_encoder_scores_each_passage(tiny_cross_encoder):
    cross_encoder = CrossEncoderScorer(tiny_cross_encoder)
    together = cross_encoder.scores("la caja", PASSAGES)
    assert len(set(together)) == 3
    assert cross_encoder.scores("la caja", PASSAGES[1:2]) == pytest.approx(together[1:2], abs=1e-5)
    assert cross_encoder.scores("la caja", []) == []


def test_a_cross_encoder_that_is_not_there_is_unavailable(tmp_path):
    with pytest.raises(BackendUnavailable):
        CrossEncoderScorer(str(tmp_path / "nada")).scores("la caja", PASSAGES)
