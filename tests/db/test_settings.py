"""Search settings: the product's, then the organization's, the collection's and the course's."""

import pytest
from django.urls import reverse

from courses.models import Course, CourseDocument
from documents import ingestion
from documents.access import ADMINISTRATION
from documents.chunking import ChunkSettings
from documents.models import Chunk, Collection, DocumentVersion
from retrieval.configuration import chunk_settings_for, config_for
from retrieval.models import SettingsOverride
from retrieval.pipeline import search
from retrieval.settings_services import ContradictingSettings, Level, restore_settings, save_settings
from retrieval.types import SearchConfig, SearchScope
from skillnet.tenancy import organization_scope
from tests.factories import make_document

pytestmark = pytest.mark.django_db

LONG = "# Normas\n" + "\n".join(f"La norma {n} dice que la puerta {n} se cierra con la llave {n}." for n in range(60))


@pytest.fixture
def admin(client_for, admin_membership):
    return client_for(admin_membership)


@pytest.fixture
def collection(organization):
    with organization_scope(organization.pk):
        return Collection.objects.create(organization=organization, name="Cocina")


def store(organization, values, **level):
    SettingsOverride.objects.create(organization=organization, values=values, **level)


def test_without_overrides_the_product_decides(organization, scope):
    assert config_for(SearchScope(organization.pk, ADMINISTRATION)) == SearchConfig()
    assert chunk_settings_for(organization.pk, None) == ChunkSettings()


def test_the_course_wins_over_the_collection_and_that_over_the_organization(organization, collection, scope):
    store(organization, {"alpha": 0.1, "top_k": 5, "cache_days": 1})
    store(organization, {"top_k": 6, "cache_days": 2}, collection=collection)
    store(organization, {"cache_days": 3}, course_id=7)
    found = config_for(SearchScope(organization.pk, ADMINISTRATION, collection_id=collection.pk, course_id=7))
    assert (found.alpha, found.top_k, found.cache_days) == (0.1, 6, 3)
    alone = config_for(SearchScope(organization.pk, ADMINISTRATION, course_id=8))
    assert (alone.top_k, alone.cache_days) == (5, 1)


def test_another_organizations_settings_do_not_count(organization, other_organization, scope):
    assert config_for(SearchScope(other_organization.pk, ADMINISTRATION)) == SearchConfig()
    store(organization, {"top_k": 3})
    assert config_for(SearchScope(other_organization.pk, ADMINISTRATION)).top_k == 10


def test_names_that_are_no_longer_known_are_passed_over(organization, scope):
    store(organization, {"left_from_an_old_version": 1, "top_k": 3})
    assert config_for(SearchScope(organization.pk, ADMINISTRATION)).top_k == 3


def test_a_search_goes_by_them_and_names_them_in_its_trace(organization):
    make_document(organization, "Normas", LONG)
    with organization_scope(organization.pk):
        scope = SearchScope(organization.pk, ADMINISTRATION)
        before = search("la puerta y la llave", scope)
        store(organization, {"top_k": 1, "rerank": "none"})
        after = search("la puerta y la llave", scope)
    assert before.trace["settings"] == SearchConfig().fingerprint()
    assert after.trace["settings"] == SearchConfig(top_k=1, rerank="none").fingerprint()
    assert (len(after.passages), len(before.passages) > 1) == (1, True)


def test_caution_and_sources_decide_whether_there_is_evidence(organization):
    make_document(organization, "Horno", "# Limpieza\nEl horno se limpia cada noche con agua templada.")
    with organization_scope(organization.pk):
        scope = SearchScope(organization.pk, ADMINISTRATION)
        bold = SearchConfig(mode="keyword", confidence_offset=-1.0)
        assert search("limpiar el horno", scope, bold).evidence
        assert not search("limpiar el horno", scope, SearchConfig(mode="keyword", confidence_offset=1.0)).evidence
        two = SearchConfig(mode="keyword", confidence_offset=-1.0, minimum_sources=2)
        assert not search("limpiar el horno", scope, two).evidence


def test_a_collections_documents_are_cut_by_its_settings(organization, collection):
    with organization_scope(organization.pk):
        store(organization, {"chunk_strategy": "fixed", "chunk_size": 60, "chunk_overlap": 5}, collection=collection)
    cut = make_document(organization, "Normas", LONG, collection=collection)
    whole = make_document(organization, "Otras normas", LONG + "\nUna más.")
    with organization_scope(organization.pk):
        counts = [Chunk.objects.filter(version__document=document).count() for document in (cut, whole)]
    assert counts[0] > 2 * counts[1]


