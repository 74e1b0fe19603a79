"""Sessions: log-ins, how they go on with a refresh token that changes at every use, and how they end."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from uuid import UUID, uuid4

from accounts import attempts, audit, signing, tokens
from accounts.caller import ROLE_SCOPES, Caller
from accounts.keys import hash_of
from accounts.tokens import Claims
from errors import Conflict, NotLoggedIn
from pipeline.database import Connection, statement, transaction
from settings import settings

MARK = "ssr_"
MOST_SESSIONS = 50
REFUSED = "This refresh token is not valid, or no longer: log in again."
NO_SESSION = "A key has no log-in to end: revoke the key instead."

ADD = b"""
INSERT INTO sessions (id, tenant_id, user_id, refresh_hash, expires_at)
VALUES (%(session)s, %(tenant)s, %(user)s, %(hash)s, clock_timestamp() + %(length)s)"""

# What has ended, and the oldest of somebody who logs in for every call.
FORGET = b"""
DELETE FROM sessions WHERE user_id = %(user)s AND (
    revoked_at IS NOT NULL OR expires_at < clock_timestamp()
    OR id IN (SELECT id FROM sessions WHERE user_id = %(user)s ORDER BY created_at DESC OFFSET %(most)s))"""

# The user's row counts at every request: a role that changes and a user who is let go need no new token.
FIND = b"""
SELECT users.role FROM sessions JOIN users ON users.id = sessions.user_id AND users.tenant_id = sessions.tenant_id
WHERE sessions.id = %(session)s AND users.id = %(user)s AND users.tenant_id = %(tenant)s AND users.is_active
  AND sessions.revoked_at IS NULL AND sessions.expires_at > clock_timestamp()"""

REFRESH = b"""
UPDATE sessions SET refresh_hash = %(new)s, used_at = clock_timestamp() FROM users
WHERE sessions.id = %(session)s AND sessions.refresh_hash = %(old)s AND users.id = sessions.user_id AND users.is_active
  AND sessions.revoked_at IS NULL AND sessions.expires_at > clock_timestamp()
RETURNING sessions.user_id, sessions.tenant_id"""

# Whoever shows a token that was used before has a copy, or somebody else has.
REVOKE_COPIED = b"""
UPDATE sessions SET revoked_at = clock_timestamp()
WHERE id = %(session)s AND refresh_hash <> %(old)s AND revoked_at IS NULL AND expires_at > clock_timestamp()
RETURNING user_id, tenant_id"""

END = b"UPDATE sessions SET revoked_at = clock_timestamp() WHERE id = %s AND revoked_at IS NULL"

END_ALL = b"""
UPDATE sessions SET revoked_at = clock_timestamp()
WHERE user_id = %(user)s AND revoked_at IS NULL AND id IS DISTINCT FROM %(but)s"""


@dataclass(frozen=True, slots=True)
class Tokens:
    """What somebody gets who has logged in; neither is stored here."""

    access_token: str
    refresh_token: str
    expires_in: int
    claims: Claims


def start(connection: Connection, user: Caller, *, how: str) -> Tokens:
    """Begin a log-in of a user whose row this transaction has locked."""
    claims = Claims(user.user_id, user.tenant_id, uuid4())
    refresh_token = _new_token(claims.session_id)
    values = {"session": claims.session_id, "tenant": user.tenant_id, "user": user.user_id}
    connection.execute(FORGET, values | {"most": MOST_SESSIONS - 1})
    connection.execute(ADD, values | {"hash": hash_of(refresh_token), "length": settings().session_length})
    audit.note(connection, user, "login", "sessions", {"how": how})
    return _tokens(claims, refresh_token)


def find(claims: Claims) -> Caller | None:
    """Give whose log-in this is, with what the role allows today; None when it has ended."""
    values = {"session": claims.session_id, "user": claims.user_id, "tenant": claims.tenant_id}
    with statement() as connection:
        row = connection.execute(FIND, values).fetchone()
    if row is None:
        return None
    return Caller(claims.tenant_id, claims.user_id, row[0], ROLE_SCOPES[row[0]], session_id=claims.session_id)


def goes_on(caller: Caller) -> bool:
    """Tell whether the log-in that the caller came with has not ended, and still allows what it did."""
    if caller.session_id is None:
        return False
    found = find(Claims(caller.user_id, caller.tenant_id, caller.session_id))
    return found is not None and found.role == caller.role


def refresh(token: str, address: str) -> Tokens:
    """Change a refresh token for new tokens; one that was used before ends its session."""
    signing.key()
    subject = attempts.address(address)
    attempts.take(subject)
    session_id = _session_of(token)
    fresh = _new_token(session_id)
    values = {"session": session_id, "old": hash_of(token), "new": hash_of(fresh)}
    with transaction() as (_, connection):
        row = connection.execute(REFRESH, values).fetchone()
        if row is not None:
            attempts.give_back(connection, subject)
            return _tokens(Claims(row[0], row[1], session_id), fresh)
        _end_copied(connection, values)
    raise NotLoggedIn(REFUSED)


def end(caller: Caller) -> None:
    """End the log-in that the caller uses."""
    if caller.session_id is None:
        raise Conflict(NO_SESSION)
    with transaction() as (_, connection):
        connection.execute(END, (caller.session_id,))
        audit.note(connection, caller, "logout", "sessions", {})


def end_all(connection: Connection, user_id: UUID, *, but: UUID | None = None) -> int:
    """End every log-in of a user, except one that may go on, and say how many."""
    return connection.execute(END_ALL, {"user": user_id, "but": but}).rowcount


def _end_copied(connection: Connection, values: dict[str, object]) -> None:
    row = connection.execute(REVOKE_COPIED, values).fetchone()
    if row is not None:
        copied = Caller(row[1], row[0], "viewer", frozenset())
        audit.note(connection, copied, "end", "sessions", {"why": "a refresh token was used twice"})


def _tokens(claims: Claims, refresh_token: str) -> Tokens:
    return Tokens(tokens.sign(claims), refresh_token, int(tokens.lifetime().total_seconds()), claims)


def _new_token(session_id: UUID) -> str:
    return f"{MARK}{session_id.hex}.{secrets.token_urlsafe(32)}"


def _session_of(token: str) -> UUID:
    named = token.removeprefix(MARK).partition(".")[0]
    try:
        return UUID(hex=named)
    except ValueError:
        raise NotLoggedIn(REFUSED) from None
