"""Spending: all workers together never pass a search's budget or a provider's limit for the day."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from decimal import Decimal

import pytest

import settings
from errors import LateFinish, Snooze
from pipeline import rescue, spending
from pipeline.lease import Lease
from pipeline.spending import Charge, reserve
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together

PRICE, FREE = Decimal("0.035"), Decimal(0)


def add_search(stagehand: Stagehand, budget: str | None = None) -> int:
    sql = (
        "INSERT INTO searches (tenant_id, what, where_text, provider, budget_usd) VALUES (%s, 'dentists', 'Austin',"
        " 'google', %s) RETURNING id"
    )
    return int(stagehand.rows(sql, settings.settings().default_tenant_id, budget)[0]["id"])


def bill(stagehand: Stagehand, search: int) -> tuple[int, Decimal]:
    (row,) = stagehand.rows("SELECT calls, spent_usd FROM searches WHERE id = %s", search)
    return row["calls"], row["spent_usd"]


def days(stagehand: Stagehand) -> list[tuple[str, int, Decimal]]:
    rows = stagehand.rows("SELECT provider, calls, usd FROM provider_days ORDER BY provider")
    return [(row["provider"], row["calls"], row["usd"]) for row in rows]


def test_a_call_is_entered_in_both_books(stagehand: Stagehand) -> None:
    turn, search = stagehand.hold("anna"), add_search(stagehand)
    reserve(turn, search, "google", PRICE)
    charge = reserve(turn, search, "google", Decimal("0.02"))
    assert charge.day == datetime.now(UTC).date()
    assert bill(stagehand, search) == (2, Decimal("0.055"))
    assert days(stagehand) == [("google", 2, Decimal("0.055"))]


def test_a_free_call_is_counted(stagehand: Stagehand) -> None:
    turn, search = stagehand.hold("anna"), add_search(stagehand, "0")
    reserve(turn, search, "openstreetmap", Decimal(0))
    assert bill(stagehand, search) == (1, FREE)


def test_a_call_for_no_search_counts_for_the_day(stagehand: Stagehand) -> None:
    reserve(stagehand.hold("anna"), None, "google", PRICE)
    assert days(stagehand) == [("google", 1, PRICE)]


def test_a_spent_search_waits_for_a_raise(stagehand: Stagehand) -> None:
    turn, search = stagehand.hold("anna"), add_search(stagehand, "0.07")
    reserve(turn, search, "google", PRICE)
    reserve(turn, search, "google", PRICE)
    with pytest.raises(Snooze, match="budget") as snooze:
        reserve(turn, search, "google", PRICE)
    assert timedelta(minutes=59) < snooze.value.until - datetime.now(UTC) <= timedelta(hours=1)
    assert (bill(stagehand, search), days(stagehand)) == ((2, Decimal("0.07")), [("google", 2, Decimal("0.07"))])
    stagehand.execute("UPDATE searches SET budget_usd = 1 WHERE id = %s", search)
    reserve(turn, search, "google", PRICE)


def test_a_spent_day_waits_for_tomorrow(stagehand: Stagehand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVIDER_DAILY_BUDGET_USD", "0.05")
    settings.settings.cache_clear()
    turn, search = stagehand.hold("anna"), add_search(stagehand)
    reserve(turn, search, "google", PRICE)
    with pytest.raises(Snooze, match="PROVIDER_DAILY_BUDGET_USD") as snooze:
        reserve(turn, search, "google", PRICE)
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)
    assert snooze.value.until == datetime.combine(tomorrow, time(), UTC)
    assert bill(stagehand, search) == (1, PRICE)
    reserve(turn, search, "openstreetmap", PRICE)


def test_a_call_dearer_than_the_day_allows_is_never_made(stagehand: Stagehand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVIDER_DAILY_BUDGET_USD", "0.01")
    settings.settings.cache_clear()
    with pytest.raises(Snooze, match="budget"):
        reserve(stagehand.hold("anna"), None, "google", PRICE)
    assert days(stagehand) == []


def test_many_workers_never_pass_the_search_s_budget(stagehand: Stagehand) -> None:
    turns, search = [stagehand.hold(f"p{nth}") for nth in range(6)], add_search(stagehand, "0.35")

    def spend(nth: int) -> int:
        return sum(_may_spend(lambda: reserve(turns[nth], search, "google", PRICE)) for _ in range(5))

    assert sum(together(spend, 6)) == 10
    assert bill(stagehand, search) == (10, Decimal("0.35"))
    assert days(stagehand) == [("google", 10, Decimal("0.35"))]


def test_many_workers_and_searches_never_pass_the_day(stagehand: Stagehand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVIDER_DAILY_BUDGET_USD", "0.35")
    settings.settings.cache_clear()
    held = [(stagehand.hold(f"p{nth}"), add_search(stagehand)) for nth in range(6)]

    def spend(nth: int) -> int:
        turn, search = held[nth]
        return sum(_may_spend(lambda: reserve(turn, search, "google", PRICE)) for _ in range(5))

    spent = together(spend, 6)
    assert sum(spent) == 10
    assert [bill(stagehand, search)[0] for _, search in held] == spent
    assert days(stagehand) == [("google", 10, Decimal("0.35"))]


def test_what_was_not_charged_is_given_back(stagehand: Stagehand) -> None:
    turn, search = stagehand.hold("anna"), add_search(stagehand, "0.035")
    charge = reserve(turn, search, "google", PRICE)
    spending.give_back(charge)
    assert (bill(stagehand, search), days(stagehand)) == ((0, FREE), [("google", 0, FREE)])
    reserve(turn, search, "google", PRICE)


def test_giving_back_at_once_loses_nothing(stagehand: Stagehand) -> None:
    turn, search = stagehand.hold("anna"), add_search(stagehand)

    def there_and_back(nth: int) -> None:
        for _ in range(10):
            spending.give_back(reserve(turn, search, "google", PRICE))
        reserve(turn, search, "google", PRICE)

    together(there_and_back, 4)
    assert (bill(stagehand, search), days(stagehand)) == ((4, 4 * PRICE), [("google", 4, 4 * PRICE)])


def test_who_lost_the_work_spends_nothing(stagehand: Stagehand, worker: Lease) -> None:
    turn, search = stagehand.hold("anna"), add_search(stagehand)
    rescue.hand_back(worker.id)
    with pytest.raises(LateFinish):
        reserve(turn, search, "google", PRICE)
    assert (bill(stagehand, search), days(stagehand)) == ((0, FREE), [])


def _may_spend(step: object) -> bool:
    assert callable(step)
    try:
        return isinstance(step(), Charge)
    except Snooze:
        return False
