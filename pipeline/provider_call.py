"""One call to a place provider: in its turn, within the money, and a refusal turned into what to do about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TypeVar

import structlog

import reasons
from errors import Outcome, Snooze, Trouble
from pipeline import controls, provider_pace, spending
from pipeline.finish import storable
from pipeline.stage import Turn

log = structlog.get_logger("provider_call")

T = TypeVar("T")

# Nobody was asked, or the provider turned the call away before it did any work.
NEVER_ASKED = {
    reasons.DNS, reasons.REFUSED, reasons.UNREACHABLE, reasons.UNSAFE_ADDRESS, reasons.PROXY, reasons.BAD_URL,
    reasons.NO_SANDBOX, reasons.CONTACT_NEEDED, reasons.BAD_KEY, reasons.RATE_LIMITED, reasons.BAD_REQUEST,
    reasons.STALE_PAGE,
}  # fmt: skip
# A provider is always there, so this is likelier to tell about us.
NOT_REACHED = {reasons.DNS, reasons.UNREACHABLE}
# The pause is what holds it back: once the stage is resumed it need not wait any longer.
WAIT_FOR_KEY = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class Call:
    """What a call is made of that is not the question itself: whom it asks, for which search, and its price."""

    provider: str
    search_id: int | None
    usd: Decimal


def ask(turn: Turn, call: Call, question: Callable[[], T]) -> T:
    """Put one question to a provider; raise what its refusal means for the work."""
    provider_pace.wait_for_turn(turn, call.provider)
    charge = spending.reserve(turn, call.search_id, call.provider, call.usd)
    try:
        return question()
    except Trouble as trouble:
        if trouble.reason in NEVER_ASKED or 400 <= (trouble.status or 0) < 500:
            spending.give_back(charge)
        raise _meant(turn, call, trouble) from trouble


def _meant(turn: Turn, call: Call, trouble: Trouble) -> Outcome:
    if trouble.reason == reasons.RATE_LIMITED:
        return provider_pace.rest(call.provider, trouble.retry_after)
    if trouble.reason == reasons.BAD_KEY:
        return _stop_the_stage(turn, call, trouble)
    if trouble.reason in NOT_REACHED:
        trouble.error = f"{trouble.error or trouble.reason}; is this machine offline?"
    return trouble


def _stop_the_stage(turn: Turn, call: Call, trouble: Trouble) -> Snooze:
    """Pause the stage: every further call would be refused too, and each would end as a failed row."""
    stage = turn.stage.name
    said = storable(trouble.error or trouble.reason) or ""
    note = (
        f"{call.provider.title()} refuses the key of GOOGLE_MAPS_API_KEY: {said.rstrip('.')};"
        f" correct it and run `scrapersky resume {stage}`"
    )
    controls.pause(turn.stage, note)
    log.error("stage-paused", stage=stage, reason=trouble.reason, error=note)
    return Snooze(reasons.BAD_KEY, until=datetime.now(UTC) + WAIT_FOR_KEY, error=note)
