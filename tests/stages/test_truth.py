"""From places to contacts through every stage, compared with the truth: what is planted is found, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import settings
from cli.sandbox_score import compare
from sandbox.contacts import DISGUISES
from sandbox.kinds import KINDS
from sandbox.scoring import Score
from sandbox.truth import truth_of
from sandbox.world import World
from tests.stages.conftest import Sandbox
from tests.stages.scene import SITE_STAGES, Scene

STAGES = ("deep_scan", "domain_extraction", *SITE_STAGES, "page_curation", "contact_validation")
# They take their time, which other tests watch them do, and hold nothing that the others do not.
SLOW = {
    "slow", "drip", "hang", "crawl-delay", "sitemap-50k", "huge-page", "gzip-bomb", "brotli-bomb", "zstd-bomb",
    "rate-limited", "unavailable", "resets", "server-error",
}  # fmt: skip
WORLD = World(300)
PART = [business for kind in KINDS if kind.name not in SLOW for business in WORLD.branches(WORLD.with_kind(kind.name))]
ADD = """
INSERT INTO places (tenant_id, provider, provider_place_id) SELECT %s, 'google', unnest(%s::text[]) RETURNING id"""
AIM = 0.99


@pytest.fixture
def scored(scene: Scene, sandbox: Callable[[World], Sandbox], monkeypatch: pytest.MonkeyPatch) -> Score:
    """Run one business of every kind through all stages, waiting for nothing, and compare."""
    for name, value in {"LANE_GAP_SECONDS": "0", "LANE_GAP_MAX_SECONDS": "0.01"}.items():
        monkeypatch.setenv(name, value)
    sandbox(WORLD)
    ids = [business.place_id for business in PART]
    places = scene.rows(ADD, settings.settings().default_tenant_id, ids)
    scene.start("deep_scan", *(row["id"] for row in places))
    scene.play(*STAGES)
    while scene.many("work WHERE status = 'Queued'"):
        scene.execute("UPDATE work SET attempts = 4 WHERE status = 'Queued' AND attempts > 2")
        scene.hurry(*STAGES)
    return compare(truth_of(WORLD, business) for business in PART)


def test_what_is_planted_is_found_and_nothing_else(scored: Score) -> None:
    assert scored.businesses == len(PART)
    assert scored.disguises.keys() == DISGUISES.keys()
    assert [extra for extra in scored.extras if extra.is_decoy] == []
    assert scored.total.planted > 200
    assert scored.total.precision >= AIM, scored.extras
    assert scored.total.recall >= AIM, scored.misses
    assert {name: tally.recall for name, tally in scored.disguises.items() if tally.recall < AIM} == {}
    assert [miss for miss in scored.misses if not miss.why] == []
