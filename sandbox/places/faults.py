"""Faults on demand: the nth call of a provider fails in the way that a test or an option says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

# A status to answer with; `timed-out` is Overpass's 200 with a remark instead of elements.
Fault = int | Literal["reset", "hang", "timed-out"]


class Faults:
    """Counts calls and says which one fails."""

    def __init__(self, script: Mapping[int, Fault] | None = None, every: int = 0, fault: Fault = 503) -> None:
        self._script = dict(script or {})
        self._every = every
        self._fault = fault
        self.calls = 0

    def next(self) -> Fault | None:
        """Count one call; give its fault, or None when it is to be answered."""
        self.calls += 1
        if self.calls in self._script:
            return self._script[self.calls]
        return self._fault if self._every and self.calls % self._every == 0 else None
