"""Identify: who shows this token or key."""

from __future__ import annotations

from accounts import keys, sessions, tokens
from accounts.caller import Caller
from errors import NotLoggedIn

SAY_WHO = "Say who you are: send `Authorization: Bearer …` with an access token or an API key."
NOT_VALID = "This token or key is not valid, or no longer: log in again, or use another key."


def identify(token: str | None) -> Caller:
    """Give who shows this; refuse what is missing, forged, spent or revoked, without saying which."""
    if not token:
        raise NotLoggedIn(SAY_WHO)
    found = keys.find(token) if token.startswith(keys.MARK) else _logged_in(token)
    if found is None:
        raise NotLoggedIn(NOT_VALID)
    return found


def _logged_in(token: str) -> Caller | None:
    claims = tokens.read(token)
    return None if claims is None else sessions.find(claims)
