"""The load: puppets with scripts, what must become of each, and a feeder that hands them in over time."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.types.json import Jsonb
from sqlalchemy.exc import SQLAlchemyError

from settings import settings
from tests.chaos.world import World

STAGES = ("first", "second", "third", "fourth", "fifth")
HOSTS = 50
HANDFULS = (1, 2, 5, 5, 40)

# An act that must decide the end is played on every try: a crash makes the next try skip one.
ALWAYS = 30
ENDS: dict[str, tuple[str, str]] = {
    "filtered": ("Filtered", "not-wanted"),
    "final": ("Error", "refused"),
    "bug": ("Error", "unexpected-error"),
    "nothing": ("Error", "no-result"),
    "childless": ("Completed", "no-children"),
}
ENDING_SHARE, HURDLE_SHARE, LONG_SHARE = 0.08, 0.15, 0.2

Fate = dict[tuple[str, str], tuple[str, str | None]]


@dataclass(frozen=True)
class Item:
    """One puppet handed in at stage `first`, with the whole script of itself and its children."""

    name: str
    host: str
    script: dict[str, dict[str, Any]]

    def fate(self) -> Fate:
        """Tell how the work of every (entity, stage) must end."""
        return dict(_fate(self.name, 0, self.script))

    @property
    def entities(self) -> int:
        return len({name for name, _ in self.fate()})


def _fate(name: str, at: int, script: dict[str, dict[str, Any]]) -> Iterator[tuple[tuple[str, str], Any]]:
    stage, is_last = STAGES[at], at == len(STAGES) - 1
    part = script.get(stage, {})
    acts = part.get("acts", [])
    ending = ENDS.get(acts[0]) if len(acts) == ALWAYS else None
    yield (name, stage), ending or ("Completed", None)
    if ending or is_last:
        return
    heirs = [f"{name}.{nth}" for nth in range(part["fan"])] if "fan" in part else [name]
    for heir in heirs:
        yield from _fate(heir, at + 1, script)


def make_items(dice: random.Random, entities: int) -> list[Item]:
    """Write scripts until so many entities will travel."""
    items: list[Item] = []
    total = 0
    while total < entities:
        items.append(_make_item(dice, len(items)))
        total += items[-1].entities
    return items


def _make_item(dice: random.Random, number: int) -> Item:
    script: dict[str, dict[str, Any]] = {stage: {"seconds": _seconds(dice)} for stage in STAGES}
    fan_at = dice.choice(("first", "second", "second", None))
    if fan_at:
        script[fan_at]["fan"] = dice.randint(1, 4)
    spice = dice.random()
    if spice < ENDING_SHARE:
        stage = dice.choice(STAGES[:-1])
        script[stage]["acts"] = [dice.choice(list(ENDS))] * ALWAYS
    elif spice < ENDING_SHARE + HURDLE_SHARE:
        script[dice.choice(STAGES)] |= dice.choice(({"acts": ["passing"]}, {"acts": ["bug"]}, {"snoozes": 2}))
    return Item(f"puppet-{number}", f"host-{dice.randrange(HOSTS)}.example", script)


def _seconds(dice: random.Random) -> float:
    """Mostly some milliseconds; now and then so long that a stopped process surely holds it."""
    return round(dice.uniform(0.5, 2.0) if dice.random() < LONG_SHARE else dice.uniform(0.002, 0.05), 3)


class Feeder(threading.Thread):
    """Hands items in, a handful at a time at an even pace, and writes more until told that it is enough."""

    def __init__(self, world: World, items: list[Item], seconds: float, dice: random.Random) -> None:
        super().__init__(name="feeder", daemon=True)
        self.world, self.items, self.dice = world, items, dice
        self.seconds_each = seconds / len(items)
        self.fed = 0
        self.enough = threading.Event()

    def run(self) -> None:
        began, planned = time.monotonic(), len(self.items)
        while self.fed < planned or not self.enough.is_set():
            handful = [self._item(self.fed + nth) for nth in range(self.dice.choice(HANDFULS))]
            self._hand_in(handful)
            self.fed += len(handful)
            time.sleep(max(0.0, began + self.seconds_each * self.fed - time.monotonic()))

    def finish(self) -> None:
        """Hand in what was planned and no more."""
        self.enough.set()
        self.join()

    def _item(self, number: int) -> Item:
        while number >= len(self.items):
            self.items.append(_make_item(self.dice, len(self.items)))
        return self.items[number]

    def _hand_in(self, items: list[Item]) -> None:
        from pipeline import doorbell, window
        from tests.puppets import first

        while not self._is_stored(items):
            time.sleep(0.2)
        try:
            doorbell.ring(window.fill(first))
        except (psycopg.Error, SQLAlchemyError):
            return  # stored and not rung: the sweeper's business

    def _is_stored(self, items: list[Item]) -> bool:
        """Store puppets and work in one transaction; a lost answer to the commit must not hand them in twice."""
        try:
            with psycopg.connect(self.world.servers.database_url) as connection:
                _store(connection, items)
        except psycopg.OperationalError:
            return False
        return True


def _store(connection: psycopg.Connection[Any], items: list[Item]) -> None:
    from pipeline import queue
    from tests.puppets import first

    tenant = settings().default_tenant_id
    stored = connection.execute("SELECT 1 FROM puppets WHERE name = %s", (items[0].name,)).fetchone()
    if stored:
        return
    ids = []
    for item in items:
        row = connection.execute(
            "INSERT INTO puppets (tenant_id, name, host, script) VALUES (%s, %s, %s, %s) RETURNING id",
            (tenant, item.name, item.host, Jsonb(item.script)),
        ).fetchone()
        ids.append(row[0] if row else 0)
    queue.add(connection, first, ids)
