"""Fingerprint: what was read, and by which version of this program, so that a better one reads the same page again."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import version


@cache
def extractor_version() -> str:
    """Name the program that found a contact, so that what an older one missed can be told."""
    return version("scrapersky")


def fingerprint_of(body: bytes) -> str:
    """Give the hash of a page's bytes as this version has read them."""
    return f"{extractor_version()}:{hashlib.sha256(body).hexdigest()}"


def is_of_this_version(fingerprint: str | None) -> bool:
    """Tell whether this version has read the page, so that it need not be read again unless it has changed."""
    return fingerprint is not None and fingerprint.startswith(f"{extractor_version()}:")
