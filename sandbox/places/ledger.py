"""The ledger: every call of Google's by kind, tier and status, what it would cost, and what was bought twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from sandbox.places.fields import ATMOSPHERE, ENTERPRISE, ESSENTIALS, IDS, PLACE, PRO, details_tier

SEARCH, DETAILS = "searchText", "details"

# US dollars for a thousand calls below the first volume discount, provider's list of March 2025.
USD_PER_THOUSAND = {
    (SEARCH, IDS): 0,
    (SEARCH, PRO): 32,
    (SEARCH, ENTERPRISE): 35,
    (SEARCH, ATMOSPHERE): 40,
    (DETAILS, IDS): 0,
    (DETAILS, ESSENTIALS): 5,
    (DETAILS, PRO): 17,
    (DETAILS, ENTERPRISE): 20,
    (DETAILS, ATMOSPHERE): 25,
}
MOST_REMEMBERED = 200_000
_BIT = {name: 0 if details_tier([name]) == IDS else 1 << nth for nth, name in enumerate(PLACE)}


class Ledger:
    """Keeps the books of a sandbox that charges nothing."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str, int]] = Counter()
        self.values_bought_twice = 0
        self._paid: Counter[str] = Counter()
        self._bought: dict[str, int] = {}

    def record(self, kind: str, tier: str, status: int, call: str = "") -> None:
        """Enter one call; `call` says what was asked, so that the same one is known again."""
        self.counts[kind, tier, status] += 1
        if status == 200 and USD_PER_THOUSAND[kind, tier] and len(self._paid) < MOST_REMEMBERED:
            self._paid[call] += 1

    def sell(self, place_id: str, fields: Iterable[str]) -> None:
        """Enter the values handed over, ids apart, and count those that had been paid for before."""
        wanted = sum({_BIT[name] for name in fields})
        had = self._bought.get(place_id, 0)
        self.values_bought_twice += (wanted & had).bit_count()
        if had or len(self._bought) < MOST_REMEMBERED:
            self._bought[place_id] = had | wanted

    @property
    def calls(self) -> int:
        """How many calls were made, refused ones included."""
        return self.counts.total()

    @property
    def usd(self) -> float:
        """What the answered calls would cost."""
        paid = ((kind, tier, count) for (kind, tier, status), count in self.counts.items() if status == 200)
        return round(sum(USD_PER_THOUSAND[kind, tier] * count for kind, tier, count in paid) / 1_000, 6)

    @property
    def paid_twice(self) -> dict[str, int]:
        """The calls that were paid for more than once, with how often."""
        return {call: times for call, times in self._paid.items() if times > 1}

    def as_json(self) -> dict[str, object]:
        """Give everything as plain data."""
        return {
            "calls": self.calls,
            "usd": self.usd,
            "by_kind": [
                {"kind": kind, "tier": tier, "status": status, "count": count}
                for (kind, tier, status), count in sorted(self.counts.items())
            ],
            "paid_twice": self.paid_twice,
            "values_bought_twice": self.values_bought_twice,
        }
