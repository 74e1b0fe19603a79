"""A stage: what it works on, what comes next, and its limits. The registry knows them all in pipeline order."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from difflib import get_close_matches
from functools import cached_property
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from errors import BadInput, BadSetting
from models.base import Base
from settings import SweeperSettings, settings, sweeper_settings


class Snapshot:
    """An entity's columns as they were when the work was claimed; read-only."""

    __slots__ = ("_columns",)

    def __init__(self, columns: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_columns", columns)

    def __getattr__(self, name: str) -> Any:
        try:
            return self._columns[name]
        except KeyError:
            raise AttributeError(f"this entity has no column {name!r}") from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a snapshot cannot be changed: return what is new, or write it in save")

    def __repr__(self) -> str:
        return f"Snapshot({dict(self._columns)!r})"


@dataclass(frozen=True, slots=True)
class Turn:
    """One claimed run of one piece of work; `token` is its right to finish."""

    stage: Stage
    entity: Snapshot | None
    worker_id: UUID
    work_id: int
    token: int
    tenant_id: UUID
    entity_id: int
    attempt: int
    crashes: int
    auto: bool
    lane: str | None
    deadline_at: datetime
    host: tuple[Any, ...] = ()  # what was known of the lane's host when the work was claimed
    began: float = field(default_factory=time.monotonic, compare=False)

    @property
    def seconds(self) -> float:
        """How long it has run by now."""
        return time.monotonic() - self.began


@dataclass(frozen=True, slots=True)
class Child:
    """What a stage hands on: an existing entity by id, or a row to upsert on its natural key.

    `stage` is the stage that goes on with it; by default the first successor. Work that it has there already is left
    alone, unless that ended longer ago than `again_after`.
    """

    row: Mapping[str, Any] | None = None
    entity_id: int | None = None
    stage: str | None = None
    again_after: timedelta | None = None

    def __post_init__(self) -> None:
        if (self.row is None) == (self.entity_id is None):
            raise ValueError("a Child is either a row or an entity_id")


@dataclass(frozen=True, slots=True)
class Done:
    """A stage's result. Without children, a stage that has a successor must give the reason for none."""

    children: Iterable[Child] = ()
    reason: str | None = None
    value: Any = None


Work = Callable[[Any, Turn], Done]
Save = Callable[[Session, Turn, Done], None]


@dataclass(frozen=True, eq=False)
class Stage:
    """The declaration of a stage; everything else about it is derived from here."""

    name: str
    entity: type[Base]
    work: Work
    save: Save | None = None
    successors: tuple[str, ...] = ()
    attempts: int = 5
    time_limit: timedelta = timedelta(minutes=2)
    back_off: timedelta | None = None  # before the second try, doubling; else BACK_OFF_SECONDS
    lane: str | None = None
    window: int = 256
    unattended: bool = False
    settings_prefix: str = ""
    sweep_defaults: Mapping[str, int] = field(
        default_factory=lambda: {"interval_minutes": 1, "batch_size": 50, "max_instances": 1}
    )

    def __post_init__(self) -> None:
        columns = self.entity.__table__.columns
        if self.lane is not None and self.lane not in columns:
            raise BadSetting(f"Stage {self.name} takes its lane from {self.lane!r}, which {self.table} does not have.")

    @property
    def table(self) -> str:
        return str(self.entity.__tablename__)

    @cached_property
    def is_curated(self) -> bool:
        """Tell whether a person decides about its entities; what nobody decides about waits for nobody.

        An `unattended` stage does not wait either: its entities were decided on before an earlier stage of theirs.
        """
        return "curation_status" in self.entity.__table__.columns and not self.unattended

    @cached_property
    def sweeper(self) -> SweeperSettings:
        return sweeper_settings(self.settings_prefix or self.name.upper(), **self.sweep_defaults)


_registry: dict[str, Stage] = {}


def register(stage: Stage) -> Stage:
    """Add a stage; two stages of one name would share a queue, so that is refused."""
    if stage.name in _registry:
        raise BadSetting(f"Two stages are named {stage.name!r}: rename one of them.")
    _registry[stage.name] = stage
    return stage


def all_stages() -> list[Stage]:
    """Give every stage in pipeline order."""
    return list(_registry.values())


def lane_stages() -> list[Stage]:
    return [stage for stage in _registry.values() if stage.lane]


def stage_named(name: str) -> Stage:
    """Find a stage or say which there are."""
    if name in _registry:
        return _registry[name]
    close = get_close_matches(name, _registry, n=1)
    known = ", ".join(_registry) or "none"
    hint = f"Did you mean {close[0]}?" if close else f"The stages are: {known}."
    raise BadInput(f"There is no stage {name!r}. {hint}")


def load_stages() -> list[Stage]:
    """Import every module that declares stages and check that the graph is whole."""
    for module in settings().stage_modules.split(","):
        try:
            importlib.import_module(module.strip())
        except ModuleNotFoundError as fault:
            if fault.name != module.strip():
                raise
            raise BadSetting(f"STAGE_MODULES names {module.strip()!r}, which cannot be imported.") from None
    for stage in _registry.values():
        for successor in stage.successors:
            stage_named(successor)
        _ = stage.sweeper
    return all_stages()
