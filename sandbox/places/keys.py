"""API keys: which are good, and which bring trouble of their own."""

from __future__ import annotations

import re
from collections import Counter

from sandbox.places.faults import Fault
from sandbox.places.refusal import Refusal, reason

MOST_KEYS = 1_000
# `sandbox-fail-after-2`: two calls are answered, all later ones fail. `-once-`: only the third fails.
# `sandbox-quota-2`: two calls are answered, then the quota is used up. Anything may follow, to make a key one's own.
_TROUBLE = re.compile(r"sandbox-(fail-after|fail-once-after|quota)-(\d{1,6})(?!\d)")


class Keys:
    """Counts the calls of the keys that bring trouble."""

    def __init__(self) -> None:
        self._calls: Counter[str] = Counter()

    def check(self, key: str) -> Fault | None:
        """Let a good key pass, give the fault that a troublesome one asks for, refuse all others."""
        if not key:
            raise Refusal(403, "The request is missing a valid API key.", reason("CREDENTIALS_MISSING"))
        if key == "forbidden":
            raise Refusal(403, "This API key may not call this service.", reason("API_KEY_SERVICE_BLOCKED"))
        if not key.startswith("sandbox-"):
            raise Refusal(400, "API key not valid. Please pass a valid API key.", reason("API_KEY_INVALID"))
        trouble = _TROUBLE.match(key)
        return None if trouble is None else self._trouble(key, trouble[1], int(trouble[2]))

    def _trouble(self, key: str, kind: str, good: int) -> Fault | None:
        if len(self._calls) >= MOST_KEYS and key not in self._calls:
            self._calls.clear()
        self._calls[key] += 1
        calls = self._calls[key]
        if calls <= good or (kind == "fail-once-after" and calls > good + 1):
            return None
        return 429 if kind == "quota" else 503
