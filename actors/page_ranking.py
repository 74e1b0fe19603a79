"""Domain → Page: choose its best pages once all of its sitemaps are read, and note on every page why or why not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from sqlalchemy.orm import Session

import reasons
from errors import Filtered, Snooze
from models import Domain
from pipeline import page_choice
from pipeline.declare import stage
from pipeline.page_choice import Choice
from pipeline.stage import Child, Done, Snapshot, Turn

LEAST_WAIT, LONGEST_WAIT = timedelta(seconds=5), timedelta(minutes=1)
AT_ONCE = timedelta(0)  # whether a page is due again was decided when it was chosen


def check(session: Session, _turn: Turn, done: Done) -> None:
    """Choose again when a sitemap was read to its end while this choice was made."""
    choice: Choice = done.value
    if page_choice.is_outdated(session, choice):
        raise Snooze(reasons.SITEMAPS_OPEN, until=datetime.now(UTC))


@stage(
    entity=Domain,
    successors=("page_curation",),
    save=check,
    unattended=True,
    attempts=5,
    time_limit=timedelta(seconds=60),
    sweep_defaults={"interval_minutes": 1, "batch_size": 50, "max_instances": 1},
)
def page_ranking(domain: Snapshot, turn: Turn) -> Done:
    """Choose the pages to visit and hand them on, or wait until there is nothing more to choose from."""
    choice = page_choice.choose(turn, domain.id, homepages(domain))
    if choice.open:
        said = f"{choice.open} of the domain's sitemaps are yet to be read"
        raise Snooze(reasons.SITEMAPS_OPEN, until=_later(choice), error=said)
    if choice.due_ids:
        return Done([Child(entity_id=page, again_after=AT_ONCE) for page in choice.due_ids], value=choice)
    if choice.page_ids:
        return Done(reason=reasons.NO_NEW_CHILDREN if choice.is_visiting else reasons.NOTHING_CHANGED, value=choice)
    if choice.has_homepage:
        return Done(reason=reasons.HOMEPAGE_READ, value=choice)
    raise Filtered(reasons.NO_PAGES, value=choice)


def homepages(domain: Snapshot) -> list[str]:
    """Give the addresses under which sitemaps may list a homepage that was read with its domain."""
    if domain.final_url is None or domain.content_hash is None:
        return []
    parts = urlsplit(domain.final_url)
    host = parts.netloc.removeprefix("www.")
    rest = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    return [f"{scheme}://{name}{rest}" for scheme in ("http", "https") for name in (host, f"www.{host}")]


def _later(choice: Choice) -> datetime:
    """Look again when there may be something new, but not so late that a stage that was paused meanwhile is missed."""
    now = datetime.now(UTC)
    return min(max(choice.due_at or now, now + LEAST_WAIT), now + LONGEST_WAIT)
