"""The truth adds up, is canonical, and is written without being held."""

from __future__ import annotations

import json
import re
import tracemalloc
from collections import Counter, defaultdict
from itertools import islice
from typing import Any

import pytest

from sandbox.contacts import DECOYS, DISGUISES, Planted
from sandbox.kinds import BY_NAME, KINDS
from sandbox.planting import DISGUISED
from sandbox.siteplan import SitePlan, site_plan
from sandbox.truth import pieces
from sandbox.world import World

WORLD = World(600)
PLANS = [site_plan(WORLD, business) for business in WORLD if business.host]
FIRST_VISITED = {"home", "contact", "about", "team", "legal", "location"}
BUDGET = 25
FORMS = {
    "email": re.compile(r"[a-z0-9]+([.-][a-z0-9]+)*@[a-z0-9-]+\.(example|com)"),
    "phone": re.compile(r"\+[1-9]\d{8,13}"),
    "social": re.compile(r"https://www\.(facebook\.com|instagram\.com|linkedin\.com/company)/[a-z0-9-]+"),
    "person": re.compile(r"[^\W\d_][\w'-]+ [^\W\d_][\w'-]+"),
}


@pytest.fixture(scope="module")
def truth() -> Any:
    return json.loads(b"".join(pieces(WORLD)))


def emails(plan: SitePlan) -> list[Planted]:
    return [planted for planted in plan.planted if planted.kind == "email"]


@pytest.mark.parametrize("plan", PLANS[:250], ids=lambda plan: plan.host)
def test_planted_values_are_canonical_and_on_pages_that_are_surely_visited(plan: SitePlan) -> None:
    pages = {page.path: page for page in plan.pages}
    assert len(pages) == len(plan.pages)
    assert sum(page.kind in FIRST_VISITED for page in plan.pages) <= BUDGET
    for planted in plan.planted:
        assert FORMS[planted.kind].fullmatch(planted.value), planted
        assert planted.disguise in DISGUISES
        assert pages[planted.page].kind in FIRST_VISITED
    for decoy in plan.decoys:
        assert decoy.what in DECOYS
        assert decoy.page in pages
    assert not {planted.value for planted in plan.planted} & {decoy.value for decoy in plan.decoys}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_contacts_are_planted_just_where_they_are_found(kind: Any) -> None:
    business = WORLD.with_kind(kind.name)
    if business.host is None:
        with pytest.raises(KeyError, match=kind.name):
            site_plan(WORLD, business)
        return
    plan = site_plan(WORLD, business)
    assert bool(plan.planted) == (kind.outcome is None)
    assert plan.pages[0].path == "/"


@pytest.mark.parametrize(("kind", "disguise"), DISGUISED.items())
def test_a_disguised_address_is_shown_in_no_other_way(kind: str, disguise: str) -> None:
    for plan in PLANS:
        if plan.business.site_kind == kind:
            main = [planted for planted in emails(plan) if planted.label != "personal"]
            assert {planted.disguise for planted in main} == {disguise}


def test_what_robots_deny_is_not_to_be_found() -> None:
    plan = site_plan(WORLD, WORLD.with_kind("robots-deny-contact"))
    assert not emails(plan)
    assert [(decoy.page, decoy.what) for decoy in plan.decoys] == [("/contact", "robots-denied")]
    assert plan.business.phone in {planted.value for planted in plan.on("/")}


def test_personal_addresses_name_their_people() -> None:
    personal = [planted for plan in PLANS for planted in emails(plan) if planted.label == "personal"]
    assert len(personal) > 100
    assert all(planted.name and planted.title for planted in personal)


def test_sites_differ() -> None:
    found = [planted for plan in PLANS for planted in plan.planted]
    assert {planted.label for planted in found} == {"", "role", "personal", "free-mail", "fax"}
    assert {page.language for plan in PLANS for page in plan.pages} == {"en", "de", "fr", "es", "it", "nl", "pt", "pl"}
    paths = {page.path.strip("/").removesuffix(".html") for plan in PLANS for page in plan.pages}
    assert {"contact", "kontakt", "impressum", "contacto", "a-propos", "contatti"} <= paths


def test_the_moved_site_carries_the_contacts() -> None:
    plan = site_plan(WORLD, WORLD.with_kind("redirect-elsewhere"))
    assert plan.host == f"moved-to-{plan.business.index}.example"
    assert all(planted.value.endswith((f"@{plan.host}", ".com")) for planted in emails(plan))


def test_big_sitemaps_hold_as_many_as_they_say() -> None:
    plan = site_plan(WORLD, WORLD.with_kind("sitemap-50k"))
    assert plan.extra_urls + len(plan.pages) == 50_000
    assert site_plan(WORLD, WORLD.with_kind("blog-heavy")).extra_urls >= 1_000


def test_the_truth_has_a_record_of_every_business(truth: Any) -> None:
    assert truth["settings"] == {"format": 1, "size": 600, "seed": 1, "town": None, "category": None}
    for business, record in zip(WORLD, truth["businesses"], strict=True):
        assert (record["place_id"], record["website"], record["site_kind"]) == (
            business.place_id,
            business.website,
            business.site_kind,
        )
        kind = BY_NAME[business.site_kind]
        assert record["fetch"] == kind.fetch
        if kind.outcome:
            assert record["outcome"]["reason"] == kind.outcome.reason


def test_the_totals_agree_with_the_businesses(truth: Any) -> None:
    records, totals = truth["businesses"], truth["totals"]
    assert totals["businesses"] == len(records) == sum(totals["kinds"].values())
    assert totals["kinds"] == Counter(record["site_kind"] for record in records)
    counted = Counter(tuple(record["outcome"].values()) for record in records)
    assert {(row["stage"], row["status"], row["reason"]): row["count"] for row in totals["outcomes"]} == counted


def test_contacts_are_counted_once_for_each_domain(truth: Any) -> None:
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for record in truth["businesses"]:
        place = record["contacts_domain"] or record["place_id"]
        found[place] |= {(contact["kind"], contact["value"]) for contact in record["contacts"]}
    counted = Counter(kind for contacts in found.values() for kind, _ in contacts)
    assert truth["totals"]["contacts"] == counted


def test_the_early_stages_reconcile(truth: Any) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for row in truth["totals"]["stages"]:
        counts[row["stage"], row["status"]] += row["count"]
        counts[row["stage"], "all"] += row["count"]
    assert counts["deep_scan", "all"] == 600
    assert counts["domain_extraction", "all"] == counts["deep_scan", "Completed"]
    assert counts["domain_metadata", "all"] == truth["totals"]["domains"]
    closed = {record["domain"] for record in truth["businesses"] if record["site_kind"] == "closed-business"}
    domains = {record["domain"] for record in truth["businesses"]} - closed - {None}
    assert len(domains) == truth["totals"]["domains"]


def test_a_social_website_is_a_contact_of_the_business(truth: Any) -> None:
    for record in truth["businesses"]:
        if record["site_kind"] == "social-website":
            assert [contact["disguise"] for contact in record["contacts"]] == ["website"]
            assert record["domain"] is None


def test_the_truth_is_written_piece_by_piece() -> None:
    written = pieces(World(10_000))
    next(written)
    tracemalloc.start()
    try:
        longest = max(map(len, islice(written, 1_200)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        written.close()  # type: ignore[attr-defined]
    assert longest < 20_000
    assert peak < 16 * 2**20
