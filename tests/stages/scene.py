"""Puts searches on stage, answers what rings, and looks at the rows."""

from __future__ import annotations

from typing import Any

from fetching.client import client
from pipeline import doorbell, lease, queue, run, window
from pipeline.database import transaction
from pipeline.doorbell import Ring
from pipeline.stage import stage_named
from settings import settings
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together

STAGES = ("search", "search_area", "deep_scan", "domain_extraction")
SITE_STAGES = ("domain_metadata", "sitemap_analysis", "sitemap_import", "page_ranking")


class Scene(Stagehand):
    """A stagehand for the product's own stages."""

    def search(self, what: str = "dentists", *, auto: bool = True, **columns: Any) -> int:
        """Start a search near Austin and give its id."""
        given = {"provider": "google", "where_text": "Austin, TX", "max_places": 1000} | columns
        given |= {"what": what, "mode": "auto" if auto else "curated", "tenant_id": settings().default_tenant_id}
        names, marks = ", ".join(given), ", ".join(["%s"] * len(given))
        sql = f"INSERT INTO searches ({names}) VALUES ({marks}) RETURNING id"
        search_id = int(self.rows(sql, *given.values())[0]["id"])
        self.start("search", search_id, auto=auto)
        return search_id

    def start(self, stage: str, *ids: int, auto: bool = True) -> None:
        """Queue a stage's work for entities, again if it has ended, and ring."""
        with transaction() as (_, connection):
            queue.add(connection, stage_named(stage), ids, auto=auto)
        doorbell.ring(window.fill(stage_named(stage)))

    def hurry(self, *stages: str) -> None:
        """Let what waits out a failure or a pause go now, and play on."""
        self.execute("UPDATE work SET due_at = clock_timestamp(), sent_at = NULL, sends = 0 WHERE status = 'Queued'")
        self.execute("UPDATE hosts SET next_at = clock_timestamp(), blocked_until = NULL")
        self.play(*stages)

    def answer(self, *rings: Ring) -> None:
        """Answer rings at the same moment, each on a thread of its own."""

        def answer_one(at: int) -> None:
            try:
                run.answer(stage_named(rings[at].stage), rings[at].work_id)
            finally:
                client().close()  # a thread's connections outlive the thread

        together(answer_one, len(rings))

    def endings(self, stage: str) -> dict[str, int]:
        """Count a stage's work by status and reason, such as {'Filtered closed': 3}."""
        sql = (
            "SELECT concat_ws(' ', status, reason) AS ending, count(*)::int AS many FROM work WHERE stage = %s"
            " GROUP BY 1 ORDER BY 1"
        )
        return {row["ending"]: row["many"] for row in self.rows(sql, stage)}

    def one(self, sql: str, *values: Any) -> dict[str, Any]:
        (row,) = self.rows(sql, *values)
        return row

    def many(self, table: str) -> int:
        return int(self.one(f"SELECT count(*) AS many FROM {table}")["many"])

    def found(self, search_id: int) -> set[str]:
        """Give the provider's ids of what a search found."""
        sql = (
            "SELECT provider_place_id AS id FROM search_places JOIN places ON places.id = place_id WHERE search_id = %s"
        )
        return {row["id"] for row in self.rows(sql, search_id)}

    def play(self, *stages: str) -> None:
        """Let the stages, by default those of a search, work until nothing is due any more; nobody else hears."""
        stages = stages or STAGES
        while True:
            while rings := [ring for ring in self.bells.take() if ring.stage in stages]:
                for ring in rings:
                    lease.current().renew()  # nobody else does, and some sites take longer than it lasts
                    run.answer(stage_named(ring.stage), ring.work_id)
            if not [ring for name in stages for ring in self.ring(stage_named(name))]:
                return
