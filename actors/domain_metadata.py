"""Domain → Domain: find its homepage, and keep what that says of the site and of how to reach the business."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy.orm import Session

import reasons
from errors import Filtered, Final, Trouble
from fetching.response import Response
from fetching.web import Web
from models import Domain
from models.base import MAX_URL_BYTES
from pipeline import contact_judging, contact_store, domain_links
from pipeline.children import plain
from pipeline.contact_store import Sheet
from pipeline.declare import stage
from pipeline.domain_links import Users
from pipeline.erased import cleared
from pipeline.fingerprint import fingerprint_of, is_of_this_version
from pipeline.hosts import find_robots
from pipeline.stage import Child, Done, Snapshot, Turn
from pipeline.visit import visit
from services.contacts import FoundContact
from services.domain import SiteFacts, read_homepage
from services.front_door import MAY_DIFFER, addresses, most_telling
from services.host import registrable_domain
from services.local_business import DomainName, Rejected, domain_of
from services.page import find_contacts
from services.phone_region import region_of_host, region_of_language
from settings import settings

ASK_FOR_A_REST = (429, 503)
# Pages that are no business's may still be its own, with its number on them.
THEIR_OWN = (None, reasons.UNDER_CONSTRUCTION, reasons.SOFT_404)
FACTS = (
    "title", "description", "language", "favicon_url", "logo_url", "generator", "is_wordpress", "wordpress_version",
    "technologies", "analytics", "widgets", "booking_tools", "social_profiles", "sitemap_links",
)  # fmt: skip
NOT_READ = {"etag": None, "last_modified": None, "content_hash": None}
PROFILE_METHOD, PROFILE_CONFIDENCE = "redirect", 0.9


@dataclass(frozen=True, slots=True)
class Visited:
    """What a visit brought: columns of the domain, and contacts with the address they were seen at.

    Without contacts it brought no page: nothing is known of those that it showed before.
    """

    columns: Mapping[str, Any]
    url: str = ""
    contacts: tuple[FoundContact, ...] | None = None
    moved_to: str | None = None
    is_unchanged: bool = False


def keep(session: Session, turn: Turn, done: Done) -> None:
    """Store the facts and the contacts of the homepage, and where it leads."""
    visited: Visited = done.value
    columns = {name: plain(value) for name, value in visited.columns.items()}
    if visited.moved_to is not None:
        columns["redirects_to_id"] = domain_links.id_of(session, turn.tenant_id, visited.moved_to)
    domain_links.keep_facts(session, turn.entity_id, columns)
    sheet = Sheet(turn.tenant_id, visited.url, domain_id=turn.entity_id)
    if visited.is_unchanged:
        contact_judging.see_unchanged(session, turn, sheet)
    elif visited.contacts is not None:
        contact_store.store(session, sheet, visited.contacts)
        contact_store.revalidate(session, turn, turn.entity_id, [each.value for each in visited.contacts])
        if visited.columns["blank_reason"] in THEIR_OWN[1:]:
            contact_store.queue_validation(session, turn)
    if visited.moved_to is not None:
        _go_along(session, turn)


@stage(
    entity=Domain,
    successors=("sitemap_analysis", "domain_metadata", "contact_validation"),
    lane="name",
    save=keep,
    attempts=5,
    time_limit=timedelta(minutes=4),
    settings_prefix="DOMAIN",
    sweep_defaults={"interval_minutes": 1, "batch_size": 50, "max_instances": 3},
)
def domain_metadata(domain: Snapshot, turn: Turn) -> Done:
    """Read the homepage, and hand the domain on, or the one that it has moved to."""
    web, users = Web(visit(turn)), domain_links.users_of(domain.id)
    try:
        response = _homepage(web, domain, turn, users)
        if _has_left(response, domain):
            return _moved(web, domain, response)
        if response.is_not_modified or fingerprint_of(response.body) == domain.content_hash:
            return _unchanged(domain, response)
        response, facts = _read(web, domain, response)
        if _has_left(response, domain):
            return _moved(web, domain, response)
    except Trouble as trouble:
        trouble.value = _failed(trouble)
        raise
    return _found(domain, turn, response, facts, users)


def _homepage(web: Web, domain: Snapshot, turn: Turn, users: Users) -> Response:
    """Knock at every address that the homepage may have, until one answers or tells enough."""
    failures: list[Trouble] = []
    nowhere: set[str | None] = set()
    for address in _addresses(domain, users):
        host = urlsplit(address).hostname
        if host in nowhere or (failures and _is_late(turn)):
            continue
        try:
            return web.get(address, html=True, within=domain.name, **_conditions(domain, address))
        except Trouble as trouble:
            failures.append(trouble)
            if trouble.reason == reasons.DNS:
                nowhere.add(host)
            if trouble.reason not in MAY_DIFFER or trouble.status in ASK_FOR_A_REST:
                break
    raise failures[most_telling([failure.reason for failure in failures])]


def _addresses(domain: Snapshot, users: Users) -> list[str]:
    read_last = domain.final_url if _site_of(domain.final_url or "") == domain.name else None
    websites = (domain_of(website) for website in users.websites)
    given = next((own for own in websites if isinstance(own, DomainName) and own.name == domain.name), None)
    robots, _ = find_robots(domain.name if given is None else given.host, None)
    answers = robots.scheme if robots is not None and robots.status is not None else None
    return addresses(domain.name, known=read_last, given=given.url if given else None, answers=answers)


def _conditions(domain: Snapshot, address: str) -> dict[str, str | None]:
    is_known = address == domain.final_url and is_of_this_version(domain.content_hash)
    return {"etag": domain.etag, "last_modified": domain.last_modified} if is_known else {}


def _is_late(turn: Turn) -> bool:
    """Tell whether there is too little time left for a robots.txt and a page that are both slow."""
    return datetime.now(UTC) + 2 * timedelta(seconds=settings().fetch_total_seconds) > turn.deadline_at


def _site_of(url: str) -> str:
    return registrable_domain(urlsplit(url).hostname or "")


def _has_left(response: Response, domain: Snapshot) -> bool:
    return bool(_site_of(response.url) != domain.name)


def _failed(trouble: Trouble) -> Visited:
    """Say why nothing was read; on a homepage that is not there, nothing is to be seen any more either."""
    columns = {"blank_reason": trouble.reason, "status_code": trouble.status} | NOT_READ
    return Visited(columns, contacts=() if trouble.reason == reasons.NOT_FOUND else None)


def _read(web: Web, domain: Snapshot, response: Response) -> tuple[Response, SiteFacts]:
    """Read the page, or the one that it sends its visitors on to, which is followed once."""
    facts = read_homepage(response.text, url=response.url)
    if facts.refresh_url is None:
        return response, facts
    if _site_of(facts.refresh_url) == domain.name:
        response = web.get(facts.refresh_url, html=True, within=domain.name)
        return response, read_homepage(response.text, url=response.url)
    return Response(facts.refresh_url, response.status, {}, b"", response.seconds, 0), facts


def _unchanged(domain: Snapshot, response: Response) -> Done:
    same = Visited({"status_code": domain.status_code}, domain.final_url or response.url, is_unchanged=True)
    if domain.blank_reason is not None:
        raise Filtered(domain.blank_reason, value=same)
    return Done(children=[_onward(domain)], reason=reasons.UNCHANGED, value=same)


def _moved(web: Web, domain: Snapshot, response: Response) -> Done:
    """Let the domain that it redirects to carry on; what leads to somebody else's site ends here."""
    columns = {"final_url": response.url, "status_code": response.status, "blank_reason": reasons.REDIRECTED} | NOT_READ
    target = domain_of(response.url)
    if isinstance(target, DomainName) and target.name != domain.name:
        child = Child(row={"name": target.name}, stage="domain_metadata", again_after=_staleness())
        moved = Visited(columns, contacts=(), moved_to=target.name)
        return Done(children=[child], reason=reasons.REDIRECTED, value=moved)
    if isinstance(target, Rejected) and target.reason == reasons.SHARED_HOST:
        columns["blank_reason"] = reasons.SHARED_HOST
        kept = Visited(columns, f"https://{domain.name}/", _profile(target))
        raise Filtered(reasons.SHARED_HOST, response.url, value=kept)
    web.get(response.url)  # an address that is no public name: the guard has the word for it
    raise Final(reasons.BAD_REDIRECT, f"it leads to {response.url[:200]}, which is nobody's site")


