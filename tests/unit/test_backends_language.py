"""Language detection on questions as people type them, and prompt token counts."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from skillnet.backends.language import detect_language
from skillnet.backends.tokens import count_prompt_tokens


@pytest.mark.parametrize(
    "text",
    [
        "vacaciones",
        "nómina",
        "precio menú",
        "prorroga contrato",
        "factura rectificativa",
        "devolver un pedido",
        "plan de igualdad",
        "permiso de paternidad",
        "como pido un dia libre",
        "¿Qué es el IVA?",
        "¿Cuánto cobra un becario?",
        "material de oficina",
    ],
)
def test_short_spanish_questions_are_spanish(text: str) -> None:
    assert detect_language(text) == "es"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("holiday policy", "en"),
        ("how many vacation days", "en"),
        ("who signs the invoice?", "en"),
        ("quantos dias de férias tenho?", "pt"),
        ("qual é o prazo de devolução?", "pt"),
        ("délai de livraison", "fr"),
        ("combien de jours de congé ?", "fr"),
        ("orario di lavoro", "it"),
        ("quanti giorni di ferie ho?", "it"),
        ("wie viele Urlaubstage habe ich?", "de"),
        ("Arbeitszeit Sommer", "de"),
        ("quants dies de vacances tinc?", "ca"),
        ("horari d'estiu", "ca"),
        ("com puc retornar una comanda", "ca"),
    ],
)
def test_short_questions_in_other_languages_are_told(text: str, language: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize("text", ["", "   ", "E-4711", "ISO 9001", "303", "ok", "IRPF", "¿?", "😀", "東京"])
def test_what_says_too_little_gets_the_default(text: str) -> None:
    assert detect_language(text) == "es"
    assert detect_language(text, default="ca") == "ca"


def test_threads_that_come_first_together_agree() -> None:
    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(detect_language, ["what is the deadline for this?"] * 8)) == {"en"}


def test_prompt_tokens_are_those_of_cl100k_base() -> None:
    assert count_prompt_tokens("") == 0
    assert count_prompt_tokens("hello world") == 2
    assert count_prompt_tokens("tiktoken is great!") == 6


def test_text_that_looks_like_a_special_token_is_counted_as_text() -> None:
    assert count_prompt_tokens("<|endoftext|>") > 1
