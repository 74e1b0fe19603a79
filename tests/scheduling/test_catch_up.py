"""Catch up: what is late by how much still fires, and what was missed is said to be."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from scheduling.catch_up import MOST_TICKS, Policy, Step, next_step

NOW = datetime(2026, 11, 15, 9, 0, 2, tzinfo=UTC)
HOUR = timedelta(hours=1)


def late(*minutes: int) -> list[datetime]:
    return [NOW - timedelta(minutes=each, seconds=2) for each in minutes]


@pytest.mark.parametrize(
    ("catch_up", "owed", "missed", "fires"),
    [
        ("skip", late(0), [], late(0)),
        ("skip", late(20, 10), late(20, 10), []),
        ("skip", late(20, 10, 0), late(20, 10), late(0)),
        ("last", late(20, 10), late(20), late(10)),
        ("last", late(90, 10), late(90), late(10)),
        ("last", late(120, 90), late(120, 90), []),
        ("all", late(20, 10, 0), [], late(20)),
        ("all", late(90, 59, 10), late(90), late(59)),
        ("all", late(90), late(90), []),
    ],
)
def test_each_policy_fires_what_it_says(
    catch_up: str, owed: list[datetime], missed: list[datetime], fires: list[datetime]
) -> None:
    assert next_step(owed, NOW, Policy(catch_up, HOUR)) == Step(missed, fires[0] if fires else None)


def test_without_any_grace_a_tick_on_time_still_fires() -> None:
    assert next_step(late(0), NOW, Policy("last", timedelta(0))).fires == late(0)[0]
    assert next_step(late(2), NOW, Policy("last", timedelta(0))).fires is None


def test_after_a_long_absence_only_the_newest_fire() -> None:
    owed = late(*range(MOST_TICKS, -1, -1))
    step = next_step(owed, NOW, Policy("all", timedelta(days=7)))
    assert (step.missed, step.fires) == (owed[:1], owed[1])


def test_a_step_settles_everything_up_to_what_it_fires() -> None:
    assert next_step(late(20, 10, 0), NOW, Policy("skip", HOUR)).settles_until == late(0)[0]
    assert next_step(late(20, 10), NOW, Policy("skip", HOUR)).settles_until == late(10)[0]
