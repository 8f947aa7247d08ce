import pytest

from documents.models import Collection, EmbeddingModel
from retrieval import views
from retrieval.models import GlossaryEntry, SettingsOverride
from skillnet.models import Classification, Role
from skillnet.tenancy import organization_scope
from tests.factories import make_document, make_member

pytestmark = pytest.mark.django_db

OVEN = "# Limpieza\n[p3]\nEl horno se limpia cada noche con agua templada y un paño seco."
TILL = "# Cierre\nLa caja se cuenta cada noche entre dos personas antes de cerrar la puerta."
SEARCH = "/o/acme/buscar/"
GLOSSARY = "/o/acme/buscar/glosario/"


@pytest.fixture(autouse=True)
def oven(organization):
    return make_document(organization, "Manual del horno", OVEN)


@pytest.fixture
def employee(client_for, employee_membership):
    return client_for(employee_membership)


@pytest.fixture
def admin(client_for, admin_membership):
    return client_for(admin_membership)


def entries(organization):
    with organization_scope(organization.pk):
        return [entry.wordings for entry in GlossaryEntry.objects.for_organization(organization)]


def test_a_result_tells_where_it_stands_and_leads_there(employee, oven):
    html = employee.get(SEARCH, {"q": "limpiar el horno"}).content.decode()
    assert "Manual del horno" in html and "Limpieza" in html and "pág. 3" in html
    assert f'href="/o/acme/documentos/{oven.pk}/?pagina=3#pagina-3"' in html
    assert "<mark>horno</mark>" in html


def test_without_a_question_there_is_only_the_form(employee):
    html = employee.get(SEARCH).content.decode()
    assert 'name="q"' in html and "No hay nada" not in html


def test_quotes_and_minus_are_read(employee, organization):
    make_document(organization, "Manual de caja", TILL)
    assert "Manual de caja" not in employee.get(SEARCH, {"q": '"agua templada"'}).content.decode()
    html = employee.get(SEARCH, {"q": "noche -horno"}).content.decode()
    assert "Manual de caja" in html and "Manual del horno" not in html
    assert "No hay nada" in employee.get(SEARCH, {"q": '"templada agua"'}).content.decode()


def test_the_settings_of_the_organization_hold_here_too(employee, organization, monkeypatch):
    with organization_scope(organization.pk):
        SettingsOverride.objects.create(organization=organization, values={"alpha": 0.9, "rerank": "none"})
    used = []
    found = views.search_documents

    def watched(question, scope, config):
        used.append(config)
        return found(question, scope, config)

    monkeypatch.setattr(views, "search_documents", watched)
    employee.get(SEARCH, {"q": "horno"})
    assert [(config.alpha, config.rerank, config.top_k) for config in used] == [(0.9, "none", views.SHOWN)]


def test_filters_limit_the_results(employee, organization, oven):
    with organization_scope(organization.pk):
        collection = Collection.objects.create(organization=organization, name="Cocina")
        type(oven).objects.filter(pk=oven.pk).update(collection=collection, document_date="2024-05-02")
    fitting = {"coleccion": collection.pk, "idioma": "es", "tipo": "texto", "fecha_hasta": "2024-05-02"}
    assert "Manual del horno" in employee.get(SEARCH, {"q": "horno"} | fitting).content.decode()
    for other in ({"idioma": "fr"}, {"tipo": "pdf"}, {"hasta": "2001-01-01"}, {"fecha_desde": "2025-01-01"}):
        assert "No hay nada" in employee.get(SEARCH, {"q": "horno"} | other).content.decode()


@pytest.mark.parametrize(
    "wrong",
    [
        {"coleccion": "999999"},
        {"coleccion": "x"},
        {"tipo": "exe"},
        {"desde": "ayer"},
        {"desde": "2025-02-01", "hasta": "2025-01-01"},
        {"q": "x" * 3_000},
    ],
)
def test_filters_that_make_no_sense_are_said_to_be_wrong(employee, wrong):
    response = employee.get(SEARCH, {"q": "horno"} | wrong)
    assert response.status_code == 422
    assert "field__error" in response.content.decode() or "q" in wrong


@pytest.mark.parametrize("question", ["\0", "¿?", '"', "-", "' OR 1=1 --", "<script>alert(1)</script>", "or or or"])
def test_no_question_is_an_error(employee, question):
    response = employee.get(SEARCH, {"q": question})
    assert response.status_code in (200, 422)
    assert "<script>alert" not in response.content.decode()


def test_what_one_may_not_read_is_neither_found_nor_named(employee, organization):
    with organization_scope(organization.pk):
        secret = Collection.objects.create(organization=organization, name="Dirección")
    make_document(
        organization, "Salarios", OVEN + " Plus 7.", classification=Classification.CONFIDENTIAL, collection=secret
    )
    html = employee.get(SEARCH, {"q": "horno"}).content.decode()
    assert "Salarios" not in html and "Dirección" not in html
    assert employee.get(SEARCH, {"q": "horno", "coleccion": secret.pk}).status_code == 422


@pytest.mark.parametrize("role", [Role.ADMIN, Role.EDITOR])
def test_entries_are_added_changed_and_removed(client_for, organization, role):
    client = client_for(make_member(organization, "gestora@acme.example", role))
    client.post(GLOSSARY, {"wordings": " caja,  TPV , caja"})
    assert entries(organization) == [["caja", "TPV"]]
    with organization_scope(organization.pk):
        address = f"{GLOSSARY}{GlossaryEntry.objects.get().pk}/"
    assert "caja, TPV" in client.get(address).content.decode()
    client.post(address, {"wordings": "caja = datáfono"})
    assert entries(organization) == [["caja", "datáfono"]]
    assert "caja = datáfono" in client.get(GLOSSARY).content.decode()
    client.post(f"{address}borrar/")
    assert entries(organization) == []


def test_lines_of_a_spreadsheet_can_be_pasted(admin, organization):
    admin.post(GLOSSARY, {"wordings": "TPV, Caja"})
    admin.post(GLOSSARY, {"lines": 'finde;fin de semana\n\ncaja\ttpv\n"traspaleta, la", carretilla\n'})
    assert entries(organization) == [["TPV", "Caja"], ["finde", "fin de semana"], ["traspaleta, la", "carretilla"]]


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"wordings": "sola"}, "al menos dos"),
        ({"wordings": "sola, SOLA"}, "al menos dos"),
        ({"wordings": "a, " + "b" * 81}, "80 letras"),
        ({"wordings": ",".join(f"palabra{n}" for n in range(13))}, "12 como mucho"),
        ({"lines": "finde, fin de semana\nsola"}, "Línea 2"),
        ({"lines": "a,b\n" * 501}, "500 líneas"),
    ],
)
def test_what_makes_no_entry_is_refused_with_the_reason(admin, organization, sent, said):
    response = admin.post(GLOSSARY, sent)
    assert response.status_code == 422
    assert said in response.content.decode()
    assert entries(organization) == []


def test_employees_have_no_glossary(employee):
    assert employee.get(GLOSSARY).status_code == 404


def test_those_who_manage_are_told_what_only_words_find(admin, organization, oven):
    assert "solo por palabras" not in admin.get("/o/acme/documentos/").content.decode()
    with organization_scope(organization.pk):
        other = EmbeddingModel.objects.create(name="otro", dimensions=384)
        type(oven.active_version).objects.filter(pk=oven.active_version_id).update(embedding_model=other)
    assert "1 documento se busca solo por palabras" in admin.get("/o/acme/documentos/").content.decode()
