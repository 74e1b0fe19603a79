"""Domain → Page: choose its best pages once all of its sitemaps are read, and note on every page why or why not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy.orm import Session

import reasons
from errors import Filtered, Snooze
from models import Domain
from pipeline import page_choice
from pipeline.declare import stage
from pipeline.page_choice import Choice
from pipeline.stage import Done, Snapshot, Turn

LEAST_WAIT, LONGEST_WAIT = timedelta(seconds=5), timedelta(minutes=1)


def check(session: Session, _turn: Turn, done: Done) -> None:
    """Choose again when a sitemap was read to its end while this choice was made."""
    choice: Choice = done.value
    if page_choice.is_outdated(session, choice):
        raise Snooze(reasons.SITEMAPS_OPEN, until=datetime.now(UTC))


@stage(
    entity=Domain,
    save=check,
    unattended=True,
    attempts=5,
    time_limit=timedelta(seconds=60),
    sweep_defaults={"interval_minutes": 1, "batch_size": 50, "max_instances": 1},
)
def page_ranking(domain: Snapshot, turn: Turn) -> Done:
    """Choose the pages to visit, or wait until there is nothing more to choose from."""
    choice = page_choice.choose(turn, domain.id)
    if choice.open:
        said = f"{choice.open} of the domain's sitemaps are yet to be read"
        raise Snooze(reasons.SITEMAPS_OPEN, until=_later(choice), error=said)
    if not choice.page_ids:
        raise Filtered(reasons.NO_PAGES, value=choice)
    return Done(value=choice)


def _later(choice: Choice) -> datetime:
    """Look again when there may be something new, but not so late that a stage that was paused meanwhile is missed."""
    now = datetime.now(UTC)
    return min(max(choice.due_at or now, now + LEAST_WAIT), now + LONGEST_WAIT)
