"""Refill: after finishing work, move the next due rows into a stage's window, a moment later and not too often."""

from __future__ import annotations

import threading

import structlog

from pipeline import doorbell, window
from pipeline.database import DRIVER_FAULTS
from pipeline.stage import Stage

log = structlog.get_logger("refill")

# Often enough to keep a window of 256 full at thousands a second; seldom enough to cost next to nothing.
SECONDS_BETWEEN = 0.2


class Refiller:
    """A thread that refills the stages in which this process has just finished something."""

    def __init__(self) -> None:
        self._asked: dict[str, Stage] = {}
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="refill", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._wake.set()

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def ask(self, stage: Stage) -> None:
        """Have a stage refilled soon."""
        with self._lock:
            self._asked[stage.name] = stage
        self._wake.set()

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._wake.wait()
            self._wake.clear()
            with self._lock:
                asked, self._asked = self._asked, {}
            for stage in asked.values():
                self._refill(stage)
            self._stopped.wait(SECONDS_BETWEEN)

    def _refill(self, stage: Stage) -> None:
        try:
            doorbell.ring(window.refill(stage))
        except DRIVER_FAULTS as fault:
            log.warning("refill-failed", stage=stage.name, error=str(fault))
            self.ask(stage)


_refiller: Refiller | None = None


def install(refiller: Refiller | None) -> None:
    """Make `refiller` this process's own."""
    global _refiller
    _refiller = refiller


def refill_soon(stage: Stage) -> None:
    """Have a stage refilled, if this process keeps a refiller: some of it has ended, or more of it waits for room."""
    if _refiller is not None:
        _refiller.ask(stage)
