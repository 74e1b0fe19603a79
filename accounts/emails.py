"""Emails: the addresses by which people log in, written in one way."""

from __future__ import annotations

import re

from errors import BadInput

LONGEST = 320
# Only ASCII: two addresses that look the same must not be two accounts.
ADDRESS = re.compile(r"[!-?A-~]+@[!-?A-~]+")
# Addresses of the program itself, as whom nobody logs in.
SYSTEM_SUFFIX = "@scrapersky.invalid"


def normal(email: str) -> str:
    """Write an address as it is stored."""
    return email.strip().lower()


def is_address(written: str) -> bool:
    """Tell whether a user may have this address."""
    return len(written) <= LONGEST and ADDRESS.fullmatch(written) is not None


def checked(email: str) -> str:
    """Write a new user's address as it is stored; refuse what is none."""
    written = normal(email)
    if not is_address(written) or written.endswith(SYSTEM_SUFFIX):
        raise BadInput("The user's address cannot be used: write it like name@example.org, in plain letters.")
    return written
