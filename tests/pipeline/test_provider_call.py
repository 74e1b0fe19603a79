"""One call to a provider: what a refusal costs, and what it means for the work and the stage."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

import settings
from errors import Final, Passing, Snooze, Trouble
from pipeline import controls, provider_call
from pipeline.provider_call import Call
from tests.pipeline.stagehand import Stagehand

PRICE = Decimal("0.035")
CALL = Call("google", None, PRICE)


def spent(stagehand: Stagehand) -> Decimal:
    (row,) = stagehand.rows("SELECT coalesce(sum(usd), 0) AS usd FROM provider_days")
    return Decimal(row["usd"])


def refuse(trouble: Trouble) -> None:
    raise trouble


def test_an_answer_is_paid_for(stagehand: Stagehand) -> None:
    assert provider_call.ask(stagehand.hold("anna"), CALL, lambda: 42) == 42
    assert spent(stagehand) == PRICE


@pytest.mark.parametrize(
    ("trouble", "usd"),
    [
        (Passing("timeout", "no answer"), PRICE),
        (Passing("server-error", "HTTP 503", status=503), PRICE),
        (Final("unknown-place", "no such town"), PRICE),
        (Passing("refused", "nobody listens"), Decimal(0)),
        (Final("not-found", "HTTP 404", status=404), Decimal(0)),
        (Final("stale-page", "HTTP 400"), Decimal(0)),
    ],
    ids=lambda given: str(given),
)
def test_only_what_was_certainly_not_charged_is_given_back(
    stagehand: Stagehand, trouble: Trouble, usd: Decimal
) -> None:
    with pytest.raises(type(trouble), match=trouble.reason):
        provider_call.ask(stagehand.hold("anna"), CALL, lambda: refuse(trouble))
    assert spent(stagehand) == usd


@pytest.mark.parametrize(
    ("trouble", "error"),
    [
        (Final("dns", "nominatim.example: Name or service not known"),
         "nominatim.example: Name or service not known; is this machine offline?"),
        (Passing("unreachable"), "unreachable; is this machine offline?"),
        (Passing("server-error", "HTTP 503", status=503), "HTTP 503"),
    ],
)  # fmt: skip
def test_a_provider_that_cannot_be_found_makes_one_think_of_the_own_line(
    stagehand: Stagehand, trouble: Trouble, error: str
) -> None:
    with pytest.raises(type(trouble)) as raised:
        provider_call.ask(stagehand.hold("anna"), CALL, lambda: refuse(trouble))
    assert raised.value.error == error


def test_a_provider_that_is_asked_too_fast_rests_for_everybody(stagehand: Stagehand) -> None:
    slow = Passing("rate-limited", "HTTP 429", status=429, retry_after=timedelta(seconds=40))
    with pytest.raises(Snooze, match="rate-limited"):
        provider_call.ask(stagehand.hold("anna"), CALL, lambda: refuse(slow))
    with pytest.raises(Snooze, match="in 40 s"):
        provider_call.ask(stagehand.hold("bella"), CALL, lambda: 42)
    assert spent(stagehand) == 0


def test_a_bad_key_stops_the_stage_and_spends_neither_money_nor_attempts(
    stagehand: Stagehand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_MAPS_API_KEY", "hunter2hunter2")
    settings.settings.cache_clear()
    bad = Final("bad-key", "hunter2hunter2 is not a valid key.", status=400)
    turn = stagehand.hold("anna")
    with pytest.raises(Snooze, match="bad-key") as snooze:
        provider_call.ask(turn, CALL, lambda: refuse(bad))
    assert snooze.value.until > datetime.now(UTC)
    assert controls.paused_stages() == {"first"}
    (row,) = stagehand.rows("SELECT note FROM stage_controls")
    assert row["note"].startswith("Google refuses the key of GOOGLE_MAPS_API_KEY: ")
    assert row["note"].endswith("; correct it and run `scrapersky resume first`")
    assert "hunter2" not in row["note"]
    assert spent(stagehand) == 0
