"""truth.json: what a whole run over the world should find, one business after the other, and the sums."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from sandbox.business import Business
from sandbox.contacts import Decoy, Planted
from sandbox.hosts import companion_host, dead_host, profile
from sandbox.kinds import BY_NAME, FOUND, Outcome
from sandbox.siteplan import site_plan
from sandbox.world import World

FORMAT = 1  # grows when a field changes its meaning
Record = dict[str, Any]


def pieces(world: World) -> Iterator[bytes]:
    """Write the truth as one JSON object, a business a line, never held whole."""
    totals = Totals()
    yield b'{"settings": ' + _json(settings_of(world)) + b',\n"businesses": ['
    between = b"\n"
    for business in world:
        record = truth_of(world, business)
        totals.add(world, business, record)
        yield between + _json(record)
        between = b",\n"
    yield b'\n],\n"totals": ' + _json(totals.as_record()) + b"}\n"


def settings_of(world: World) -> Record:
    """Say what the world was made from."""
    return {
        "format": FORMAT,
        "size": len(world),
        "seed": world.seed,
        "town": world.towns[0].label if len(world.towns) == 1 else None,
        "category": world.categories[0].name if len(world.categories) == 1 else None,
    }


def truth_of(world: World, business: Business) -> Record:
    """Say what a run should find out about one business. A chain's contacts are on the record of every branch."""
    kind = BY_NAME[business.site_kind]
    contacts, decoys = contacts_of(world, business)
    return {
        "index": business.index,
        "place_id": business.place_id,
        "name": business.name,
        "town": business.town.label,
        "category": business.category.name,
        "phone": business.phone,
        "website": business.website,
        "site_kind": kind.name,
        "domain": domain_of(business),
        "contacts_domain": companion_host(kind.name, business.index) or domain_of(business),
        "fetch": kind.fetch,
        "outcome": _row(kind.outcome or FOUND),
        "contacts": [_row(contact) for contact in contacts],
        "unique_contacts": _unique(contacts),
        "decoys": [_row(decoy) for decoy in decoys],
    }


def domain_of(business: Business) -> str | None:
    """Name the domain that the pipeline should get out of a business's website."""
    return business.host or dead_host(business.site_kind, business.index)


def contacts_of(world: World, business: Business) -> tuple[tuple[Planted, ...], tuple[Decoy, ...]]:
    """List what should and what must not be found for a business."""
    if business.site_kind == "social-website":
        return (Planted("social", profile(business.name, business.index)[0], "", "website"),), ()
    if business.host is None:
        return (), ()
    plan = site_plan(world, business)
    return plan.planted, plan.decoys


class Totals:
    """The sums over all businesses, kept while they pass by."""

    def __init__(self) -> None:
        self.businesses = 0
        self.domains = 0
        self.kinds: Counter[str] = Counter()
        self.outcomes: Counter[Outcome] = Counter()
        self.stages: Counter[Outcome] = Counter()
        self.contacts: Counter[str] = Counter()

    def add(self, world: World, business: Business, record: Record) -> None:
        """Count one business, and its domain and contacts unless another branch has brought them already."""
        kind, first = BY_NAME[business.site_kind], world.branches(business)[0].index == business.index
        self.businesses += 1
        self.kinds[kind.name] += 1
        self.outcomes[kind.outcome or FOUND] += 1
        self.stages.update(_early_stages(kind.outcome, first))
        if first:
            self.domains += record["domain"] is not None and record["outcome"]["stage"] != "deep_scan"
            self.contacts.update(record["unique_contacts"])

    def as_record(self) -> Record:
        """Give the sums as plain data. `outcomes` counts businesses; `stages` counts the work of the early stages."""
        return {
            "businesses": self.businesses,
            "domains": self.domains,
            "kinds": dict(self.kinds),
            "outcomes": _rows(self.outcomes),
            "stages": _rows(self.stages),
            "contacts": {kind: self.contacts[kind] for kind in ("email", "phone", "social", "person")},
        }


def _early_stages(outcome: Outcome | None, first: bool) -> Iterator[Outcome]:
    """Go with a business through the stages whose work can be counted beforehand; a domain is read once.

    The domain that `redirect-elsewhere` leads to is not counted.
    """
    for stage in ("deep_scan", "domain_extraction", "domain_metadata"):
        if stage == "domain_metadata" and not first:
            return
        if outcome and outcome.stage == stage:
            yield outcome
            return
        yield Outcome(stage, "Completed", None)


def _row(part: Planted | Decoy | Outcome) -> Record:
    # dataclasses.asdict copies deeply, which takes longer than making the world.
    return {name: getattr(part, name) for name in part.__slots__}


def _unique(contacts: Iterable[Planted]) -> dict[str, int]:
    return dict(Counter(kind for kind, _ in {(contact.kind, contact.value): None for contact in contacts}))


def _rows(counts: Counter[Outcome]) -> list[Record]:
    ordered = sorted(counts, key=lambda outcome: (outcome.stage, outcome.status, outcome.reason or ""))
    return [_row(outcome) | {"count": counts[outcome]} for outcome in ordered]


def _json(value: Record) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
