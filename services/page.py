"""Page: what a page is by its address, and the contacts on it."""

from __future__ import annotations

from services.find_contacts import FoundContact, find_contacts
from services.page_kind import PageKind, classify

__all__ = ["FoundContact", "PageKind", "classify", "find_contacts"]
