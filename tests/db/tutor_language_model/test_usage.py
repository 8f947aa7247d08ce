"""What a language model's answers cost, and the quota that an organization gives them."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from pytest_django import Settings

from skillnet.backends.tokens import count_prompt_tokens
from skillnet.models import Membership, Organization
from skillnet.tenancy import organization_scope
from tests import factories
from tests.db.tutor_language_model.modelling import (
    CATALOGUE,
    GOOD,
    MANUAL,
    UNKNOWN,
    UseModel,
    ask,
    enrol,
    set_policy,
    unsure,
)
from tutor import answering, usage
from tutor.models import LanguageModelUsage
from tutor.policy import TutorPolicy, policy_of
from tutor.prompts import NO_EVIDENCE

pytestmark = pytest.mark.django_db


def month_of(organization: Organization) -> usage.MonthlyUsage:
    with organization_scope(organization.pk):
        return usage.usage_of(organization.pk)


def test_answers_tokens_and_cost_are_counted_by_month(
    organization: Organization,
    other_organization: Organization,
    employee_membership: Membership,
    use_model: UseModel,
    settings: Settings,
):
    settings.SKILLNET_LLM_PRICES = {"prompt": 1000.0, "reply": 2000.0, "currency": "EUR"}
    factories.make_document(organization, "Manual", MANUAL)
    use_model(GOOD)
    ask(organization, employee_membership)
    ask(organization, employee_membership)
    month = month_of(organization)
    assert month.answers == 2
    assert month.prompt_tokens > month.reply_tokens > 0
    assert month.cost == Decimal(month.prompt_tokens + 2 * month.reply_tokens) / 1000
    assert month_of(other_organization).answers == 0


def test_a_used_up_quota_leaves_the_documents_own_sentences_and_says_so(
    organization: Organization, employee_membership: Membership, use_model: UseModel
):
    factories.make_document(organization, "Manual", MANUAL)
    set_policy(organization, TutorPolicy(monthly_answers=1))
    model = use_model(GOOD)
    assert ask(organization, employee_membership).origin == "model"
    second = ask(organization, employee_membership)
    assert (second.origin, second.evidence, second.trace["quota"]) == ("extractive", True, "used_up")
    assert len(model.requests) == 1
    assert month_of(organization).is_used_up


def test_an_answer_that_did_not_begin_does_not_count(
    organization: Organization, employee_membership: Membership, use_model: UseModel
):
    factories.make_document(organization, "Manual", MANUAL)
    use_model(GOOD, fails_after=0)
    assert ask(organization, employee_membership).origin == "extractive"
    assert month_of(organization).answers == 0


def test_a_question_that_falls_through_the_rungs_costs_one_answer_at_most(
    organization: Organization, employee_membership: Membership, use_model: UseModel, monkeypatch: pytest.MonkeyPatch
):
    enrol(organization, employee_membership, factories.make_document(organization, "Archivo", CATALOGUE))
    unsure(monkeypatch)
    set_policy(organization, TutorPolicy(general_knowledge=True, monthly_answers=1))
    model = use_model("El sello es dorado y lo guarda un notario de Cuenca.")
    given = ask(organization, employee_membership, UNKNOWN)
    assert (given.rung, len(model.requests)) == ("general", 2)  # the first rung does not use the second one's up
    month = month_of(organization)
    assert month.answers == 1
    assert month.reply_tokens == 2 * count_prompt_tokens(given.text)


@pytest.mark.parametrize(
    ("reply", "origin"),
    [
        (NO_EVIDENCE, "none"),
        ("Son sesenta días, te lo aseguro.", "none"),
        ("<think>¿Sesenta días?</think>", "extractive"),
        ("", "extractive"),
    ],
    ids=["nothing-found", "cites-nothing", "only-thoughts", "empty"],
)
def test_a_reply_that_gives_no_answer_costs_tokens_and_no_answer(
    organization: Organization, employee_membership: Membership, use_model: UseModel, reply: str, origin: str
):
    factories.make_document(organization, "Manual", MANUAL)
    model = use_model(*filter(None, [reply]))
    assert ask(organization, employee_membership).origin == origin
    month = month_of(organization)
    assert month.answers == 0
    assert month.prompt_tokens == sum(count_prompt_tokens(message.content) for message in model.requests[0])
    assert month.reply_tokens == count_prompt_tokens(reply)


def test_an_answer_that_breaks_costs_its_tokens_and_no_answer(
    organization: Organization, employee_membership: Membership, use_model: UseModel
):
    factories.make_document(organization, "Manual", MANUAL)
    use_model("El cliente", " dispone", fails_after=1)
    assert ask(organization, employee_membership).origin == "extractive"
    month = month_of(organization)
    assert (month.answers, month.reply_tokens) == (0, count_prompt_tokens("El cliente"))


def test_a_model_that_was_only_silent_before_it_failed_costs_nothing(
    organization: Organization, employee_membership: Membership, use_model: UseModel
):
    factories.make_document(organization, "Manual", MANUAL)
    use_model("", "", GOOD, fails_after=2)
    assert ask(organization, employee_membership).origin == "extractive"
    month = month_of(organization)
    assert (month.answers, month.prompt_tokens, month.reply_tokens) == (0, 0, 0)


def test_an_answer_begun_before_the_month_turned_is_given_back_to_its_month(
    organization: Organization, employee_membership: Membership, use_model: UseModel, monkeypatch: pytest.MonkeyPatch
):
    factories.make_document(organization, "Manual", MANUAL)
    use_model(GOOD, fails_after=0)
    months = iter([date(2026, 1, 1)])
    monkeypatch.setattr(usage, "this_month", lambda: next(months, date(2026, 2, 1)))
    assert ask(organization, employee_membership).origin == "extractive"
    with organization_scope(organization.pk):
        counted = dict(LanguageModelUsage.objects.values_list("month", "answers"))
    assert counted == {date(2026, 1, 1): 0}


def test_an_error_after_the_reply_gives_the_answer_back(
    organization: Organization, employee_membership: Membership, use_model: UseModel, monkeypatch: pytest.MonkeyPatch
):
    factories.make_document(organization, "Manual", MANUAL)
    use_model(GOOD)

    def broken(*_arguments: Any, **_options: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(answering, "ground", broken)
    with pytest.raises(ZeroDivisionError):
        ask(organization, employee_membership)
    assert month_of(organization).answers == 0


def test_an_organizations_choices_keep_its_other_settings(organization: Organization):
    organization.settings = {"otra": 1}
    organization.save()
    set_policy(organization, TutorPolicy(hides_names=True))
    organization.refresh_from_db()
    assert organization.settings["otra"] == 1
    assert policy_of(organization) == TutorPolicy(hides_names=True)
