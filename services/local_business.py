"""LocalBusiness: the domain that a business owns, from the website as people type it. Any text can be read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from services.host import has_known_suffix, is_suffix, registrable_domain
from services.shared_hosts import shared_group
from services.social import NOT_A_PROFILE, PROFILES, network_of, profile_at
from services.website import Address, candidates, redirect_target

LONGEST_HOST = 253
# No suffix has digits, so what ends in a number is an address, in whatever base.
TOP_LEVEL = re.compile(r"[a-z]{2,63}|xn--[a-z0-9-]+")
LONGEST_PATH = 300
MOST_REDIRECTS = 2

Reason = Literal["no-website", "bad-website", "shared-host"]

NOTHING = frozenset(
    (
        "", "0", "x", "na", "n a", "n.a", "n.a.", "n/a", "#n/a", "no", "non", "nan", "nil", "nul", "null", "none",
        "none yet", "undefined", "unknown", "not available", "not applicable", "not yet", "tba", "tbd", "tbc",
        "to be announced", "to be determined", "coming soon", "under construction", "no website", "no web site",
        "no website yet", "no site", "no web", "no url", "no homepage", "does not have one", "keine", "kein",
        "keine website", "keine webseite", "keine homepage", "keine angabe", "k.a", "k.a.", "aucun", "aucune",
        "aucun site", "pas de site", "pas de site web", "sans", "ninguno", "ninguna", "no tiene", "sin web",
        "sin sitio web", "sin página web", "nessuno", "nessun sito", "non disponibile", "assente", "geen",
        "geen website", "nvt", "n.v.t", "n.v.t.", "nenhum", "nenhuma", "não tem", "sem site", "brak", "brak strony",
        "nie dotyczy", "nie ma",
    )
)  # fmt: skip
# Names that lead inside by convention; no register gives them out.
INSIDE = frozenset(
    "localhost local localdomain internal intranet lan home corp private arpa onion workgroup".split()  # noqa: SIM905
)
# What a path or file ends in when somebody typed no host at all.
FILES = frozenset("html htm php asp aspx jsp cgi xml txt pdf doc docx jpg jpeg png gif webp svg ico css js".split())  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class DomainName:
    """A domain that is the business's own."""

    name: str  # the registrable domain: lower-case ASCII
    host: str  # as given, normalised
    url: str  # where its homepage should be
    given: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """Why there is none; a shared host may still tell a profile."""

    reason: Reason
    given: str
    profile: str | None = None
    network: str | None = None


def domain_of(website: str) -> DomainName | Rejected:
    """Find the domain a business owns in what it gives as its website; of several addresses, the first usable one."""
    return _domain_of(website or "", MOST_REDIRECTS)


def _domain_of(given: str, redirects: int) -> DomainName | Rejected:
    found = candidates(given)
    if found.text.strip(" .-–—_/\\*?!'\"()").lower() in NOTHING or found.text.lower() in NOTHING:  # noqa: RUF001
        return Rejected("no-website", given)
    shared: Rejected | None = None
    for address in found.addresses:
        answer = _judge(address, given, redirects)
        if isinstance(answer, DomainName):
            return answer
        shared = shared or answer
    return shared or Rejected("bad-website", given)


def _judge(address: Address, given: str, redirects: int) -> DomainName | Rejected | None:
    """Give the domain, or the profile on a shared host; None when the address leads nowhere public."""
    name = registrable_domain(address.host)
    if not _is_public(address, name):
        return None
    if shared_group(address.host, name):
        target = redirect_target(address) if redirects else ""
        inner = _domain_of(target, redirects - 1) if target else None
        if inner is not None and (isinstance(inner, DomainName) or inner.reason == "shared-host"):
            return _given_as(inner, given)
        return _profile(address, name, given)
    return DomainName(name, address.host, f"{address.scheme}://{address.host}{_home(address, name)}", given)


def _is_public(address: Address, name: str) -> bool:
    labels = name.split(".")
    if len(labels) < 2 or len(address.host) > LONGEST_HOST or labels[0] == "www" or "_" in name:
        return False
    if labels[-1] in INSIDE or labels[-1] in FILES or name in NOTHING or not TOP_LEVEL.fullmatch(labels[-1]):
        return False
    return not is_suffix(name) and (address.is_certain or _is_known(name, labels[-1]))


def _is_known(name: str, last: str) -> bool:
    # Reserved for examples and tests: nobody's typing mistake ends in these.
    return last in ("example", "invalid", "test") or has_known_suffix(name)


def _profile(address: Address, name: str, given: str) -> Rejected:
    network = network_of(address.host, name)
    profile = profile_at(network, address.path, address.query)
    return Rejected("shared-host", given, profile.url if profile else _listing(address, name, network), network)


def _listing(address: Address, name: str, network: str) -> str | None:
    """Give the business's page in a directory or at a booking service; front pages and short links say nothing."""
    first = address.path.strip("/").partition("/")[0]
    is_front = not first and address.host.removeprefix("www.") == name
    if network in PROFILES or is_front or first.lower() in NOT_A_PROFILE or len(address.path) > LONGEST_PATH:
        return None
    if shared_group(address.host, name) == "shortener" and network != "google":
        return None
    return f"https://{address.host}{address.path or '/'}"


def _given_as(answer: DomainName | Rejected, given: str) -> DomainName | Rejected:
    if isinstance(answer, DomainName):
        return DomainName(answer.name, answer.host, answer.url, given)
    return Rejected(answer.reason, given, answer.profile, answer.network)


def _home(address: Address, name: str) -> str:
    """Give the path of the homepage: free Wix sites begin one step below their host."""
    first = address.path.strip("/").partition("/")[0]
    return f"/{first}" if first and name.endswith(".wixsite.com") and first.isascii() and first.isprintable() else "/"
