"""What the tests of documents in the browser share: the manual, addresses and uploads."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from skillnet.tenancy import organization_scope

MANUAL = """# Manual de caja
## Apertura
Cuenta el efectivo antes de abrir.
[p2]
## Cierre
Firma el arqueo al cerrar.
"""


def address(name, *args):
    return reverse(f"documents:{name}", args=["acme", *args])


def set_status(organization, document, status, **fields):
    with organization_scope(organization.pk):
        document.versions.update(status=status, **fields)
        return document.versions.get()


def upload(client, *files, htmx=False, **data):
    headers = {"HX-Request": "true"} if htmx else {}
    sent = [SimpleUploadedFile(name, content) for name, content in files]
    return client.post(address("upload"), {"uploads": sent, **data}, headers=headers)
