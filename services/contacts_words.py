"""Contacts words: word lists as people write them, one word after the other."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """Give the words of a list."""
    return frozenset(text.split())
