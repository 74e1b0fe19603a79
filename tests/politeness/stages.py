"""visit_page: Page → nothing. Fetches a page in its host's lane, as every stage that touches a site does."""

from __future__ import annotations

from datetime import timedelta

from fetching.web import Web
from models.page import Page
from pipeline.declare import stage
from pipeline.stage import Done, Snapshot, Turn
from pipeline.visit import visit


@stage(entity=Page, lane="host", attempts=5, time_limit=timedelta(seconds=60), back_off=timedelta(seconds=1))
def visit_page(page: Snapshot, turn: Turn) -> Done:
    """Fetch the page and say how it went."""
    response = Web(visit(turn)).get(page.url)
    return Done(reason=f"http-{response.status}")
