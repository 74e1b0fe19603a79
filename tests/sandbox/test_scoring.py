"""Scoring: a perfect run scores one, and every difference is counted, named and explained."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.contacts import DISGUISES
from sandbox.scoring import Fate, Miss, Score, Stored, explain, score
from sandbox.truth import truth_of
from sandbox.world import World

WORLD = World(300)
RECORDS = [truth_of(WORLD, business) for business in WORLD]


def perfect() -> dict[tuple[str, str, str], Stored]:
    """What a run without a fault stores: each planted contact once for its owner, seen in every disguise."""
    found: dict[tuple[str, str, str], Stored] = {}
    for record in RECORDS:
        owner = record["contacts_domain"] or record["place_id"]
        for contact in record["contacts"]:
            key = (owner, contact["kind"], contact["value"])
            methods = {*(found[key].methods if key in found else ()), contact["disguise"]}
            found[key] = Stored(*key, tuple(sorted(methods)))
    return found


PERFECT = perfect()


def of_kind(site_kind: str) -> dict[str, Any]:
    return next(record for record in RECORDS if record["site_kind"] == site_kind)


def with_one_more(owner: str, kind: str, value: str, method: str = "text") -> Score:
    return score(RECORDS, [*PERFECT.values(), Stored(owner, kind, value, (method,))])


def test_a_perfect_run_scores_one_in_every_disguise() -> None:
    made = score(RECORDS, PERFECT.values())
    assert (made.businesses, made.misses, made.extras) == (300, [], [])
    assert (made.total.precision, made.total.recall) == (1, 1)
    assert made.total.planted == made.total.stored == len(PERFECT) > 1000
    assert made.disguises.keys() == DISGUISES.keys()
    assert {tally.recall for tally in made.disguises.values()} == {1.0}


def test_an_empty_run_misses_everything_and_says_nothing_wrong() -> None:
    made = score(RECORDS, [])
    assert (made.total.precision, made.total.recall) == (1, 0)
    assert len(made.misses) == len(PERFECT)
    assert score([], []).total.recall == 1


@given(st.sets(st.sampled_from(sorted(PERFECT)), max_size=40))
@settings(max_examples=15)
def test_each_contact_left_out_is_one_miss(dropped: set[tuple[str, str, str]]) -> None:
    made = score(RECORDS, [stored for key, stored in PERFECT.items() if key not in dropped])
    assert {(miss.owner, miss.kind, miss.value) for miss in made.misses} == dropped
    assert made.total.found == len(PERFECT) - len(dropped)
    assert sum(tally.found for tally in made.kinds.values()) == made.total.found
    assert made.total.precision == 1


def test_a_missed_disguise_shows_in_its_own_line_alone() -> None:
    record = of_kind("cloudflare-email")
    (address,) = {each["value"] for each in record["contacts"] if each["disguise"] == "cloudflare"}
    key = (record["domain"], "email", address)
    made = score(RECORDS, [stored for each, stored in PERFECT.items() if each != key])
    assert [(miss.value, miss.disguises) for miss in made.misses] == [(address, ("cloudflare",))]
    assert made.disguises["cloudflare"].recall < 1
    assert made.disguises["entities"].recall == 1


@pytest.mark.parametrize(
    ("site_kind", "kind", "what"),
    [
        ("robots-deny-contact", "email", "robots-denied"),
        ("closed-business", "email", "closed"),
        ("placeholder-address", "email", "placeholder"),
        ("look-alikes", "email", "image-name"),
        ("look-alikes", "phone", "order-number"),
        ("look-alikes", "social", "pixel"),
    ],
)
def test_a_decoy_that_was_stored_is_marked(site_kind: str, kind: str, what: str) -> None:
    record = of_kind(site_kind)
    decoy = next(
        each["value"] for each in record["decoys"] if each["what"] == what and (kind != "email" or "@" in each["value"])
    )
    value = {"phone": f"+{decoy[:12]}", "social": decoy.partition("?")[0]}.get(kind, decoy)
    (extra,) = with_one_more(record["domain"], kind, value).extras
    assert (extra.why, extra.is_decoy) == (what, True)


def test_other_extras_say_whose_they_are() -> None:
    plain, other = of_kind("plain"), of_kind("wordpress")
    address = next(each["value"] for each in other["contacts"] if each["kind"] == "email")
    assert [extra.why for extra in with_one_more(plain["domain"], "email", address).extras] == ["another-business's"]
    assert [extra.why for extra in with_one_more(plain["domain"], "email", "a@b.example").extras] == ["not-planted"]
    made = with_one_more("nobody.example", "email", "a@nobody.example")
    assert [extra.why for extra in made.extras] == ["no-such-owner"]
    assert made.total.precision == len(PERFECT) / (len(PERFECT) + 1)
    assert made.disguises["text"].precision < 1
    assert made.disguises["mailto"].precision == 1


def test_the_providers_number_of_a_business_is_neither_right_nor_wrong() -> None:
    record = of_kind("parked")
    made = with_one_more(record["domain"], "phone", record["phone"])
    assert made.extras == []
    assert made.total.stored == len(PERFECT)


def test_contacts_of_a_domain_that_moved_count_for_its_new_one() -> None:
    record = of_kind("redirect-elsewhere")
    assert record["domain"] != record["contacts_domain"]
    moved = [
        Stored(record["domain"] if key[0] == record["contacts_domain"] else key[0], *key[1:], stored.methods)
        for key, stored in PERFECT.items()
    ]
    made = score(RECORDS, moved)
    assert (made.misses, made.extras) == ([], [])


def test_an_email_counts_in_any_case_and_a_phone_text_as_text() -> None:
    louder = [
        Stored(key[0], key[1], key[2].upper() if key[1] == "email" else key[2], ("phone-text",)) for key in PERFECT
    ]
    made = score(RECORDS, louder)
    assert (made.misses, made.extras) == ([], [])
    assert made.disguises["text"].stored == len(PERFECT)


MISS = Miss("a.example", "email", "info@a.example", ("text",), ("/contact", "/legal"))
READ, DONE = Fate("Completed"), Fate("Completed")


@pytest.mark.parametrize(
    ("fates", "why"),
    [
        ({}, "not-reached"),
        ({"": Fate("Error", "robots-denied")}, "robots-denied"),
        ({"": Fate("Queued")}, "still-open"),
        ({"": DONE}, "page-not-stored"),
        ({"": DONE, "/contact": Fate(None, "over-budget")}, "over-budget"),
        ({"": DONE, "/contact": Fate("Filtered", "saturated")}, "saturated"),
        ({"": DONE, "/legal": Fate("Error", "blocked")}, "blocked"),
        ({"": DONE, "/contact": Fate("Processing")}, "still-open"),
        ({"": DONE, "/contact": Fate("Filtered", "saturated"), "/legal": READ}, "not-recognised"),
    ],
)
def test_a_miss_is_explained_by_what_became_of_its_pages(fates: dict[str, Fate], why: str) -> None:
    (explained,) = explain([MISS], {("a.example", page): fate for page, fate in fates.items()})
    assert explained.why == why


def test_an_address_that_is_not_displayed_has_its_own_word() -> None:
    hidden = Miss("a.example", "email", "info@a.example", ("hidden",), ("/",))
    (explained,) = explain([hidden], {("a.example", ""): DONE, ("a.example", "/"): READ})
    assert explained.why == "hidden"
