"""Attempts: how often somebody may try to get in, counted in the database for all web processes together."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import IPv6Address, ip_address, ip_network

from accounts import signing
from errors import TooManyTries
from pipeline.database import Connection, statement
from settings import settings

# A try counts before it is made, so that a hundred at once are no way around the limit.
TRY = b"""
INSERT INTO login_attempts AS tries (subject, failures, began_at) VALUES (%(subject)s, 1, now())
ON CONFLICT (subject) DO UPDATE SET
    failures = CASE WHEN tries.began_at < now() - %(window)s THEN 1 ELSE least(tries.failures + 1, 1000000) END,
    began_at = CASE WHEN tries.began_at < now() - %(window)s THEN now() ELSE tries.began_at END
RETURNING failures, began_at + %(window)s - now()"""

FORGET_OLD = b"""
DELETE FROM login_attempts WHERE subject IN (
    SELECT subject FROM login_attempts WHERE began_at < now() - %(window)s
    ORDER BY began_at LIMIT 100 FOR UPDATE SKIP LOCKED)"""

CLEAR = b"DELETE FROM login_attempts WHERE subject = %s"

GIVE_BACK = b"UPDATE login_attempts SET failures = failures - 1 WHERE subject = %s AND failures > 0"


@dataclass(frozen=True, slots=True)
class Subject:
    """Whose tries are counted, as a hash, and how many may fail."""

    hash: str
    most: int


def account(email: str) -> Subject:
    """Count the tries at an account, whether or not there is one."""
    return Subject(_hash(f"account {email}"), settings().login_tries_per_account)


def address(text: str) -> Subject:
    """Count the tries from a network address; an IPv6 customer has a whole network of them."""
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return Subject(_hash(f"address {text}"), settings().login_tries_per_address)
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or ip_network((found, 64), strict=False).network_address
    return Subject(_hash(f"address {found}"), settings().login_tries_per_address)


def take(*subjects: Subject) -> None:
    """Count one try of each, and refuse it when the last ones all failed; who is refused counts no further."""
    for subject in subjects:
        values = {"subject": subject.hash, "window": settings().tries_window}
        with statement() as connection:
            failures, wait = connection.execute(TRY, values).fetchone() or (1, timedelta())
            if failures == 1:
                connection.execute(FORGET_OLD, values)
        if failures > subject.most:
            minutes = max(1, round(wait.total_seconds() / 60))
            how_long = f"{minutes} minutes" if minutes > 1 else "a minute"
            raise TooManyTries(f"Too many tries have failed: wait {how_long} and try again.", wait)


def clear(connection: Connection, subject: Subject) -> None:
    """Forget the failures of who has got in."""
    connection.execute(CLEAR, (subject.hash,))


def give_back(connection: Connection, subject: Subject) -> None:
    """Take back the one try that did not fail."""
    connection.execute(GIVE_BACK, (subject.hash,))


def _hash(text: str) -> str:
    # With a key, because all addresses there are can be hashed in minutes.
    return hmac.new(signing.key().encode(), text.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
