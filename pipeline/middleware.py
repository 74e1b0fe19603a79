"""The one Dramatiq middleware: a worker process's lease, beat, refill, watchdog and drain."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any

import dramatiq
import psycopg
import structlog
from dramatiq.worker import Worker
from sqlalchemy.exc import SQLAlchemyError

import reasons
from pipeline import lease, refill, rescue, window
from pipeline.broker import has_lost_its_memory
from pipeline.doorbell import BROKER_FAULTS
from pipeline.stage import all_stages
from settings import settings

log = structlog.get_logger("worker")

DATABASE_FAULTS = (psycopg.Error, SQLAlchemyError)

# A row of ours that we do not know to run: its claim was stored, but the answer got lost on the way.
STRAY_AFTER_SECONDS = 20.0
WATCH_SECONDS = 1.0


class WorkerLife(dramatiq.Middleware):
    """Keeps a worker process honest from boot to drain."""

    def __init__(self) -> None:
        self.worker: Worker | None = None
        self.lease: lease.Lease | None = None
        self.refiller: refill.Refiller | None = None
        self.beat: threading.Thread | None = None
        self.stopped = threading.Event()
        self.parent = os.getppid()

    def before_worker_boot(self, broker: dramatiq.Broker, worker: Worker) -> None:
        """Hold a lease before the first message can arrive."""
        self.worker = worker
        self.parent = os.getppid()
        queues = sorted(worker.consumer_whitelist or broker.get_declared_queues())
        self.lease = lease.install(lease.Lease(queues))
        self.refiller = refill.Refiller()
        refill.install(self.refiller)
        self.refiller.start()
        self._beat_once()
        self.beat = self._start("beat", self._beat, settings().lease_beat_seconds)
        self._start("watchdog", self._watch, WATCH_SECONDS)

    def before_worker_shutdown(self, broker: dramatiq.Broker, worker: Worker) -> None:
        """Claim nothing more; what runs may end."""
        if self.lease is not None:
            self.lease.draining.set()

    def after_worker_shutdown(self, broker: dramatiq.Broker, worker: Worker) -> None:
        """Give back what could not end in time, attempt unspent, and leave."""
        self.stopped.set()
        if self.refiller is not None:
            self.refiller.stop()
        if self.lease is None:
            return
        try:
            rescue.hand_back(self.lease.id).ring()
            self.lease.end()
        except DATABASE_FAULTS as fault:
            log.warning("drain-without-database", error=str(fault))

    def _start(self, name: str, step: Any, seconds: float) -> threading.Thread:
        def repeat() -> None:
            while not self.stopped.wait(seconds):
                step()

        thread = threading.Thread(target=repeat, name=name, daemon=True)
        thread.start()
        return thread

    def _beat(self) -> None:
        self._beat_once()
        try:
            if has_lost_its_memory():
                log.info("broker-was-empty", doing="ringing anew for what waits")
                for stage in all_stages():
                    window.ring_anew(stage)
        except BROKER_FAULTS as fault:
            log.warning("broker-unreachable", error=str(fault))
        except DATABASE_FAULTS as fault:
            log.warning("beat-failed", error=str(fault))

    def _beat_once(self) -> None:
        """Renew, then look after what dead peers held and what we hold without knowing."""
        assert self.lease is not None  # noqa: S101 - set before the beat starts
        try:
            self.lease.renew()
            rescue.rescue_dead().ring()
            rescue.hand_back(
                self.lease.id,
                but_not=self.lease.running_now(),
                older_than_seconds=STRAY_AFTER_SECONDS,
                reason=reasons.CLAIM_UNANSWERED,
            ).ring()
        except DATABASE_FAULTS as fault:
            log.warning("beat-failed", error=str(fault))

    def _watch(self) -> None:
        """Leave, in good order, when a thread has died or the parent is gone; a fresh process takes over."""
        if self.lease is not None and self.lease.draining.is_set():
            return  # threads are ending because they were told to, and a second signal would kill what still runs
        fault = self._what_is_wrong()
        if fault is not None:
            log.critical("worker-leaves", why=fault)
            self.stopped.wait(0.1)
            os.kill(os.getpid(), signal.SIGTERM)
            self.stopped.wait(settings().drain_seconds + 30)

    def _what_is_wrong(self) -> str | None:
        assert self.worker is not None  # noqa: S101 - set at boot
        if os.getppid() != self.parent:
            return "parent-process-gone"
        dead = [name for name, thread in self.worker.consumers.items() if not thread.is_alive()]
        if dead:
            return f"consumer-thread-dead: {', '.join(dead)}"
        if any(not thread.is_alive() for thread in self.worker.workers):
            return "worker-thread-dead"
        if self.beat is not None and not self.beat.is_alive():
            return "beat-thread-dead"
        if self.refiller is not None and not self.refiller.is_alive():
            return "refill-thread-dead"
        return None
