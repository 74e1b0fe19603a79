"""`scrapersky why`: one sentence, then every hop from the search to the page, with its time, attempts and reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from cli.ready import ready
from cli.text import console, duration, print_json, print_table, safe, say, shortened
from errors import BadInput
from leads.journey import Journey, journeys
from leads.journey_facts import Contact, Hop, Page, Site, meaning_of
from pipeline.stage import load_stages
from settings import settings

HOPS = ("work", "stage", "of", "status", "reason", "tries", "queued", "took", "says")
TROUBLES = ("work", "stage", "when", "attempt", "kind", "reason", "error")
CONTACTS = ("contact", "value", "label", "person", "verdict", "first seen", "gone", "sightings")
COUNTS = ("stage", "status", "reason", "many", "next", "for example", "means")
UNVISITED = ("decision", "many", "for example", "means")
LONGEST_CELL, LONGEST_FACT = 60, 300


def show(value: str, *, as_json: bool) -> None:
    """Print the journey of everything that a value names."""
    load_stages()
    ready()
    found = journeys(settings().default_tenant_id, value)
    if not found:
        raise BadInput(
            f"Nothing is known of {safe(value, 100)!r}: name an email, a phone, a link, a domain, a business or the id"
            " of a piece of work that is stored."
        )
    if as_json:
        print_json(asdict(journey) for journey in found)
        return
    for at, journey in enumerate(found, 1):
        if len(found) > 1:
            say(f"{at} of {len(found)}: {journey.subject} {journey.name}")
        _print(journey)


def _print(journey: Journey) -> None:
    say(journey.answer)
    _print_beginnings(journey)
    for page in journey.pages:
        _print_page(page)
    if journey.subject == "contact":
        _print_proof(journey.contacts)
    elif journey.contacts:
        print_table(CONTACTS, [_contact(contact) for contact in journey.contacts], title="Contacts")
    _print_hops(journey.hops)
    for site in journey.sites:
        _print_site(site)


def _print_beginnings(journey: Journey) -> None:
    for origin in journey.origins:
        _say_fact(f"{origin.kind} {origin.id}", f"{origin.text}, found {_time(origin.at)}")
    for business in journey.businesses:
        parts = (business.name, business.address, business.website, f"{business.provider} {business.provider_place_id}")
        _say_fact(f"business {business.id}", " · ".join(part for part in parts if part))
    for site in journey.sites:
        _say_fact(f"domain {site.id}", " ".join(_names(site)))


def _names(site: Site) -> list[str]:
    names = [site.name]
    names += [f"→ {site.redirects_to}"] if site.redirects_to else []
    names += [f"(also reached from {', '.join(site.redirected_from)})"] if site.redirected_from else []
    return names


def _print_page(page: Page) -> None:
    why = f"{page.decision_reason} ({page.meaning})" if page.meaning else page.decision_reason
    _say_fact(f"page {page.id}", f"{page.url} · {page.kind}, score {page.score:g} · {why or 'no decision'}")
    for sitemap in page.sitemaps:
        _say_fact("  listed by", sitemap)


def _print_proof(contacts: Sequence[Contact]) -> None:
    for contact in contacts:
        if contact.person_name:
            _say_fact("person", ", ".join(part for part in (contact.person_name, contact.person_title) if part))
        for word in contact.verdict_reasons:
            _say_fact(f"{contact.verdict} because", f"{word} ({meaning_of(word) or 'unknown'})")
        for seen in contact.sightings:
            gone = f", gone {_time(seen.gone_at)}" if seen.gone_at else ""
            _say_fact(f"seen {_time(seen.seen_at)}", f"{seen.url} by {seen.method}{gone}: {seen.snippet or ''}")


def _contact(contact: Contact) -> list[object]:
    return [
        contact.kind,
        safe(contact.value, LONGEST_CELL),
        contact.label,
        None if contact.person_name is None else safe(contact.person_name, LONGEST_CELL),
        contact.verdict,
        _time(contact.first_seen_at),
        _time(contact.gone_at),
        "; ".join(f"{safe(url, LONGEST_CELL)} ({', '.join(methods)})" for url, methods in _methods(contact).items()),
    ]


def _methods(contact: Contact) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for seen in contact.sightings:
        found.setdefault(seen.url, []).append(seen.method)
    return found


def _print_hops(hops: Sequence[Hop]) -> None:
    if hops:
        print_table(HOPS, [_hop(hop) for hop in hops], title="The way")
    troubles = [(hop, trouble) for hop in hops for trouble in hop.troubles]
    if troubles:
        lines = [
            [
                hop.work_id,
                hop.stage,
                _time(trouble.at),
                trouble.attempt,
                trouble.kind,
                trouble.reason,
                shortened(trouble.error or trouble.meaning or "", LONGEST_FACT),
            ]
            for hop, trouble in troubles
        ]
        print_table(TROUBLES, lines, title="What went wrong on it")


def _hop(hop: Hop) -> list[object]:
    return [
        hop.work_id,
        hop.stage,
        safe(hop.name or hop.entity_id, LONGEST_CELL),
        hop.status,
        hop.reason,
        hop.attempts,
        _time(hop.queued_at),
        None if hop.seconds is None else _took(hop.seconds),
        shortened(hop.error or hop.meaning or "", LONGEST_FACT) or None,
    ]


def _took(seconds: float) -> str | None:
    return f"{seconds:.2f}s" if seconds < 10 else duration(seconds)


def _print_site(site: Site) -> None:
    if site.counts:
        lines = [
            [
                count.stage,
                count.status,
                count.reason,
                count.many,
                _next(count.due_in_seconds),
                None if count.example is None else safe(count.example, LONGEST_CELL),
                count.meaning,
            ]
            for count in site.counts
        ]
        print_table(COUNTS, lines, title=f"What became of {safe(site.name)}")
    if site.unvisited:
        rows = [[each.reason, each.many, safe(each.example, LONGEST_CELL), each.meaning] for each in site.unvisited]
        print_table(UNVISITED, rows, title="Pages that were not visited")


def _next(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    return f"in {duration(seconds)}" if seconds > 1 else "now"


def _time(at: datetime | None) -> str | None:
    return None if at is None else f"{at:%Y-%m-%d %H:%M:%S}"


def _say_fact(name: str, value: object) -> None:
    console().print(f"  {name}  {safe(value, LONGEST_FACT)}", soft_wrap=True)
