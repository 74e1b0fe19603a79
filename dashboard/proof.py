"""Proof: that a form was sent from a page of ours, and that a sentence shown to people was written by us."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

from accounts import signing
from errors import NotAllowed

FIELD, HEADER = "csrf", "X-CSRF-Token"
EXPIRED = "This page is too old, or the form did not come from it: load the page again and repeat."
LONGEST_SAID = 600


def of_session(session_id: object) -> str:
    """Give what a form of this log-in brings along; other sites cannot know it."""
    return _mac("session", str(session_id))


def of_guest(nonce: str) -> str:
    """Give the same for somebody who is not logged in yet, from a random cookie."""
    return _mac("guest", nonce)


def new_nonce() -> str:
    """Make the random cookie of somebody who is not logged in yet."""
    return secrets.token_urlsafe(24)


def check(given: str, expected: str) -> None:
    """Refuse a form that does not bring what its page gave it."""
    if not hmac.compare_digest(given.encode(), expected.encode()):
        raise NotAllowed(EXPIRED)


def seal(said: str) -> str:
    """Sign a sentence that travels to the next page in a cookie."""
    body = base64.urlsafe_b64encode(said[:LONGEST_SAID].encode()).decode()
    return f"{body}.{_mac('said', body)}"


def unseal(sealed: str | None) -> str | None:
    """Read a sentence that we have signed; None for any other."""
    body, _, mac = (sealed or "").partition(".")
    if not body or not hmac.compare_digest(mac.encode(), _mac("said", body).encode()):
        return None
    return base64.urlsafe_b64decode(body).decode()


def _mac(purpose: str, text: str) -> str:
    return hmac.new(signing.key().encode(), f"{purpose}:{text}".encode(), hashlib.sha256).hexdigest()
