"""Tries are counted once for all web processes, before they are made, and forgotten after a while."""

from __future__ import annotations

from datetime import timedelta

import pytest

from accounts import attempts
from errors import TooManyTries
from pipeline import database
from pipeline.database import transaction
from settings import settings
from tests.accounts.residents import at_once, execute, value

ANNA = "anna@example.org"


@pytest.fixture(autouse=True)
def _house(house: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGIN_TRIES_PER_ADDRESS", "7")
    settings.cache_clear()


def failures(subject: attempts.Subject) -> int | None:
    found: int | None = value("SELECT failures FROM login_attempts WHERE subject = %s", subject.hash)
    return found


def test_after_the_last_free_try_somebody_waits() -> None:
    subject = attempts.account(ANNA)
    for _ in range(5):
        attempts.take(subject)
    with pytest.raises(TooManyTries, match="wait 15 minutes") as refused:
        attempts.take(subject)
    assert timedelta(minutes=14) < refused.value.retry_after <= timedelta(minutes=15)
    attempts.take(attempts.account("bob@example.org"))


def test_many_at_once_are_no_way_around() -> None:
    subject = attempts.account(ANNA)
    came = at_once(20, lambda: attempts.take(subject), TooManyTries)
    assert len([one for one in came if one is None]) == 5


def test_the_count_survives_the_process(house: str) -> None:
    subject = attempts.account(ANNA)
    for _ in range(5):
        attempts.take(subject)
    database.use(house)
    with pytest.raises(TooManyTries):
        attempts.take(subject)


def test_time_heals() -> None:
    subject = attempts.account(ANNA)
    for _ in range(5):
        attempts.take(subject)
    execute("UPDATE login_attempts SET began_at = began_at - interval '14 minutes'")
    with pytest.raises(TooManyTries, match="wait a minute"):
        attempts.take(subject)
    execute("UPDATE login_attempts SET began_at = began_at - interval '1 minute'")
    attempts.take(subject)
    assert failures(subject) == 1


def test_who_is_refused_for_their_address_does_not_lock_an_account() -> None:
    place, account = attempts.address("192.0.2.7"), attempts.account(ANNA)
    for _ in range(7):
        attempts.take(place)
    with pytest.raises(TooManyTries):
        attempts.take(place, account)
    assert failures(account) is None


def test_success_clears_the_account_and_takes_back_one_try_of_the_address() -> None:
    place, account = attempts.address("192.0.2.7"), attempts.account(ANNA)
    for _ in range(3):
        attempts.take(place, account)
    with transaction() as (_, connection):
        attempts.clear(connection, account)
        attempts.give_back(connection, place)
    assert (failures(account), failures(place)) == (None, 2)


def test_old_failures_are_swept_up_by_new_ones() -> None:
    for number in range(30):
        execute("INSERT INTO login_attempts VALUES (%s, 3, now() - interval '16 minutes')", str(number))
    attempts.take(attempts.account(ANNA))
    assert value("SELECT count(*) FROM login_attempts") == 1


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2", True),
        ("unknown", "unknown", True),
    ],
)
def test_an_address_is_a_customer(one: str, other: str, same: bool) -> None:
    assert (attempts.address(one) == attempts.address(other)) == same


def test_nothing_readable_is_kept() -> None:
    attempts.take(attempts.account(ANNA), attempts.address("192.0.2.1"))
    kept = value("SELECT string_agg(subject, ' ') FROM login_attempts")
    assert "anna" not in kept
    assert "192" not in kept.split()
    assert len(kept) == 129
