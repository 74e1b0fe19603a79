"""Page: what a page is by its address, what it says about itself, and the contacts on it."""

from __future__ import annotations

from services.find_contacts import FoundContact, find_contacts
from services.page_facts import PageFacts
from services.page_kind import PageKind, classify
from services.page_read import PageRead, read

__all__ = ["FoundContact", "PageFacts", "PageKind", "PageRead", "classify", "find_contacts", "read"]
