"""The one sentence: what was found, what is still to come, or why there is nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leads.journey_answer import of_site, span
from leads.journey_facts import Count, Site, Unvisited, meaning_of
from models.work import WORK_STATUSES
from reasons import MEANINGS

TABLES = {
    "domain_metadata": "domains",
    "sitemap_analysis": "domains",
    "sitemap_import": "sitemap_files",
    "page_ranking": "domains",
    "page_curation": "pages",
    "contact_validation": "contacts",
}
READ = "domain_metadata Completed"


def count(words: str, many: int = 1, due: float | None = None) -> Count:
    """Write a count as `stage Status reason`."""
    stage, status, reason = [*words.split(), None][:3]
    return Count(str(stage), str(status), reason, meaning_of(reason), many, None, due)


def site(*counts: Count, found: dict[str, int] | None = None, pages: int = 0, **more: Any) -> Site:
    given = {"curation_status": "New", "redirects_to": None, "unvisited": ()} | more
    return Site(
        1, "a.example", final_url=None, redirected_from=(), found=found or {}, found_on=pages, counts=counts, **given
    )


def not_visited(reason: str, many: int) -> tuple[Unvisited, ...]:
    return (Unvisited(reason, meaning_of(reason), many, "https://a.example/x"),)


@pytest.mark.parametrize(
    ("known", "answer"),
    [
        (site(count(READ), found={"phone": 1, "email": 3}, pages=2), "3 emails and 1 phone were found on 2 pages."),
        (site(count(READ), found={"person": 1}, pages=1), "1 person was found on 1 page."),
        (
            site(count(READ), found={"email": 2, "phone": 1, "social": 1, "person": 4}, pages=3),
            "2 emails, 1 phone, 1 social profile and 4 people were found on 3 pages.",
        ),
        (
            site(count(READ), count("page_curation Queued", 5, 11.2)),
            "Still working: 5 pages wait for their turn, next in 12s.",
        ),
        (
            site(count("page_curation Queued", 1, -3), count("page_curation Processing"), found={"email": 1}, pages=1),
            "1 email was found on 1 page so far; still working: 1 page waits for its turn, next now; 1 page is in"
            " work.",
        ),
        (
            site(count("domain_metadata Queued timeout", 1, 7000)),
            "Still working: 1 site waits for its turn, next in 2h.",
        ),
        (
            site(count("domain_metadata Error robots-denied")),
            f"No contact was found because domain_metadata ended Error: robots-denied ({MEANINGS['robots-denied']}).",
        ),
        (
            site(count(READ), count("sitemap_import Filtered empty-sitemap"), count("page_ranking Filtered no-pages")),
            f"No contact was found because page_ranking ended Filtered: no-pages ({MEANINGS['no-pages']}).",
        ),
        (
            site(count(READ), count("page_curation Completed no-contact", 4)),
            "No contact was found because none of the 4 pages that were read shows one.",
        ),
        (
            site(count(READ), count("page_curation Completed no-contact"), count("page_curation Error blocked", 3)),
            f"No contact was found because 3 of 4 pages ended Error: blocked ({MEANINGS['blocked']});"
            " 1 was read and shows none.",
        ),
        (site(), "No contact was found because it waits for your decision: nobody has selected it yet."),
        (
            site(curation_status="Not a Fit"),
            "No contact was found because nothing more was asked of it: its curation status is Not a Fit.",
        ),
        (
            site(count(READ), count("page_ranking Completed"), unvisited=not_visited("chosen", 7)),
            "No contact was found because 7 pages wait for your decision.",
        ),
    ],
)
def test_a_site_is_told_in_one_sentence(known: Site, answer: str) -> None:
    assert of_site(known, TABLES) == answer


def test_a_paused_stage_is_what_it_waits_for() -> None:
    known = site(count("page_curation Queued", 5, -60))
    assert of_site(known, TABLES, {"page_curation"}) == "Still working: 5 pages wait because page_curation is paused."


COUNTS = st.builds(
    lambda stage, status, reason, many, due: Count(stage, status, reason, meaning_of(reason), many, None, due),
    st.sampled_from(sorted(TABLES)),
    st.sampled_from(WORK_STATUSES),
    st.none() | st.sampled_from(sorted(MEANINGS)) | st.just("unheard-of"),
    st.integers(1, 10**6),
    st.none() | st.floats(-(10**6), 10**6),
)


@given(
    st.lists(COUNTS, max_size=6),
    st.dictionaries(st.sampled_from(["email", "phone", "social", "person"]), st.integers(1, 99)),
    st.none() | st.just("b.example"),
    st.sets(st.sampled_from(sorted(TABLES))),
)
def test_there_is_always_one_sentence(
    counts: list[Count], found: dict[str, int], moved: str | None, paused: set[str]
) -> None:
    counts.sort(key=lambda each: list(TABLES).index(each.stage))
    answer = of_site(site(*counts, found=found, pages=1, redirects_to=moved), TABLES, paused)
    assert answer[0].isupper() or answer[0].isdigit()
    assert answer.endswith(".")
    assert "\n" not in answer
    assert "None" not in answer
    is_open = any(each.is_open for each in counts)
    assert ("till working" in answer) == is_open
    assert ("No contact was found because" in answer) == (not found and not is_open)


@pytest.mark.parametrize(("seconds", "written"), [(0.2, "1s"), (59.1, "60s"), (60, "1m"), (3601, "2h"), (86400, "1d")])
def test_a_wait_is_rounded_up(seconds: float, written: str) -> None:
    assert span(seconds) == written
