"""Email markup: the addresses in links, attributes and scripts of a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from urllib.parse import parse_qs, unquote

from services.contacts_page import Element
from services.contacts_script import from_base64, put_together, unescaped
from services.contacts_words import words
from services.email_address import canonical, canonical_domain
from services.email_text import addresses, spelled_addresses

MOST_RECIPIENTS = 50
LONGEST_HREF = 4_000
LONGEST_ATTRIBUTE = 2_000
LONGEST_SCRIPT = 400_000

# Attributes that name files, show examples, or point elsewhere.
NOT_READ = words(
    "src srcset href action placeholder class id style for integrity poster background cite formaction xmlns d "
    "data-src data-srcset data-lazy-src data-bg ping sizes media rel type lang itemtype itemid property "
    "pattern aria-describedby aria-labelledby data-placeholder"
)
# The method of what an attribute says by the way: it counts only where the page shows that it is of its business.
ASIDE = "aside"
# The method of what is no part of the page but of how it is made: fields that nobody sees, and facts about the file.
FITTING = "fitting"
MAKERS = frozenset(("author", "designer", "generator", "web_author", "web-author", "webauthor", "developer"))
_LEADS_ON = re.compile(r"mailto|href|location", re.IGNORECASE)
_SHOWN_META = re.compile(r"description|e-?mail", re.IGNORECASE)
_RECIPIENT = re.compile(r"recipient|\bto\b|_to\b|sendto|mail_?to|destinat|empf", re.IGNORECASE)
_SENDER = re.compile(r"from|sender|return|bounce|absender", re.IGNORECASE)
USER_PARTS = (
    "data-user", "data-name", "data-local", "data-account", "data-u", "data-mailbox", "data-login", "data-part1",
    "data-username", "data-email-user", "data-mail-user", "data-email-name", "data-before", "data-first", "data-id",
    "data-email-local", "data-left", "data-prefix", "data-addr", "data-to", "data-recipient", "data-usr",
)  # fmt: skip
DOMAIN_PARTS = (
    "data-domain", "data-host", "data-site", "data-d", "data-server", "data-part2", "data-email-domain", "data-dom",
    "data-mail-domain", "data-after", "data-second", "data-right", "data-suffix", "data-hostname", "data-email-host",
)  # fmt: skip
_DOMAIN_PARTS = frozenset(DOMAIN_PARTS)
# Where a script says an address, it must say that it is one, or be of the site itself.
_SAYS_EMAIL = re.compile(r"mail|contact|recipient|\bto\b|\baddr", re.IGNORECASE)
_CODE = re.compile(r"[0-9a-f]{8,}", re.IGNORECASE | re.ASCII)
_PROTECTED = "/cdn-cgi/l/email-protection#"


def of_mailto(href: str) -> Iterator[str]:
    """Give the recipients of a mailto link: several, percent-encoded, and those of to, cc and bcc."""
    to, _, query = href[:LONGEST_HREF].strip()[7:].lstrip("/").partition("?")
    recipients = _recipients(to)
    if query:
        fields = _fields(query)
        recipients += [
            each for name in ("to", "cc", "bcc") for value in fields.get(name, ()) for each in _recipients(value)
        ]
    for recipient in recipients[:MOST_RECIPIENTS]:
        yield from _one(recipient)


def _fields(query: str) -> dict[str, list[str]]:
    try:
        found = parse_qs(unescape(query).replace("?", "&"), max_num_fields=50)
    except ValueError:
        return {}
    return {name.lower(): values for name, values in found.items()}


def _recipients(text: str) -> list[str]:
    decoded = unquote(text)
    if "%40" in decoded:
        decoded = unquote(decoded)
    # A link written "mailto: a@b.c&subject=Hello" forgot its question mark.
    decoded = re.split(r"&(?:amp;)?(?:subject|body|cc|bcc)=", decoded, maxsplit=1, flags=re.IGNORECASE)[0]
    return re.split(r"[,;]", decoded)


def _one(recipient: str) -> Iterator[str]:
    """Read one recipient: bare, with a name in front, or spelled out."""
    found = canonical(recipient.strip(" <>\"'\t\r\n."))
    if found is not None:
        yield found
        return
    seen = list(addresses(recipient)) or list(spelled_addresses(recipient))
    yield from (each.address for each in seen[:1])


def of_code(code: str) -> str | None:
    """Read an address that Cloudflare protects: a key byte, then every byte mixed with it."""
    code = code.strip()[:1_000]
    if len(code) % 2 or not _CODE.fullmatch(code):
        return None
    key, *mixed = bytes.fromhex(code)
    text = bytes(byte ^ key for byte in mixed).decode("utf-8", "replace")
    return canonical(unquote(text.partition("?")[0]))


def is_promising(attributes: dict[str, str | None]) -> bool:
    """Tell by a quick look whether the attributes of an element may hold an address; most hold none."""
    for name, value in attributes.items():
        if not value:
            continue
        if name == "href":
            if "email-protection#" in value or (":" in value[:12] and value[:4] != "http"):
                return True
        elif (said := _says(name)) or (said is None and ("@" in value or "%40" in value)):
            return True
    return False


# The same few names stand on every page.
@lru_cache(maxsize=2048)
def _says(name: str) -> bool | None:
    """Tell by its name whether an attribute may hold an address; None when that depends on what it holds."""
    if name in NOT_READ:
        return False
    return True if "mail" in name or name[:2] == "on" or name in _DOMAIN_PARTS else None


def of_element(element: Element) -> Iterator[tuple[str, str]]:
    """Give what the attributes of an element hold, each with the way it was found."""
    attributes = element.attributes
    href = attributes.get("href")
    if href:
        yield from _of_href(href)
    code = attributes.get("data-cfemail")
    if code and (address := of_code(code)):
        yield address, "cloudflare"
    yield from ((address, "attribute") for address in _of_halves(attributes))
    for name, value in attributes.items():
        if name not in NOT_READ and value and len(value) > 5 and _is_read(element, name):
            method = _method(element, name, value)
            yield from ((address, method) for address in _of_attribute(name, value[:LONGEST_ATTRIBUTE]))


def _is_read(element: Element, name: str) -> bool:
    """Tell whether an attribute may hold an address of theirs: not who made the page, nor who its machine writes as."""
    if name == "content":
        return element.get("name").lower() not in MAKERS
    return not (name == "value" and _is_unseen_field(element) and _SENDER.search(element.get("name")))


def _method(element: Element, name: str, value: str) -> str:
    """Say how much it means that an attribute holds an address."""
    if name.startswith("onmouse"):
        return ASIDE if _LEADS_ON.search(value) else FITTING
    if name == "content":
        said = f"{element.get('name')} {element.get('property')} {element.get('itemprop')}"
        return "attribute" if _SHOWN_META.search(said) else FITTING
    if name == "value" and _is_unseen_field(element):
        return ASIDE if _RECIPIENT.search(element.get("name")) else FITTING
    return "attribute" if "mail" in name else ASIDE


def _is_unseen_field(element: Element) -> bool:
    return element.tag == "input" and element.get("type").lower() == "hidden"


def _of_href(href: str) -> Iterator[tuple[str, str]]:
    head = href[:12].lstrip().lower()
    if head.startswith("mailto:"):
        yield from ((address, "mailto") for address in of_mailto(href.lstrip()))
    elif _PROTECTED in href[:200]:
        address = of_code(href.partition("#")[2].partition("?")[0])
        if address:
            yield address, "cloudflare"
    elif head.startswith("javascript:") and len(href) < LONGEST_HREF:
        yield from ((address, "script") for address in of_script(unquote(href)))


def _of_attribute(name: str, value: str) -> Iterator[str]:
    if "@" in value or "%40" in value:
        text = unquote(value) if "%40" in value else value
        found = [seen.address for seen in addresses(unescaped(unescape(text)))]
        if found:
            yield from found
            return
    if name.startswith("on"):
        yield from of_script(value)
    elif "mail" in name:
        yield from _of_mail_attribute(value)


def _of_mail_attribute(value: str) -> Iterator[str]:
    """Read an attribute that says it holds an address: spelled out, backwards, or in base64."""
    readings = [seen.address for seen in spelled_addresses(value)]
    readings += filter(None, (canonical(value[::-1]), canonical(from_base64(value)), of_code(value)))
    yield from readings[:1]


def _of_halves(attributes: dict[str, str | None]) -> Iterator[str]:
    """Join the halves that a script would join: data-user and data-domain."""
    if attributes.keys().isdisjoint(_DOMAIN_PARTS):
        return
    domain = next((value for name in DOMAIN_PARTS if (value := attributes.get(name))), None)
    if domain is None or len(domain) > 260:
        return
    ending = attributes.get("data-tld")
    domain = f"{domain}.{ending}" if ending and "." not in domain else domain
    user = next((value for name in USER_PARTS if (value := attributes.get(name))), None)
    if user and canonical_domain(domain.lstrip("@")):
        address = canonical(f"{user.rstrip('@')}@{domain.lstrip('@')}")
        if address:
            yield address


def of_script(source: str, own_domain: str = "") -> Iterator[str]:
    """Find the addresses that a script writes out or puts together."""
    source = source[:LONGEST_SCRIPT]
    for text in put_together(source):
        yield from (seen.address for seen in addresses(text))
        if "(at)" in text or "[at]" in text:
            yield from (seen.address for seen in spelled_addresses(text))
    if "@" not in source and "u0040" not in source:
        return
    plain = unescaped(source)
    for seen in addresses(plain):
        said = plain[max(0, seen.start - 40) : seen.start]
        if _SAYS_EMAIL.search(said) or (
            own_domain and seen.address.lower().endswith(("@" + own_domain, "." + own_domain))
        ):
            yield seen.address
