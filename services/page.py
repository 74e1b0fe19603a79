"""Page: what a page is by its address."""

from __future__ import annotations

from services.page_kind import PageKind, classify

__all__ = ["PageKind", "classify"]
