"""Who has forgotten their password gets a link by e-mail, and by it a new one."""

import re

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from skillnet.models import Membership

NEW = "otra-contraseña-larga-2"


@pytest.fixture(autouse=True)
def no_throttling_left_over():
    cache.clear()


def ask(client: Client, email: str) -> str:
    """Ask for a link, and return the page that follows."""
    response = client.post("/cuenta/password/reset/", {"email": email}, follow=True)
    assert response.status_code == 200
    return re.sub(
        r'(FToken": |csrfmiddlewaretoken" value=)"\w+', "", response.content.decode()
    )  # another in every page


def link_of(message: mail.EmailMessage) -> str:
    found = re.search(r"https?://testserver(/cuenta/password/reset/key/\S+)", str(message.body))
    assert found is not None, message.body
    return found.group(1)


def opens(email: str, password: str) -> bool:
    return Client().post("/cuenta/login/", {"login": email, "password": password}).status_code == 302


def test_the_link_gives_a_new_password_and_ends_the_old_one(client: Client, employee_membership: Membership):
    email = employee_membership.user.email
    ask(client, email)
    [message] = mail.outbox
    assert message.to == [email]
    form = client.get(link_of(message), follow=True)
    done = client.post(form.redirect_chain[-1][0], {"password1": NEW, "password2": NEW}, follow=True)
    assert done.status_code == 200
    assert opens(email, NEW)
    assert not opens(email, "contraseña-larga-1")


def test_a_link_works_once(client: Client, employee_membership: Membership):
    ask(client, employee_membership.user.email)
    link = link_of(mail.outbox[0])
    form = client.get(link, follow=True)
    client.post(form.redirect_chain[-1][0], {"password1": NEW, "password2": NEW})
    assert 'name="password1"' not in Client().get(link, follow=True).content.decode()


def test_the_page_does_not_say_whether_an_address_is_known(client: Client, employee_membership: Membership):
    assert ask(client, employee_membership.user.email) == ask(Client(), "nadie@acme.example")


def test_the_message_is_in_plain_spanish(client: Client, employee_membership: Membership):
    ask(client, employee_membership.user.email)
    [message] = mail.outbox
    assert "contraseña" in f"{message.subject} {message.body}"
    assert not re.search(r"\b(you|your|password reset|hello)\b", str(message.body).split("http")[0], re.IGNORECASE)


def test_nobody_is_written_to_who_has_no_account(client: Client, db: None):
    ask(client, "nadie@acme.example")
    assert mail.outbox == []
