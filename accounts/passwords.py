"""Passwords: long enough, kept as argon2 hashes, and checked as slowly for a stranger as for a user."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from threading import BoundedSemaphore

from pwdlib import PasswordHash
from pwdlib.exceptions import UnknownHashError

from errors import BadInput, TooManyTries

SHORTEST, LONGEST = 12, 256
# Each takes 64 MB for as long as it runs.
_places = BoundedSemaphore(4)
PATIENCE = timedelta(seconds=10)
BUSY = "Too many people log in at this moment: try again in a few seconds."

_hasher = PasswordHash.recommended()


def check_length(password: str) -> None:
    """Refuse a new password that is too short or too long."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise BadInput(f"A password has {SHORTEST} to {LONGEST} characters: choose another one.")


def hash_password(password: str) -> str:
    """Hash a new password."""
    check_length(password)
    with _place():
        return _hasher.hash(_same(password))


def check(password: str, stored: str | None) -> tuple[bool, str | None]:
    """Tell whether the password fits, and give the hash to keep from now on when today's parameters are others."""
    nobodys = _nobodys()
    with _place():
        try:
            fits, renewed = _hasher.verify_and_update(_same(password), stored or nobodys)
        except UnknownHashError:
            return False, None
    return (True, renewed) if fits and stored else (False, None)


@contextmanager
def _place() -> Iterator[None]:
    if not _places.acquire(timeout=PATIENCE.total_seconds()):
        raise TooManyTries(BUSY, PATIENCE)
    try:
        yield
    finally:
        _places.release()


@cache
def _nobodys() -> str:
    """A hash that takes as long as any and that nothing fits."""
    return _hasher.hash(secrets.token_urlsafe(32))


def _same(password: str) -> str:
    """Write what two keyboards type differently, and people see as the same, in one way."""
    return unicodedata.normalize("NFKC", password)
