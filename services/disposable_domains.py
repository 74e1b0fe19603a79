"""Disposable domains: who hands out addresses to throw away, from the public list and from a person's own."""

from __future__ import annotations

from collections.abc import Set

from disposable_email_domains import blocklist

from services.email_address import canonical_domain

LISTED: frozenset[str] = frozenset(blocklist)


def read_domains(text: str) -> frozenset[str]:
    """Read a list, one domain a line, with or without a leading @ and a comment after #; other lines say nothing."""
    lines = (line.partition("#")[0].strip().removeprefix("@").removeprefix("*.") for line in text.splitlines())
    return frozenset(domain for domain in map(canonical_domain, lines) if domain)


def is_disposable(domain: str, disposable: Set[str]) -> bool:
    """Tell whether a domain or one above it is listed."""
    labels = domain.split(".")
    return any(".".join(labels[at:]) in disposable for at in range(len(labels) - 1))
