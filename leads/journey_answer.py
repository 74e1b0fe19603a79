"""Journey answer: the one sentence that people want, from what is known of a site, a contact or a piece of work."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from leads.journey_facts import Contact, Count, Hop, Page, Site, Unvisited, meaning_of
from models.page import CHOSEN

PLURALS = {"email": "emails", "phone": "phones", "social": "social profiles", "person": "people"}
SINGULARS = {"email": "email", "phone": "phone", "social": "social profile", "person": "person"}
THINGS = {"domains": "site", "sitemap_files": "sitemap", "pages": "page", "contacts": "contact"}
VALIDATED = ("email", "phone")
UNITS = (("d", 86400), ("h", 3600), ("m", 60), ("s", 1))


def of_site(site: Site, tables: Mapping[str, str], paused: Collection[str] = ()) -> str:
    """Say what was found on a site, what is still to come, or why there is nothing.

    `tables` names the table that each stage works on, in pipeline order.
    """
    pending = [count for count in site.counts if count.is_open]
    found = _found(site)
    if pending:
        still = f"still working: {_waiting(pending, tables, paused)}"
        return f"{found} so far; {still}." if found else f"{still[0].upper()}{still[1:]}."
    return f"{found}." if found else f"No contact was found because {because(site, tables)}."


def _found(site: Site) -> str:
    many = sum(site.found.values())
    if not many:
        return ""
    kinds = [numbered(site.found[kind], SINGULARS[kind], PLURALS[kind]) for kind in SINGULARS if kind in site.found]
    return f"{_joined(kinds)} {'was' if many == 1 else 'were'} found on {numbered(site.found_on, 'page')}"


def _waiting(pending: Sequence[Count], tables: Mapping[str, str], paused: Collection[str]) -> str:
    """Say how much is in work and how much waits, at the stages that are open."""
    parts = []
    for stage in dict.fromkeys(count.stage for count in pending):
        own = [count for count in pending if count.stage == stage]
        thing = THINGS.get(tables.get(stage, ""), "piece of work")
        parts += [_queued([count for count in own if count.status == "Queued"], thing, stage in paused)]
        parts += [_running([count for count in own if count.status == "Processing"], thing)]
    return "; ".join(part for part in parts if part)


def _queued(counts: Sequence[Count], thing: str, is_paused: bool) -> str:
    many = sum(count.many for count in counts)
    if not many:
        return ""
    waits = f"{numbered(many, thing)} {'waits' if many == 1 else 'wait'} "
    if is_paused:
        return f"{waits}because {counts[0].stage} is paused"
    soonest = min(count.due_in_seconds or 0.0 for count in counts)
    turn = "for its turn" if many == 1 else "for their turn"
    return f"{waits}{turn}, next {f'in {span(soonest)}' if soonest > 1 else 'now'}"


def _running(counts: Sequence[Count], thing: str) -> str:
    many = sum(count.many for count in counts)
    return f"{numbered(many, thing)} {'is' if many == 1 else 'are'} in work" if many else ""


def because(site: Site, tables: Mapping[str, str]) -> str:
    """Say why a site without open work has no contact: what its furthest stage says."""
    if site.redirects_to:
        return f"the site has moved to {site.redirects_to}, which carries on: ask about {site.redirects_to}"
    if not site.counts:
        return _undecided(site)
    ended = [count for count in site.counts if tables.get(count.stage) != "contacts"] or list(site.counts)
    last = [count for count in ended if count.stage == ended[-1].stage]
    if tables.get(last[0].stage) == "pages":
        return _of_pages(last)
    said = next((count for count in last if count.status != "Completed" or count.reason), None)
    if said is not None and (said.status != "Completed" or not _waits_for_a_person(site.unvisited)):
        return _ended(said)
    return _undecided(site)


def _undecided(site: Site) -> str:
    waiting = next((each for each in site.unvisited if each.reason == CHOSEN), None)
    if waiting:
        return f"{numbered(waiting.many, 'page')} {'waits' if waiting.many == 1 else 'wait'} for your decision"
    if site.curation_status == "New":
        return "it waits for your decision: nobody has selected it yet"
    return f"nothing more was asked of it: its curation status is {site.curation_status}"


def _waits_for_a_person(unvisited: Iterable[Unvisited]) -> bool:
    return any(each.reason == CHOSEN for each in unvisited)


def _of_pages(counts: Sequence[Count]) -> str:
    many = sum(count.many for count in counts)
    read = sum(count.many for count in counts if count.status == "Completed")
    if read == many:
        one = "the one page that was read shows none"
        return one if many == 1 else f"none of the {many} pages that were read shows one"
    worst = max((count for count in counts if count.status != "Completed"), key=lambda count: count.many)
    rest = f"; {read} {'was read and shows' if read == 1 else 'were read and show'} none" if read else ""
    return f"{worst.many} of {numbered(many, 'page')} ended {worst.status}: {_said(worst.reason)}{rest}"


def _ended(count: Count | Hop) -> str:
    return f"{count.stage} ended {count.status}: {_said(count.reason)}"


def _said(reason: str | None) -> str:
    meaning = meaning_of(reason)
    return f"{reason} ({meaning})" if reason and meaning else reason or "without a reason"


def of_contact(contact: Contact) -> str:
    """Say where a contact was found, since when it is gone, and what its validation says."""
    first = next(iter(contact.sightings), None)
    gone = f"; it is gone since {contact.gone_at:%Y-%m-%d %H:%M} UTC" if contact.gone_at else ""
    where = f" at {first.url} by {first.method}" if first else ""
    others = contact.addresses - 1
    more = f" and at {numbered(others, 'further address', 'further addresses')}" if others > 0 else ""
    return f"{contact.value} of {contact.owner} was found{where}{more}{gone}; {_validation(contact)}."


def _validation(contact: Contact) -> str:
    reasons = f" ({', '.join(map(str, contact.verdict_reasons))})" if contact.verdict_reasons else ""
    if contact.verdict:
        return f"it is {contact.verdict}{reasons}"
    return "it is not validated yet" if contact.kind in VALIDATED else f"{PLURALS[contact.kind]} are not validated"


def of_page(page: Page, shown: Sequence[Contact], hops: Sequence[Hop]) -> str:
    """Say what a page shows, or why it was not visited."""
    if shown:
        there = [contact for contact in shown if not contact.gone_at]
        return f"{numbered(len(there), 'contact')} {'was' if len(there) == 1 else 'were'} found on {page.url}."
    if hops:
        return of_hops(hops, page.url)
    return f"{page.url} was not visited: {_said(page.decision_reason)}."


def of_hops(hops: Sequence[Hop], thing: str) -> str:
    """Say how the last piece of work on something stands."""
    if not hops:
        return f"No work has been queued for {thing}: it waits for your decision."
    last = hops[-1]
    if last.status == "Completed" and not last.reason:
        return f"{last.stage} is Completed for {thing}."
    word = "ended" if last.finished_at else "is"
    return f"{last.stage} {word} {last.status} for {thing}: {_said(last.reason)}."


def numbered(many: int, noun: str, plural: str | None = None) -> str:
    """Write a number with its noun."""
    return f"{many} {noun if many == 1 else plural or f'{noun}s'}"


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def span(seconds: float) -> str:
    """Write a length of time in its largest unit, rounded up."""
    unit, size = next((each for each in UNITS if seconds >= each[1]), UNITS[-1])
    return f"{-int(-seconds // size)}{unit}"
