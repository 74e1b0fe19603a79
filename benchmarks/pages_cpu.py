"""CPU by kind of process: what a stretch of time cost workers, servers and sandbox, processes that ended included."""

from __future__ import annotations

from collections.abc import Mapping

import psutil


class Meter:
    """Reads the CPU seconds of process trees, each known by the id of its root."""

    def __init__(self, roots: Mapping[str, int]) -> None:
        self.roots = dict(roots)
        self._before = self._read()

    def spent(self) -> dict[str, float]:
        """Give what each tree has used since this meter was made."""
        return {name: seconds - self._before[name] for name, seconds in self._read().items()}

    def _read(self) -> dict[str, float]:
        return {name: tree_seconds(pid) for name, pid in self.roots.items()}


def tree_seconds(pid: int) -> float:
    """Add up a process, its living descendants, and those that ended and were waited for."""
    root = psutil.Process(pid)
    total = 0.0
    for process in (root, *root.children(recursive=True)):
        try:
            total += sum(process.cpu_times()[:4])  # own user and system, then those of children that ended
        except psutil.NoSuchProcess:
            continue
    return total


def per_page(spent: Mapping[str, float], pages: int) -> str:
    """Write CPU milliseconds a page, in all and by kind."""
    parts = ", ".join(f"{name} {seconds / pages * 1000:.2f}" for name, seconds in spent.items())
    return f"{sum(spent.values()) / pages * 1000:.2f} ms CPU a page ({parts})"
