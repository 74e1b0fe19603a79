"""How far the search for a domain's sitemaps has come, kept while it goes on: a slow host need not be asked twice."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import update
from sqlalchemy.orm import Session

from errors import LateFinish
from models import Domain
from pipeline.children import plain
from pipeline.finish import FENCE
from pipeline.hosts import row_of
from pipeline.stage import Done, Turn

NOTE = f"""
UPDATE domains SET sitemap_tries = sitemap_tries || %(tried)s::jsonb
WHERE id = %(domain)s AND EXISTS (SELECT 1 FROM work WHERE {FENCE}) RETURNING id""".encode()


def note(turn: Turn, url: str, answer: Any) -> None:
    """Keep what came of asking one address; raise LateFinish when the work is no longer ours."""
    own = {"id": turn.work_id, "token": turn.token, "worker": turn.worker_id}
    tried = json.dumps(plain({url: answer}))
    if row_of(NOTE, own | {"domain": turn.entity_id, "tried": tried}) is None:
        raise LateFinish(f"work {turn.work_id} is no longer ours at token {turn.token}")


def forget(session: Session, turn: Turn, _done: Done) -> None:
    """Forget it when the search has come to its end: the next one begins anew."""
    session.execute(update(Domain).where(Domain.id == turn.entity_id).values(sitemap_tries={}))
