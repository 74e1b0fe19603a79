"""Signing: the secret that makes access tokens ours. There is no default one."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from functools import cache
from pathlib import Path

import embedded
from errors import ServerDown
from settings import settings

FILE = "jwt-secret"
SHORTEST = 32
UNSET = (
    "Nobody can log in, because JWT_SECRET_KEY is not set: set it to 32 or more random characters, the same for every"
    " web process. API keys work without it."
)


def key() -> str:
    """Give the secret: the configured one or, beside a private database, one that was made at its first use."""
    given = settings().jwt_secret_key
    if given is not None:
        return given.get_secret_value()
    if not is_private():
        raise ServerDown(UNSET)
    return _kept(settings().scrapersky_dir.resolve() / FILE)


def is_private() -> bool:
    """Tell whether the database is the embedded one, which only this machine's user can reach."""
    given = settings().database_url
    return given is None or given == embedded.urls(settings().scrapersky_dir).database_url


@cache
def _kept(file: Path) -> str:
    try:
        if not file.exists():
            _make(file)
        kept = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as fault:
        raise ServerDown(f"{file} cannot be used ({fault}): put that right, or set JWT_SECRET_KEY.") from None
    if len(kept) < SHORTEST:
        raise ServerDown(f"{file} holds no secret: remove it, so that a new one is made, or set JWT_SECRET_KEY.")
    return kept


def _make(file: Path) -> None:
    """Write a new secret; a link appears whole or not at all, so of several processes the first wins."""
    draft = file.with_name(f"{FILE}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as written:
            written.write(secrets.token_urlsafe(48))
        with suppress(FileExistsError):
            file.hardlink_to(draft)
    finally:
        draft.unlink(missing_ok=True)
