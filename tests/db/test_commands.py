"""The command line's manners: help, wrong use, nothing but JSON on standard output."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class

from skillnet.models import Membership, Role
from tests.factories import make_member

OURS = sorted(
    name for name, app in get_commands().items() if app in ("skillnet", "documents", "retrieval", "courses", "tutor")
)


@pytest.mark.parametrize("name", OURS)
def test_every_command_explains_itself(name, capsys):
    with pytest.raises(SystemExit) as end:
        load_command_class(get_commands()[name], name).run_from_argv(["manage.py", name, "--help"])
    assert end.value.code == 0
    assert "usage:" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["create_organization", "no vale", "--name", "X"], 2),
        (["create_organization", "acme", "--name", "X", "--admin-email", "a@acme.example"], 2),
        (["ingest", "--org", "acme", "a.pdf", "b.pdf", "--replace", "1"], 2),
        (["ingest", "--org", "nadie", "a.pdf"], 1),
        (["reingest", "--org", "acme", "--document", "²"], 1),
        (["reingest", "--org", "acme", "--document", "999999"], 1),
        (["search", "--org", "nadie", "hola"], 1),
        (["search", "--org", "acme", "hola", "--document", "999999"], 1),
        (["ask", "--org", "nadie", "hola"], 1),
        (["ask", "--org", "acme", "hola", "--course", "nada"], 1),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_wrong_use_and_unknown_things_end_with_their_status(organization, arguments, status):
    with pytest.raises(CommandError) as error:
        call_command(*arguments, "--json", stdout=StringIO())
    assert error.value.returncode == status
    assert str(error.value)


def test_an_organization_that_exists_is_returned_and_its_administrator_made(organization):
    make_member(organization, "ana@acme.example", Role.EMPLOYEE)
    out = StringIO()
    call_command(
        *("create_organization", "acme", "--name", "Otra cosa", "--json"),
        *("--admin-email", "ana@acme.example", "--admin-password", "contraseña-larga-1"),
        stdout=out,
    )
    assert json.loads(out.getvalue()) == {"slug": "acme", "id": str(organization.pk), "name": "Acme"}
    assert Membership.objects.get(user__email="ana@acme.example").role == Role.ADMIN


def test_a_file_that_cannot_be_opened_is_a_result_and_not_a_failure(organization, tmp_path):
    good = tmp_path / "caja.md"
    good.write_text("# Caja\n\nEl fondo de caja es de 150 euros.\n")
    out = StringIO()
    call_command("ingest", str(tmp_path / "nada.pdf"), str(good), "--org", "acme", "--json", stdout=out)
    missing, ready = json.loads(out.getvalue())["documents"]
    assert missing["status"] == "failed"
    assert missing["error"]["message"]
    assert (ready["status"], ready["version"], ready["duplicate_of"]) == ("ready", 1, None)
    assert ready["chunk_count"] == 1
