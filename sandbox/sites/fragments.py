"""Contacts as pieces of a page: lines with emails and phones, cards of people, links to profiles, JSON-LD."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from sandbox.business import Business
from sandbox.contacts import Planted
from sandbox.phones import national
from sandbox.sites.disguises import EMAIL, choose, mailto
from sandbox.sites.phrases import Phrases

LINE = '<p class="contact-line"><strong>%s:</strong> %s</p>\n'
LOGOS = {"www.facebook.com": "Facebook", "www.instagram.com": "Instagram", "www.linkedin.com": "LinkedIn"}

written = lru_cache(maxsize=4096)(national)


def contact_lines(planted: Sequence[Planted], words: Phrases, name: str) -> str:
    """Write the emails and phones that are the business's own, one a line."""
    lines = [
        _email_line(each, words) if each.kind == "email" else _phone_line(each, words)
        for each in planted
        if each.name is None and each.kind in ("email", "phone") and each.disguise != "json-ld"
    ]
    if any(each.disguise == "microdata" for each in planted):
        scope = (
            '<div itemscope itemtype="https://schema.org/LocalBusiness"><meta itemprop="name" content="%s">\n%s</div>\n'
        )
        return scope % (name, "".join(lines))
    return "".join(lines)


def _email_line(email: Planted, words: Phrases) -> str:
    if email.disguise == "hidden":
        return EMAIL["hidden"](email.value) + "\n"
    return LINE % (words.words["email"], EMAIL[email.disguise](email.value))


def _phone_line(phone: Planted, words: Phrases) -> str:
    word = words.words["fax" if phone.label == "fax" else "phone"]
    return LINE % (word, tel(phone.value) if phone.disguise == "tel" else f"<span>{written(phone.value)}</span>")


def tel(number: str) -> str:
    """Link a phone, by its full number or by the digits that people dial at home."""
    shown = written(number)
    dialled = number if choose(number, 3) else "".join(sign for sign in shown if sign.isdigit())
    return f'<a href="tel:{dialled}">{shown}</a>'


def social_links(planted: Iterable[Planted]) -> str:
    """Link the profiles, as footers do."""
    links = "".join(profile(each.value) for each in planted if each.kind == "social")
    return f'<div class="social">{links}</div>\n' if links else ""


def profile(url: str) -> str:
    """Link a profile, now and then with what a visitor's click would add to it."""
    logo = LOGOS.get(url.split("/", 3)[2], "Profile")
    ending = ("", "/", "")[choose(url, 3)]
    return f'<a href="{escape(url)}{ending}" rel="noopener" aria-label="{logo}"><i class="icon"></i></a> '


def people(planted: Sequence[Planted]) -> str:
    """Show the people in cards, each with the address that is theirs."""
    emails: dict[str | None, str] = {each.name: each.value for each in planted if each.kind == "email" and each.name}
    cards = (
        CARDS[each.disguise](each, emails.get(each.name, ""))
        for each in planted
        if each.kind == "person" and each.disguise in CARDS
    )
    return "".join(cards)


def _card(person: Planted, address: str) -> str:
    mail = f'<p class="team-mail">{mailto(address)}</p>' if address else ""
    return (
        '<div class="team-card team-member"><img src="/images/portrait.jpg" alt="" width="200" height="200">\n'
        f'<h3 class="team-name">{escape(person.value)}</h3>\n<p class="team-role">{escape(person.title or "")}</p>'
        f"{mail}</div>\n"
    )


def _hcard(person: Planted, address: str) -> str:
    mail = f' <a class="u-email email" href="mailto:{escape(address)}">{escape(address)}</a>' if address else ""
    return (
        f'<div class="h-card vcard"><span class="p-name fn">{escape(person.value)}</span>, '
        f'<span class="p-job-title title">{escape(person.title or "")}</span>{mail}</div>\n'
    )


CARDS = {"card": _card, "hcard": _hcard}


def json_ld(business: Business, host: str, planted: Sequence[Planted]) -> str:
    """Describe the business and its people for search engines; nothing when no contact of the page is told that way."""
    told = [each for each in planted if each.disguise == "json-ld"]
    if not told:
        return ""
    facts: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "LocalBusiness",
        "@id": f"http://{host}/#business",
        "name": business.name,
        "url": f"http://{host}/",
        "address": {
            "@type": "PostalAddress",
            "streetAddress": business.address.partition(",")[0],
            "postalCode": business.postal_code,
            "addressLocality": business.town.name,
            "addressCountry": business.town.country,
        },
    }
    for each in told:
        if each.name is None:
            facts["email" if each.kind == "email" else "telephone"] = each.value
    persons = _persons(told)
    if persons:
        facts["employee"] = persons
    text = json.dumps(facts, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/ld+json">{text}</script>\n'


def _persons(told: Sequence[Planted]) -> list[dict[str, str]]:
    emails = {each.name: each.value for each in told if each.kind == "email"}
    return [
        {"@type": "Person", "name": each.value, "jobTitle": each.title or ""}
        | ({"email": f"mailto:{emails[each.name]}"} if each.name in emails else {})
        for each in told
        if each.kind == "person"
    ]
