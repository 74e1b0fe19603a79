"""Score a run: the contacts in the database beside those planted in the sandbox's world."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from cli.ready import ready
from cli.text import print_json, print_table, safe, say
from leads import journey_contacts
from pipeline.stage import load_stages
from sandbox.scoring import Extra, Fate, Miss, Record, Score, Stored, Tally, explain, score
from sandbox.truth import truth_of
from sandbox.world import World
from settings import settings

TALLY = ("planted", "found", "recall", "stored", "right", "precision")
MISSES = ("owner", "kind", "value", "disguises", "pages", "why")
EXTRAS = ("owner", "kind", "value", "methods", "seen at", "why")
LONGEST_CELL, MOST_SHOWN = 60, 100


def show(world: World, *, as_json: bool) -> None:
    """Compare, explain every difference, and print it; the last line holds the sums."""
    load_stages()
    ready()
    made = compare(truth_of(world, business) for business in world)
    if as_json:
        print_json([_as_json(made)])
        return
    _print_tallies("By kind", made.kinds)
    _print_tallies("By disguise", made.disguises)
    _print_differences(made)
    total = made.total
    say(
        f"truth: businesses={made.businesses} contacts={total.planted}"
        f" precision={total.precision:.4f} recall={total.recall:.4f}"
    )


def compare(records: Iterable[Record]) -> Score:
    """Score the contacts of the database against the truth of businesses, with an explanation for each miss."""
    tenant = settings().default_tenant_id
    made = score(records, [Stored(**asdict(contact)) for contact in journey_contacts.stored(tenant)])
    paths: dict[str, set[str]] = {}
    for miss in made.misses:
        paths.setdefault(miss.owner, set()).update(miss.pages)
    fates = {key: Fate(*fate) for key, fate in journey_contacts.fates(tenant, paths).items()}
    made.misses = explain(made.misses, fates)
    return made


def _print_tallies(title: str, tallies: Mapping[str, Tally]) -> None:
    if tallies:
        lines = [[name, *_figures(tally)] for name, tally in sorted(tallies.items())]
        print_table((title.split()[-1], *TALLY), lines, title=title)


def _figures(tally: Tally) -> list[object]:
    recall, precision = (f"{share:.4f}" for share in (tally.recall, tally.precision))
    return [tally.planted, tally.found, recall, tally.stored, tally.right, precision]


def _print_differences(made: Score) -> None:
    if made.misses:
        print_table(MISSES, map(_miss, made.misses[:MOST_SHOWN]), title=f"Missed: {len(made.misses)}")
    if made.extras:
        worst_first = sorted(made.extras, key=lambda extra: not extra.is_decoy)
        print_table(EXTRAS, map(_extra, worst_first[:MOST_SHOWN]), title=f"Not planted: {len(made.extras)}")


def _miss(miss: Miss) -> list[object]:
    return [miss.owner, miss.kind, miss.value, ", ".join(miss.disguises), ", ".join(miss.pages), miss.why]


def _extra(extra: Extra) -> list[object]:
    stored = extra.stored
    words = (stored.owner, stored.kind, stored.value, ", ".join(stored.methods), ", ".join(stored.urls))
    why = f"DECOY: {extra.why}" if extra.is_decoy else extra.why
    return [*(safe(word, LONGEST_CELL) for word in words), why]


def _as_json(made: Score) -> dict[str, Any]:
    def shares(tally: Tally) -> dict[str, Any]:
        return asdict(tally) | {"recall": tally.recall, "precision": tally.precision}

    return {
        "businesses": made.businesses,
        "total": shares(made.total),
        "kinds": {name: shares(tally) for name, tally in made.kinds.items()},
        "disguises": {name: shares(tally) for name, tally in made.disguises.items()},
        "misses": [asdict(miss) for miss in made.misses],
        "extras": [asdict(extra) for extra in made.extras],
    }
