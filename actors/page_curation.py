"""Page → Contact: read it in its host's lane; keep what it says of itself, and every contact with its proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import update
from sqlalchemy.orm import Session

import reasons
from errors import Filtered, Trouble
from fetching.response import Response
from fetching.web import Web
from models import Page
from models.base import MAX_URL_BYTES
from pipeline import contact_store, page_context, saturation
from pipeline.children import plain
from pipeline.contact_store import Sheet
from pipeline.declare import stage
from pipeline.fingerprint import fingerprint_of, is_of_this_version
from pipeline.page_context import Context
from pipeline.stage import Done, Snapshot, Turn
from pipeline.visit import visit
from services.contacts import FoundContact
from services.host import registrable_domain
from services.page import read

FACTS = ("title", "canonical_url", "language", "word_count", "has_contact_form")
NOT_READ = {"etag": None, "last_modified": None, "content_hash": None}


@dataclass(frozen=True, slots=True)
class Visited:
    """What a visit brought: columns of the page, and the contacts on it unless it has not changed or was not read."""

    page: Snapshot
    url: str = ""
    columns: Mapping[str, Any] | None = None
    contacts: tuple[FoundContact, ...] | None = None
    is_gone: bool = False
    is_saturating: bool = False

    def sheet(self, turn: Turn) -> Sheet:
        """Say where the contacts were seen."""
        is_own = self.url == self.page.url
        return Sheet(turn.tenant_id, self.url, self.page.domain_id, page_id=self.page.id, is_own_url=is_own)


def keep(session: Session, turn: Turn, done: Done) -> None:
    """Store what the page says, what is on it and what no longer is; end what its domain no longer needs."""
    visited: Visited = done.value
    sheet = visited.sheet(turn)
    if visited.contacts is not None:
        contact_store.store(session, sheet, visited.contacts, page=visited.columns)
    elif visited.columns is None:
        contact_store.see_again(session, sheet)
    else:
        session.execute(update(Page).where(Page.id == turn.entity_id).values(visited.columns))
    if visited.is_gone:
        contact_store.lose(session, sheet)
    if visited.is_saturating:
        saturation.end_rest(session, turn, visited.page.domain_id)


@stage(
    entity=Page,
    successors=("contact_validation",),
    lane="host",
    save=keep,
    attempts=5,
    time_limit=timedelta(minutes=2),
    sweep_defaults={"interval_minutes": 1, "batch_size": 10, "max_instances": 1},
)
def page_curation(page: Snapshot, turn: Turn) -> Done:
    """Read the page, unless its domain has enough contacts, and hand on the emails and phones that are new."""
    context = page_context.context_of(page.domain_id)
    if context.is_saturated and page.curation_status != "Selected":
        raise Filtered(reasons.SATURATED)
    try:
        response = _answer(page, turn)
    except Trouble as trouble:
        trouble.value = _failed(page, trouble)
        raise
    if _has_left(response, page):
        raise Filtered(reasons.OFF_SITE, response.url, value=_left(page, response))
    if response.is_not_modified or fingerprint_of(response.body) == page.content_hash:
        return Done(reason=reasons.UNCHANGED, value=Visited(page))
    return _read(page, turn, context, response)


def _answer(page: Snapshot, turn: Turn) -> Response:
    """Ask for the page; only if it has changed, once this version of the program has read it."""
    is_known = is_of_this_version(page.content_hash)
    return Web(visit(turn)).get(
        page.url,
        html=True,
        within=page.host,
        etag=page.etag if is_known else None,
        last_modified=page.last_modified if is_known else None,
    )


def _has_left(response: Response, page: Snapshot) -> bool:
    return bool(registrable_domain(urlsplit(response.url).hostname or "") != page.host)


def _failed(page: Snapshot, trouble: Trouble) -> Visited:
    """Keep what is known of a page that may be back; of one that is not there, nothing is to be seen any more."""
    is_gone = trouble.reason == reasons.NOT_FOUND
    return Visited(page, columns={"status_code": trouble.status} | (NOT_READ if is_gone else {}), is_gone=is_gone)


def _left(page: Snapshot, response: Response) -> Visited:
    return Visited(page, columns={"status_code": response.status} | NOT_READ, is_gone=True)


def _read(page: Snapshot, turn: Turn, context: Context, response: Response) -> Done:
    told = read(response.text, url=response.url, region=context.region)
    found = contact_store.storable(told.contacts)
    if context.has_erasures:
        found = contact_store.without_erased(turn.tenant_id, found)
    columns = {name: getattr(told.facts, name) for name in FACTS} | {
        "status_code": response.status,
        "etag": response.etag,
        "last_modified": response.last_modified,
        "content_hash": fingerprint_of(response.body),
    }
    visited = Visited(
        page,
        response.url if len(response.url.encode()) <= MAX_URL_BYTES else page.url,
        {name: plain(value) for name, value in columns.items()},
        tuple(found),
        is_saturating=context.is_saturated_by(found),
    )
    return _done(page, context, visited)


def _done(page: Snapshot, context: Context, visited: Visited) -> Done:
    found = visited.contacts or ()
    children = contact_store.to_validate(page.domain_id, found, context.settled)
    if children:
        return Done(children, value=visited)
    if not found:
        return Done(reason=reasons.NO_CONTACT, value=visited)
    has_settled = any(contact.kind in contact_store.VALIDATED for contact in found)
    return Done(reason=reasons.NO_NEW_CHILDREN if has_settled else reasons.NOTHING_TO_VALIDATE, value=visited)
