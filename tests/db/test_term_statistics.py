import pytest

from documents import term_statistics
from documents.models import CorpusStatistic, TermStatistic
from skillnet.tenancy import organization_scope
from tests.factories import make_document

pytestmark = pytest.mark.django_db


def counts(organization):
    with organization_scope(organization.pk):
        terms = TermStatistic.objects.values_list("language", "lexeme", "chunk_count")
        corpus = CorpusStatistic.objects.values_list("chunk_count", "length_total")
        return {(language, lexeme): count for language, lexeme, count in terms}, list(corpus)


def test_publishing_counts_each_chunk_once_however_often_the_word_stands(organization):
    make_document(organization, "A", "# Caja\nLa caja, la caja y otra vez la caja.")
    make_document(organization, "B", "# Caja\nCierra la caja.")
    terms, [(chunk_count, length_total)] = counts(organization)
    assert terms["es", "caj"] == 2
    assert terms["es", "cierr"] == 1
    assert chunk_count == 2
    assert length_total > 0


def test_a_new_version_replaces_the_counts_of_the_one_before(organization):
    document = make_document(organization, "A", "# Caja\nCierra la caja.")
    make_document(organization, text="# Horno\nApaga el horno.", version_of=document)
    terms, [(chunk_count, _length)] = counts(organization)
    assert ("es", "caj") not in terms
    assert terms["es", "horn"] == 1
    assert chunk_count == 1


def test_counting_from_scratch_gives_the_same(organization):
    make_document(organization, "A", "# Caja\nCierra la caja.")
    document = make_document(organization, "B", "# Caja\nAbre la caja.")
    make_document(organization, text="# Horno\nApaga el horno y la caja.", version_of=document)
    kept = counts(organization)
    with organization_scope(organization.pk):
        term_statistics.rebuild(organization.pk)
    assert counts(organization) == kept


def test_removing_what_was_added_leaves_nothing(organization):
    document = make_document(organization, "A", "# Caja\nCierra la caja.")
    with organization_scope(organization.pk):
        term_statistics.remove_version(document.active_version)
    terms, corpus = counts(organization)
    assert terms == {}
    assert corpus == [(0, 0)]


def test_each_organization_counts_its_own(organization, other_organization):
    make_document(organization, "A", "# Caja\nCierra la caja.")
    make_document(other_organization, "B", "# Horno\nApaga el horno.")
    terms, _corpus = counts(organization)
    assert ("es", "horn") not in terms


def test_the_organization_that_every_chunk_carries_is_no_word(organization):
    make_document(organization, "A", "# Caja\nCierra la caja.")
    terms, _corpus = counts(organization)
    assert ("es", str(organization.pk)) not in terms
    with organization_scope(organization.pk):
        term_statistics.rebuild(organization.pk)
    assert counts(organization)[0] == terms