def _profile(target: Rejected) -> tuple[FoundContact, ...]:
    if target.profile is None:
        return ()
    label = target.network or ""
    return (FoundContact("social", target.profile, PROFILE_METHOD, target.given, PROFILE_CONFIDENCE, label),)


def _go_along(session: Session, turn: Turn) -> None:
    if turn.entity_id in domain_links.leads_to(session, turn.entity_id):
        blank = Visited({"blank_reason": reasons.TOO_MANY_REDIRECTS} | NOT_READ)
        raise Final(reasons.TOO_MANY_REDIRECTS, "the domain that it leads to leads back here", value=blank)
    domain_links.link_onward(session, turn.entity_id)


def _found(domain: Snapshot, turn: Turn, response: Response, facts: SiteFacts, users: Users) -> Done:
    found = contact_store.storable(_contacts(response, facts, users) if facts.verdict in THEIR_OWN else ())
    found, traces = contact_store.without_erased(turn.tenant_id, domain.id, found)
    visited = Visited(
        cleared("domains", _columns(response, facts), traces),
        response.url if len(response.url.encode()) <= MAX_URL_BYTES else f"https://{domain.name}/",
        tuple(found),
    )
    if facts.verdict is not None:
        raise Filtered(facts.verdict, "; ".join(facts.evidence), value=visited)
    return Done(children=[_onward(domain), *contact_store.to_validate(domain.id, found)], value=visited)


def _contacts(response: Response, facts: SiteFacts, users: Users) -> list[FoundContact]:
    """Look for contacts, with numbers read as in the country of the business, else of the domain or the language."""
    host = urlsplit(response.url).hostname or ""
    region = users.country or region_of_host(host) or region_of_language(facts.language or "") or "US"
    return find_contacts(response.text, url=response.url, region=region)


def _columns(response: Response, facts: SiteFacts) -> dict[str, Any]:
    told = {name: getattr(facts, name) for name in FACTS}
    return told | {
        "links": [link.url for link in facts.own_links],
        "final_url": response.url,
        "status_code": response.status,
        "redirects_to_id": None,
        "blank_reason": facts.verdict,
        "etag": response.etag,
        "last_modified": response.last_modified,
        "content_hash": fingerprint_of(response.body),
    }


def _onward(domain: Snapshot) -> Child:
    return Child(entity_id=domain.id, stage="sitemap_analysis", again_after=_staleness())


def _staleness() -> timedelta:
    return timedelta(days=settings().domain_stale_days)
