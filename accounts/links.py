"""Links: a way in that works once, for who has no password or has forgotten it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from accounts import attempts, passwords, sessions, signing
from accounts.caller import ROLE_SCOPES, Caller
from accounts.keys import hash_of
from accounts.sessions import Tokens
from errors import NotLoggedIn
from pipeline.database import Connection, statement, transaction
from settings import settings

MARK = "ssl_"
PAGE = "/login"
REFUSED = "This link is not valid, was used already, or is too old: ask an admin for a new one."

ADD = b"""
INSERT INTO login_links (tenant_id, user_id, token_hash, expires_at)
VALUES (%(tenant)s, %(user)s, %(hash)s, clock_timestamp() + %(length)s) RETURNING expires_at"""

FORGET = b"DELETE FROM login_links WHERE user_id = %s AND used_at IS NULL"

LOOK = b"""
SELECT users.id FROM login_links AS link JOIN users ON users.id = link.user_id AND users.is_active
WHERE link.token_hash = %s AND link.used_at IS NULL AND link.expires_at > clock_timestamp()"""

LOCK_USER = b"SELECT email FROM users WHERE id = %s FOR NO KEY UPDATE"

USE = b"""
UPDATE login_links SET used_at = clock_timestamp()
WHERE token_hash = %s AND used_at IS NULL AND expires_at > clock_timestamp() RETURNING id"""

SET_PASSWORD = b"""
UPDATE users SET password_hash = %(hash)s, last_login_at = clock_timestamp(), updated_at = now()
WHERE id = %(user)s AND is_active RETURNING id, tenant_id, role"""


@dataclass(frozen=True, slots=True)
class Link:
    """A way in, to be told once; only its hash is kept."""

    token: str
    expires_at: datetime

    @property
    def path(self) -> str:
        """The page that takes it; behind the `#` it stays in the browser, out of logs on the way."""
        return f"{PAGE}#{self.token}"


def make(connection: Connection, tenant_id: UUID, user_id: UUID) -> Link:
    """Make a link that lets a user set a password."""
    token = MARK + secrets.token_urlsafe(32)
    length = timedelta(hours=settings().login_link_hours)
    values = {"tenant": tenant_id, "user": user_id, "hash": hash_of(token), "length": length}
    ((expires_at,),) = connection.execute(ADD, values).fetchall()
    return Link(token, expires_at)


def forget(connection: Connection, user_id: UUID) -> None:
    """Have no link of a user work any more."""
    connection.execute(FORGET, (user_id,))


def use(token: str, password: str, address: str) -> Tokens:
    """Set a password with a link and begin a session; of two who use it at once, one gets in."""
    signing.key()
    passwords.check_length(password)
    place = attempts.address(address)
    attempts.take(place)
    user_id = _look(token)
    password_hash = passwords.hash_password(password)
    with transaction() as (_, connection):
        (email,) = connection.execute(LOCK_USER, (user_id,)).fetchone() or ("",)
        if connection.execute(USE, (hash_of(token),)).fetchone() is None:
            raise NotLoggedIn(REFUSED)
        found = _set_password(connection, user_id, password_hash)
        attempts.clear(connection, attempts.account(email))
        attempts.give_back(connection, place)
        forget(connection, user_id)
        sessions.end_all(connection, user_id)
        return sessions.start(connection, found, how="link")


def _look(token: str) -> UUID:
    """Find whose link it is before a slow hash is made for it."""
    with statement() as connection:
        row = connection.execute(LOOK, (hash_of(token),)).fetchone()
    if row is None:
        raise NotLoggedIn(REFUSED)
    user_id: UUID = row[0]
    return user_id


def _set_password(connection: Connection, user_id: UUID, password_hash: str) -> Caller:
    row = connection.execute(SET_PASSWORD, {"user": user_id, "hash": password_hash}).fetchone()
    if row is None:
        raise NotLoggedIn(REFUSED)
    return Caller(row[1], row[0], row[2], ROLE_SCOPES[row[2]])
