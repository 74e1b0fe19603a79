"""Stages: show the graph and what is in it; pause, resume, widen and sweep a stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import psycopg
from sqlalchemy.exc import SQLAlchemyError

import operations.stages
from cli.faults import explain
from cli.ready import quiet_logs, ready
from cli.text import duration, note, print_json, print_table, say
from errors import BadInput, UserError
from models.work import WORK_STATUSES
from operations import figures
from operations.figures import StageFigures
from pipeline import controls, window
from pipeline.broker import check_broker
from pipeline.stage import Stage, load_stages, stage_named
from pipeline.sweep import Swept, sweep
from settings import settings

DECLARED = ("stage", "works on", "lane", "then", "tries", "limit", "window", "sweep")
COUNTED = ("stage", *(status.lower() for status in WORK_STATUSES), "rung", "oldest due", "state")


def show(*, as_json: bool) -> None:
    """Print every stage, and what is in it if the database answers."""
    quiet_logs()
    stages = load_stages()
    if not stages:
        note(f"No stage is declared in STAGE_MODULES={settings().stage_modules}: see CONTRIBUTING.md on adding one.")
        return
    found, why = _figures_or_reason()
    if as_json:
        print_json(_as_json(stage, found) for stage in stages)
    else:
        _print_tables(stages, found)
    if why:
        note(f"Without counts: {why}")
    _note_unknown(stages, found)


def _figures_or_reason() -> tuple[Mapping[str, StageFigures] | None, str]:
    """Read the figures, or say why they cannot be read."""
    try:
        return figures.by_stage(), ""
    except (psycopg.Error, SQLAlchemyError, UserError) as fault:
        return None, str(explain(fault) or fault)


def _print_tables(stages: Sequence[Stage], found: Mapping[str, StageFigures] | None) -> None:
    print_table(DECLARED, [_declared(stage, _of(stage, found)) for stage in stages])
    if found is not None:
        print_table(COUNTED, [_counted(stage, _of(stage, found)) for stage in stages])
        for stage in stages:
            _note_pause(stage, _of(stage, found))


def _of(stage: Stage, found: Mapping[str, StageFigures] | None) -> StageFigures:
    return (found or {}).get(stage.name) or StageFigures()


def _declared(stage: Stage, figure: StageFigures) -> list[object]:
    sweeper = stage.sweeper
    return [
        stage.name,
        stage.table,
        stage.lane,
        ", ".join(stage.successors) or None,
        stage.attempts,
        duration(stage.time_limit),
        stage.window if figure.window is None else f"{figure.window} (declared {stage.window})",
        f"every {sweeper.interval_minutes}m, {sweeper.batch_size} at a time",
    ]


def _counted(stage: Stage, figure: StageFigures) -> list[object]:
    state = "paused" if figure.paused else "running"
    return [stage.name, *figure.counts.values(), figure.rung, duration(figure.oldest_due_seconds), state]


def _note_pause(stage: Stage, figure: StageFigures) -> None:
    if figure.paused and figure.note:
        note(f"{stage.name} is paused: {figure.note}")


def _as_json(stage: Stage, found: Mapping[str, StageFigures] | None) -> dict[str, Any]:
    figure = _of(stage, found)
    counts = {status.lower(): many for status, many in figure.counts.items()}
    return {
        "stage": stage.name,
        "entity": stage.table,
        "lane": stage.lane,
        "successors": stage.successors,
        "attempts": stage.attempts,
        "time_limit_seconds": stage.time_limit.total_seconds(),
        "window": figure.window or stage.window,
        "sweep_interval_minutes": stage.sweeper.interval_minutes,
        "sweep_batch_size": stage.sweeper.batch_size,
        "paused": None if found is None else figure.paused,
        "note": figure.note,
        "counts": None if found is None else counts,
        "rung": None if found is None else figure.rung,
        "oldest_due_seconds": figure.oldest_due_seconds,
    }


def _note_unknown(stages: Sequence[Stage], found: Mapping[str, StageFigures] | None) -> None:
    unknown = sorted((found or {}).keys() - {stage.name for stage in stages})
    if unknown:
        note(f"The database also holds work of stages that are not declared: {', '.join(unknown)}.")


def pause(name: str) -> None:
    """Have workers claim nothing more of a stage."""
    stage = _named(name)
    ready()
    operations.stages.pause(None, stage.name, None)
    say(f"{stage.name} is paused: what runs now ends as usual, nothing more is claimed.")


def resume(name: str) -> None:
    """Let a stage go on."""
    stage = _named(name)
    ready(broker=True)
    operations.stages.resume(None, stage.name)
    say(f"{stage.name} is running again.")


def set_window(name: str, size: str | None) -> None:
    """Show or change how much of a stage may be rung at a time."""
    stage = _named(name)
    chosen = _window_size(size)
    ready(broker=True)
    if size is not None:
        operations.stages.set_window(None, stage.name, chosen)
    room = window.look(stage)
    say(f"{stage.name} has a window of {room.size}, declared as {stage.window}.")


def _window_size(size: str | None) -> int | None:
    if size is None or size == "default":
        return None
    if not (size.isascii() and size.isdigit() and 1 <= int(size[:9]) <= controls.LARGEST_WINDOW) or len(size) > 9:
        raise BadInput(f"A window is a number from 1 to {controls.LARGEST_WINDOW}, or `default`, not {size[:40]!r}.")
    return int(size)


def sweep_now(name: str) -> None:
    """Sweep one stage, or all, and say what was repaired."""
    stages = load_stages() if name == "all" else [_named(name)]
    ready(broker=True)
    check_broker()
    for stage in stages:
        say(f"{stage.name}: {_repaired(sweep(stage))}")
    if not stages:
        say("No stage is declared, so there is nothing to sweep.")


def _repaired(swept: Swept) -> str:
    done = [f"{name.replace('_', ' ')} {many}" for name, many in asdict(swept).items() if many]
    return ", ".join(done) or "nothing to repair"


def _named(name: str) -> Stage:
    load_stages()
    return stage_named(name)
