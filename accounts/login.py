"""Log-in: with an address and a password; and a new password for who knows the old one."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from accounts import attempts, audit, emails, links, passwords, sessions, signing
from accounts.caller import ROLE_SCOPES, Caller
from accounts.sessions import Tokens
from errors import BadInput, Conflict, NotLoggedIn
from pipeline.database import Connection, statement, transaction

# The same for an unknown address, a wrong password and a user who may not come in any more.
WRONG = "The address or the password is wrong: try again, or ask an admin for a new link."
WRONG_OLD = "The present password is not right, so nothing was changed: try again."
NEEDS_LOGIN = "A key cannot change its user's password: log in first."

BY_EMAIL = b"SELECT id, password_hash FROM users WHERE email = %s AND is_active"
BY_ID = b"SELECT email, password_hash FROM users WHERE id = %s"

# Only while the password is still the one that was checked.
ENTER = b"""
UPDATE users SET last_login_at = clock_timestamp(), password_hash = coalesce(%(renewed)s, password_hash)
WHERE id = %(user)s AND is_active AND password_hash = %(checked)s RETURNING id, tenant_id, role"""

CHANGE = b"""
UPDATE users SET password_hash = %(new)s, updated_at = now()
WHERE id = %(user)s AND password_hash = %(checked)s RETURNING id"""


def log_in(email: str, password: str, address: str) -> Tokens:
    """Begin a session for who knows the password."""
    signing.key()
    email = emails.normal(email)
    account, place = attempts.account(email), attempts.address(address)
    attempts.take(place, account)
    user = (emails.is_address(email) and _one(BY_EMAIL, email)) or {"id": None, "password_hash": None}
    fits, renewed = passwords.check(password, user["password_hash"])
    if not fits:
        raise NotLoggedIn(WRONG)
    with transaction() as (_, connection):
        found = _enter(connection, user, renewed)
        attempts.clear(connection, account)
        attempts.give_back(connection, place)
        return sessions.start(connection, found, how="password")


def change_password(caller: Caller, old: str, new: str, address: str) -> None:
    """Set another password for who knows the old one; the user's other log-ins and open links end."""
    if caller.session_id is None:
        raise Conflict(NEEDS_LOGIN)
    passwords.check_length(new)
    user = _one(BY_ID, caller.user_id) or {"email": "", "password_hash": None}
    account, place = attempts.account(user["email"]), attempts.address(address)
    attempts.take(place, account)
    fits, _ = passwords.check(old, user["password_hash"])
    if not fits:
        raise BadInput(WRONG_OLD)
    values = {"user": caller.user_id, "checked": user["password_hash"], "new": passwords.hash_password(new)}
    with transaction() as (_, connection):
        if connection.execute(CHANGE, values).fetchone() is None:
            raise BadInput(WRONG_OLD)
        attempts.clear(connection, account)
        attempts.give_back(connection, place)
        links.forget(connection, caller.user_id)
        ended = sessions.end_all(connection, caller.user_id, but=caller.session_id)
        audit.note(connection, caller, "change-password", "users", {"ended_sessions": ended})


def _enter(connection: Connection, user: dict[str, Any], renewed: str | None) -> Caller:
    values = {"user": user["id"], "checked": user["password_hash"], "renewed": renewed}
    row = connection.execute(ENTER, values).fetchone()
    if row is None:
        raise NotLoggedIn(WRONG)
    return Caller(row[1], row[0], row[2], ROLE_SCOPES[row[2]])


def _one(sql: bytes, value: str | UUID) -> dict[str, Any] | None:
    with statement() as connection:
        return connection.cursor(row_factory=dict_row).execute(sql, (value,)).fetchone()
