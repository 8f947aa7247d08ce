"""Pages shown when something broke: they ask nothing of the database, the request or a context."""

import pytest
from django.template.loader import get_template
from django.test import RequestFactory
from django.views.defaults import bad_request, server_error


@pytest.mark.parametrize(
    ("view", "status", "title"),
    [(server_error, 500, "Algo ha fallado"), (bad_request, 400, "No hemos entendido la petición")],
)
def test_an_error_page_is_whole_without_database_or_context(view, status, title):
    response = view(RequestFactory().get("/"), **({"exception": ValueError()} if status == 400 else {}))
    page = response.content.decode()
    assert response.status_code == status
    assert f"<h1>{title}</h1>" in page
    assert f"<title>{title} · SkillNet</title>" in page
    assert "data-error-text" in page
    assert 'rel="icon"' in page
    assert get_template(f"{status}.html").render() == page
