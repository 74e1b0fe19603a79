"""Tokens: short-lived proof of a log-in, signed by us and for us, in one way only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

import jwt

from accounts import signing
from errors import ServerDown
from settings import settings

ALGORITHM = "HS256"
AUDIENCE, ISSUER = "scrapersky-api", "scrapersky"
# What a browser keeps opens the pages for people and nothing else.
COOKIE_AUDIENCE = "scrapersky-pages"
CLAIMS = ["sub", "tenant", "session", "iat", "exp", "aud", "iss"]
# Between the clocks of several web servers.
LEEWAY = timedelta(seconds=5)
# Every token of ours begins with these very letters, so nobody else's choice of algorithm is even read.
HEADER = jwt.encode({}, "-" * 32, ALGORITHM).partition(".")[0]
LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Claims:
    """What a token says: whose log-in it stands for."""

    user_id: UUID
    tenant_id: UUID
    session_id: UUID


def lifetime() -> timedelta:
    """Say how long a token is valid."""
    return timedelta(minutes=settings().access_token_minutes)


def sign(claims: Claims) -> str:
    """Make an access token."""
    return _sign(claims, AUDIENCE, lifetime())


def sign_cookie(claims: Claims) -> str:
    """Make what a browser keeps: it lasts as long as the log-in, whose end is looked up at every use."""
    return _sign(claims, COOKIE_AUDIENCE, settings().session_length)


def _sign(claims: Claims, audience: str, length: timedelta) -> str:
    now = datetime.now(UTC)
    body = {
        "sub": str(claims.user_id),
        "tenant": str(claims.tenant_id),
        "session": str(claims.session_id),
        "iat": now,
        "exp": now + length,
        "aud": audience,
        "iss": ISSUER,
    }
    return jwt.encode(body, signing.key(), ALGORITHM)


def read(token: str) -> Claims | None:
    """Read an access token of ours that is still valid; None for any other."""
    return _read(token, AUDIENCE)


def read_cookie(token: str) -> Claims | None:
    """Read a browser's token in the same way."""
    return _read(token, COOKIE_AUDIENCE)


def _read(token: str, audience: str) -> Claims | None:
    if len(token) > LONGEST or token.partition(".")[0] != HEADER:
        return None
    try:
        body = jwt.decode(
            token,
            signing.key(),
            algorithms=[ALGORITHM],
            audience=audience,
            issuer=ISSUER,
            leeway=LEEWAY,
            options={"require": CLAIMS},
        )
        return Claims(UUID(body["sub"]), UUID(body["tenant"]), UUID(body["session"]))
    except (jwt.InvalidTokenError, ServerDown, ValueError, TypeError, AttributeError):
        return None
