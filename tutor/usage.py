"""How much of the language model an organization uses in a month, and its quota. Call inside its scope."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from skillnet.backends.metering import Tokens
from tutor.models import LanguageModelUsage
from tutor.policy import policy_of_id

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class MonthlyUsage:
    """A month's answers by the language model, and what those and all else it did cost in the currency of the prices
    set.
    """

    month: date
    answers: int
    prompt_tokens: int
    reply_tokens: int
    cost: Decimal
    quota: int | None

    @property
    def is_used_up(self) -> bool:
        return self.quota is not None and self.answers >= self.quota


def this_month() -> date:
    """The first day of the current month, in the installation's time zone."""
    return timezone.localdate().replace(day=1)


@transaction.atomic
def reserve_answer(organization_id: UUID, month: date) -> bool:
    """Count one answer more of a month, before the model is asked. False, and nothing counted, when the
    organization's quota is used up; however many ask at once.
    """
    quota = policy_of_id(organization_id).quota
    usage = _row_of(organization_id, month)
    if quota is not None:
        usage = usage.filter(answers__lt=quota)
    return bool(usage.update(answers=F("answers") + 1) == 1)


@transaction.atomic
def release_answer(organization_id: UUID, month: date) -> None:
    """Take back an answer that was reserved in `month` and did not come."""
    usage = LanguageModelUsage.objects.filter(organization_id=organization_id, month=month, answers__gt=0)
    usage.update(answers=F("answers") - 1)


@transaction.atomic
def record_tokens(organization_id: UUID, month: date, tokens: Tokens) -> None:
    """Add what was taken to a month, for an answer that of its reservation, at the prices set now."""
    if tokens != Tokens():
        _row_of(organization_id, month).update(
            prompt_tokens=F("prompt_tokens") + tokens.prompt,
            reply_tokens=F("reply_tokens") + tokens.reply,
            cost=F("cost") + _cost_of(tokens),
        )


def record_beside_answers(organization_id: UUID, tokens: Tokens) -> None:
    """Add what was taken this month and is no answer: a choice of lessons, a lesson's text."""
    record_tokens(organization_id, this_month(), tokens)


def _row_of(organization_id: UUID, month: date) -> Any:
    """A month's row, made where there is none yet."""
    LanguageModelUsage.objects.bulk_create(
        [LanguageModelUsage(organization_id=organization_id, month=month)], ignore_conflicts=True
    )
    return LanguageModelUsage.objects.filter(organization_id=organization_id, month=month)


def _cost_of(tokens: Tokens) -> Decimal:
    """What so many tokens cost, to a millionth."""
    prices = settings.SKILLNET_LLM_PRICES
    total = tokens.prompt * Decimal(str(prices["prompt"])) + tokens.reply * Decimal(str(prices["reply"]))
    return (total / MILLION).quantize(Decimal("0.000001"))


def usage_of(organization_id: UUID) -> MonthlyUsage:
    """This month so far."""
    month = this_month()
    found = LanguageModelUsage.objects.filter(organization_id=organization_id, month=month).first()
    usage = found or LanguageModelUsage(month=month)
    return MonthlyUsage(
        month=month,
        answers=usage.answers,
        prompt_tokens=usage.prompt_tokens,
        reply_tokens=usage.reply_tokens,
        cost=usage.cost,
        quota=policy_of_id(organization_id).quota,
    )
