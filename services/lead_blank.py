"""Lead blank: why a lead has no email, told from what became of the work on its business, site and pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

SUPPRESSED, ONLY_INVALID, TURNED_DOWN, IN_PROGRESS, NOT_STARTED, NO_EMAIL = (
    "suppressed", "only-invalid", "turned-down", "in-progress", "not-started", "no-email",
)  # fmt: skip

# The words that are not reasons of work; all others are those of docs/reference/reasons.md.
MEANINGS = {
    SUPPRESSED: "every address that was found is on the suppression list",
    ONLY_INVALID: "every address that was found cannot take mail",
    TURNED_DOWN: "a person marked the site, or the addresses that were found, as Not a Fit or Archived",
    IN_PROGRESS: "its site or pages are still being read, or wait for their turn",
    NOT_STARTED: "nothing has begun: it waits for a person's decision",
    NO_EMAIL: "its pages were read and show no address",
}

OPEN = ("Queued", "Processing")
# From the end of the pipeline to its beginning: how far it came says more than where it began.
SITE_STAGES = ("domain_extraction", "domain_metadata", "sitemap_analysis", "page_ranking")
PAGE_STAGE = "page_curation"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a piece of work of the business, its domain or one of its pages stands."""

    stage: str
    status: str
    reason: str | None = None
    many: int = 1


def why_no_email(endings: Sequence[Ending], *, has_suppressed: bool = False, has_invalid: bool = False) -> str:
    """Put into one word why there is no email."""
    if has_suppressed:
        return SUPPRESSED
    if has_invalid:
        return ONLY_INVALID
    if any(ending.reason == TURNED_DOWN for ending in endings):
        return TURNED_DOWN
    if any(ending.status in OPEN for ending in endings):
        return IN_PROGRESS
    if not endings:
        return NOT_STARTED
    return _of_pages(endings) or _of_site(endings) or NO_EMAIL


def _of_pages(endings: Sequence[Ending]) -> str | None:
    pages = [ending for ending in endings if ending.stage == PAGE_STAGE]
    if any(page.status == "Completed" for page in pages):
        return NO_EMAIL
    reasons: Counter[str] = Counter()
    for page in pages:
        reasons[page.reason or page.status.lower()] += page.many
    return min(reasons, key=lambda reason: (-reasons[reason], reason)) if reasons else None


def _of_site(endings: Sequence[Ending]) -> str | None:
    """Give the reason of the earliest step that did not simply succeed."""
    for stage in SITE_STAGES:
        for ending in endings:
            if ending.stage == stage and ending.status != "Completed":
                return ending.reason or ending.status.lower()
    return None