def test_documents_are_cut_anew_from_what_was_read(organization, admin, admin_membership, monkeypatch):
    document = make_document(organization, "Normas", LONG)
    with organization_scope(organization.pk):
        version = DocumentVersion.objects.get(document=document)
        version.file.storage.delete(version.file.name)  # it is not needed
        before = version.chunks.count()
        save_settings(Level(organization), {"chunk_max_tokens": 64}, updated_by=admin_membership.user)
    address = reverse("search_settings:cut_organization_again", args=[organization.slug])
    assert "1 documento se vuelve" in admin.post(address, follow=True).content.decode()
    ingestion.run(organization.pk, version.pk)
    with organization_scope(organization.pk):
        version.refresh_from_db()
        assert version.is_ready
        assert version.chunks.count() > before


def post(admin, organization, data, name="organization", *ids):
    return admin.post(reverse(f"search_settings:{name}", args=[organization.slug, *ids]), data)


def test_what_is_left_empty_is_not_stored(organization, admin):
    response = post(admin, organization, {"alpha": "30", "diversity": "True", "confidence_offset": "0.15"})
    assert response.status_code == 302
    with organization_scope(organization.pk):
        [row] = SettingsOverride.objects.all()
        assert row.values == {"alpha": 0.3, "diversity": True, "confidence_offset": 0.15}
    page = admin.get(response["Location"]).content.decode()
    assert 'value="30"' in page
    assert "Sin cambiar: 10" in page  # results shown: the product's value


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"chunk_strategy": "fixed", "chunk_size": "100", "chunk_overlap": "100"}, "menor que el tamaño"),
        ({"chunk_strategy": "recursive", "chunk_overlap": "1500"}, "menor que el tamaño"),
        ({"chunk_min_tokens": "100", "chunk_max_tokens": "80"}, "menor que el máximo"),
        ({"alpha": "101"}, "menor o igual a 100"),
        ({"rerank": "api"}, "no está configurada"),
        ({"confidence_offset": "5"}, "opción válida"),
    ],
)
def test_what_contradicts_itself_is_refused_with_a_reason(organization, admin, data, message):
    response = post(admin, organization, data)
    assert response.status_code == 422
    assert message in response.content.decode()
    with organization_scope(organization.pk):
        assert not SettingsOverride.objects.exists()


def test_a_level_above_cannot_make_a_collections_settings_contradict(organization, collection, admin_membership, scope):
    store(organization, {"chunk_strategy": "fixed", "chunk_overlap": 80}, collection=collection)
    with pytest.raises(ContradictingSettings):
        save_settings(Level(organization), {"chunk_size": 70}, updated_by=admin_membership.user)


def test_values_are_restored(organization, admin, admin_membership):
    with organization_scope(organization.pk):
        save_settings(Level(organization), {"top_k": 3}, updated_by=admin_membership.user)
    admin.post(reverse("search_settings:restore_organization", args=[organization.slug]))
    with organization_scope(organization.pk):
        assert not SettingsOverride.objects.exists()
        restore_settings(Level(organization))  # again does no harm


def test_a_question_is_tried_without_saving(organization, admin):
    make_document(organization, "Normas", LONG)
    response = post(admin, organization, {"top_k": "1", "pregunta": "la puerta y la llave", "probar": "1"})
    page = response.content.decode()
    assert "Con estos valores" in page
    assert page.index("Lo que encuentra ahora") < page.index("Lo que encontraría con estos valores")
    with organization_scope(organization.pk):
        assert not SettingsOverride.objects.exists()


def test_a_preview_asks_for_a_question(organization, admin):
    assert "Escribe una pregunta" in post(admin, organization, {"probar": "1"}).content.decode()


def test_a_collection_has_settings_of_its_own(organization, collection, admin):
    post(admin, organization, {"top_k": "4"}, "collection", collection.pk)
    with organization_scope(organization.pk):
        assert SettingsOverride.objects.get(collection=collection).values == {"top_k": 4}


def test_a_course_has_settings_of_its_own(organization, admin):
    document = make_document(organization, "Normas", LONG)
    with organization_scope(organization.pk):
        course = Course.objects.create(organization=organization, title="Puertas", slug="puertas")
        CourseDocument.objects.create(organization=organization, course=course, document=document)
    post(admin, organization, {"top_k": "2"}, "course", course.pk)
    page = admin.get(reverse("search_settings:course", args=[organization.slug, course.pk])).content.decode()
    assert "Puertas" in page
    assert "División de los documentos" not in page
    with organization_scope(organization.pk):
        result = search("la puerta y la llave", SearchScope(organization.pk, ADMINISTRATION, course_id=course.pk))
    assert len(result.passages) <= 2


def test_only_administrators_change_settings(organization, client_for, employee_membership):
    client = client_for(employee_membership)
    assert client.get(reverse("search_settings:organization", args=[organization.slug])).status_code == 404
