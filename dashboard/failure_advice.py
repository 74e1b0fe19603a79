"""Advice: what to do about work that has failed, by its reason."""

from __future__ import annotations

import reasons

WAIT = "Often passes by itself: retry it later. If it fails again, the site is probably gone: cancel it."
SITE = "The site is like that: a retry brings the same until the site changes. Cancel what you do not want to see here."
GUARD = "Refused for safety: look at the address in the error text. Retry it only once the row has another address."
FAULT = "A fault of ours: read the error text and the worker's log, have it corrected, then retry."
SETTING = "A setting is missing or wrong: correct it as the error text says, then retry."
ASKED = "The provider did not understand or know this: correct the search, or cancel it."
LIMIT = "It takes longer than the stage may: retry it once; if that ends the same way, cancel it."
OTHER = "Read the error text: retry what was bad luck, cancel what will not change."

_GROUPS: dict[str, tuple[str, ...]] = {
    WAIT: (
        reasons.TIMEOUT, reasons.DNS, reasons.TLS, reasons.REFUSED, reasons.UNREACHABLE, reasons.CONNECTION_LOST,
        reasons.RATE_LIMITED, reasons.SERVER_ERROR, reasons.ROBOTS_UNAVAILABLE, reasons.HOST_RESTING,
        reasons.HOST_BUSY, reasons.CRAWL_DELAY, reasons.BAD_RESPONSE, reasons.RECEIVER_REFUSED,
    ),
    SITE: (
        reasons.BLOCKED, reasons.NOT_FOUND, reasons.REQUEST_REJECTED, reasons.TOO_LARGE, reasons.NOT_HTML,
        reasons.TOO_MANY_REDIRECTS, reasons.BAD_REDIRECT, reasons.ROBOTS_DENIED, reasons.HOSTILE_XML,
        reasons.NOT_A_SITEMAP, reasons.OFF_SITE,
    ),
    GUARD: (reasons.UNSAFE_ADDRESS, reasons.BAD_URL),
    FAULT: (reasons.UNEXPECTED_ERROR, reasons.NO_RESULT, reasons.SAVE_FAILED, reasons.POISON),
    SETTING: (
        reasons.PROXY, reasons.BAD_KEY, reasons.CONTACT_NEEDED, reasons.BUDGET, reasons.NO_SANDBOX,
        reasons.LIST_UNREADABLE,
    ),
    ASKED: (reasons.BAD_REQUEST, reasons.UNKNOWN_PLACE, reasons.STALE_PAGE),
    LIMIT: (reasons.DEADLINE,),
}  # fmt: skip
_ADVICE = {reason: advice for advice, those in _GROUPS.items() for reason in those}


GONE = "This version has no such stage, so nothing would run it: open the group and cancel its rows."


def advice_for(reason: str | None) -> str:
    """Say what to do about a reason."""
    return _ADVICE.get(reason or "", OTHER)
