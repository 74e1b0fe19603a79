"""Page → Contact: read it in its host's lane; keep what it says of itself, and every contact with its proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
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
from pipeline import contact_judging, contact_store, erased, page_context, saturation
from pipeline.children import plain
from pipeline.contact_store import Sheet
from pipeline.declare import stage
from pipeline.fingerprint import fingerprint_of, is_of_this_version
from pipeline.page_context import Context
from pipeline.stage import Done, Snapshot, Turn
from pipeline.visit import visit
from services.contacts import FoundContact
from services.erasure import Trace
from services.host import registrable_domain
from services.page import PageFacts, PageRead, read

FACTS = ("title", "canonical_url", "language", "word_count", "has_contact_form")


@dataclass(frozen=True, slots=True)
class Reading:
    """A page that was read: where it was found, what it says of itself, and the contacts on it."""

    url: str
    columns: Mapping[str, Any]
    contacts: tuple[FoundContact, ...]
    stale: tuple[str, ...] = ()
    is_saturating: bool = False


@dataclass(frozen=True, slots=True)
class NotRead:
    """A page that was asked for and not read; `is_gone` when what it showed before is not to be seen any more."""

    columns: Mapping[str, Any]
    is_gone: bool


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A page that shows what it did when it was read last."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A page that its domain does not need."""


def keep(session: Session, turn: Turn, done: Done) -> None:
    """Store what came of a visit, and end the visits that its domain no longer needs."""
    match done.value:
        case Reading() as reading:
            contact_store.store(session, _sheet(turn, reading.url), reading.contacts, page=reading.columns)
            contact_store.revalidate(session, turn, _page(turn).domain_id, reading.stale)
            if reading.is_saturating:
                saturation.end_rest(session, turn)
        case Unchanged():
            contact_judging.see_unchanged(session, turn, _sheet(turn))
        case NotRead(columns, is_gone):
            session.execute(update(Page).where(Page.id == turn.entity_id).values(columns))
            if is_gone:
                contact_store.lose(session, _sheet(turn))
        case LeftOut():
            saturation.end_rest(session, turn)


def _page(turn: Turn) -> Any:
    return turn.entity


def _sheet(turn: Turn, url: str = "") -> Sheet:
    page = _page(turn)
    return Sheet(turn.tenant_id, url, page.domain_id, page_id=page.id, is_own_url=url == page.url)


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
    if context.has_erasures:
        erased.refuse_domain(turn.tenant_id, context.domain)
    if context.is_saturated and page.curation_status != "Selected" and not saturation.shows_contacts(page.id):
        raise Filtered(reasons.SATURATED, value=LeftOut())
    try:
        response = _answer(page, turn)
    except Trouble as trouble:
        trouble.value = _not_read(trouble)
        raise
    if _has_left(response, page):
        raise Filtered(reasons.OFF_SITE, response.url, value=NotRead(_blank(response.status), is_gone=True))
    fingerprint = fingerprint_of(response.body)
    if response.is_not_modified or fingerprint == page.content_hash:
        return Done(reason=reasons.UNCHANGED, value=Unchanged())
    told = read(response.text, url=response.url, region=context.region)
    found, traces = _storable(told, page, turn, context)
    columns = _columns(response, told.facts, fingerprint)
    return _done(page, context, Reading(_url(page, response), erased.cleared("pages", columns, traces), found))


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


def _not_read(trouble: Trouble) -> NotRead:
    """Keep what is known of a page that may be back; of one that is not there, nothing is to be seen any more."""
    if trouble.reason == reasons.NOT_FOUND:
        return NotRead(_blank(trouble.status), is_gone=True)
    return NotRead({"status_code": trouble.status}, is_gone=False)


def _blank(status: int | None) -> dict[str, Any]:
    """Forget what the page was known by, so that it is read when it is back."""
    return {"status_code": status, "etag": None, "last_modified": None, "content_hash": None}


def _storable(
    told: PageRead, page: Snapshot, turn: Turn, context: Context
) -> tuple[tuple[FoundContact, ...], list[Trace]]:
    """Give what may be stored, and how that shows which was erased."""
    found = contact_store.storable(told.contacts)
    if not context.has_erasures:
        return tuple(found), []
    kept, traces = contact_store.without_erased(turn.tenant_id, page.domain_id, found)
    return tuple(kept), traces


def _url(page: Snapshot, response: Response) -> str:
    return str(response.url if len(response.url.encode()) <= MAX_URL_BYTES else page.url)


def _columns(response: Response, facts: PageFacts, fingerprint: str) -> dict[str, Any]:
    columns = {name: getattr(facts, name) for name in FACTS} | {
        "status_code": response.status,
        "etag": response.etag,
        "last_modified": response.last_modified,
        "content_hash": fingerprint,
    }
    return {name: plain(value) for name, value in columns.items()}


def _done(page: Snapshot, context: Context, reading: Reading) -> Done:
    """Hand on what is new, or say why there is nothing to hand on."""
    found = reading.contacts
    stale = tuple(contact.value for contact in found if contact.value in context.stale)
    reading = replace(reading, stale=stale, is_saturating=context.is_saturated_by(found))
    children = contact_store.to_validate(page.domain_id, found, context.settled)
    if children:
        return Done(children, value=reading)
    if not found:
        return Done(reason=reasons.NO_CONTACT, value=reading)
    has_settled = any(contact.kind in contact_store.VALIDATED for contact in found)
    return Done(reason=reasons.NO_NEW_CHILDREN if has_settled else reasons.NOTHING_TO_VALIDATE, value=reading)
