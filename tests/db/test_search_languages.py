"""Documents in each language are indexed in it, and found by words that are written otherwise."""

import pytest

from documents.access import ADMINISTRATION
from documents.models import Chunk
from retrieval.pipeline import search
from retrieval.types import SearchConfig, SearchScope
from skillnet.backends.language import LANGUAGES
from skillnet.tenancy import organization_scope
from tests.factories import make_document

pytestmark = pytest.mark.django_db

TEXTS = {
    "es": "Las devoluciones de los clientes se aceptan durante treinta días en la tienda.",
    "en": "Returned items are refunded within thirty days when customers bring the receipt.",
    "pt": "As devoluções dos clientes são aceitas na loja durante trinta dias, com o recibo.",
    "fr": "Les congés payés des salariés sont demandés par écrit au responsable du magasin.",
    "it": "Le ferie dei lavoratori si chiedono per iscritto al responsabile del negozio.",
    "de": "Die Rückgaben der Kunden werden im Laden innerhalb von dreißig Tagen angenommen.",
    "ca": "Les vacances dels treballadors es demanen per escrit al responsable de la botiga.",
}
# The same words in other forms.
QUESTIONS = {
    "es": "¿cuándo se acepta la devolución del cliente?",
    "en": "when do you refund a returned item?",
    "pt": "quando a loja aceita a devolução?",
    "fr": "comment demander un congé payé ?",
    "it": "come chiede le ferie un lavoratore?",
    "de": "wann wird die Rückgabe eines Kunden angenommen?",
    "ca": "com demana vacances un treballador?",
}


def test_each_document_is_indexed_in_its_own_language_and_found_in_it(organization):
    assert set(TEXTS) == set(QUESTIONS) == set(LANGUAGES)
    documents = {language: make_document(organization, language, text) for language, text in TEXTS.items()}
    scope = SearchScope(organization.pk, ADMINISTRATION)
    with organization_scope(organization.pk):
        for language, document in documents.items():
            assert Chunk.objects.get(version__document=document).language == language
            result = search(QUESTIONS[language], scope, SearchConfig(mode="keyword"))
            assert result.passages[0].document_id == document.pk, language
