"""Identify: who shows this token or key."""

from __future__ import annotations

from accounts import keys, sessions, tokens
from accounts.caller import Caller
from accounts.tokens import Claims
from errors import NotLoggedIn

SAY_WHO = "Say who you are: send `Authorization: Bearer …` with an access token or an API key."
LOG_IN = "You are not logged in here, or no longer: log in."
NOT_VALID = "This token or key is not valid, or no longer: log in again, or use another key."


def identify(token: str | None) -> Caller:
    """Give who shows this; refuse what is missing, forged, spent or revoked, without saying which."""
    if not token:
        raise NotLoggedIn(SAY_WHO)
    found = keys.find(token) if token.startswith(keys.MARK) else _logged_in(tokens.read(token))
    if found is None:
        raise NotLoggedIn(NOT_VALID)
    return found


def identify_browser(cookie: str | None) -> Caller:
    """Give whose browser shows this cookie; refuse any other."""
    found = _logged_in(tokens.read_cookie(cookie or ""))
    if found is None:
        raise NotLoggedIn(LOG_IN)
    return found


def _logged_in(claims: Claims | None) -> Caller | None:
    return None if claims is None else sessions.find(claims)
