"""Leads: the best email by the documented order, the best phone, the score, and why an email is missing."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.lead import Seen, best_email, best_phone, ranked_emails, socials_by_network
from services.lead_blank import Ending, why_no_email
from services.lead_score import Signals, score

OWN = ("anna.example",)


def email(value: str = "info@anna.example", **facts: Any) -> Seen:
    known: dict[str, Any] = {"label": "role", "confidence": 0.9} | facts
    return Seen("email", value, **known)


# Each pair in the documented order: the first beats the second, all else being in the second's favour.
BETTER_FIRST = [
    (email("a@other.example", verdict="valid", label="free-mail"), email("b@anna.example", verdict="unknown")),
    (email("a@other.example"), email("info@anna.example", verdict="risky")),
    (email("zoe@anna.example", label="personal"), email("info@other.example")),
    (email("a@mail.anna.example", label="personal"), email("info@other.example")),
    (email("z@other.example", label="personal"), email("a@gmail.com", label="free-mail")),
    (email("info@anna.example"), email("anna@anna.example", label="personal", person_title="Owner", confidence=1.0)),
    (email("z@anna.example", person_title="Co-Founder & CEO"), email("a@anna.example", confidence=0.99)),
    (email("z@anna.example", confidence=0.95), email("a@anna.example", sightings=9)),
    (email("z@anna.example", sightings=2), email("a@anna.example", sightings=1, page_kind="contact")),
    (email("z@anna.example", page_kind="contact"), email("a@anna.example", page_kind="legal")),
    (email("z@anna.example", page_kind="home"), email("a@anna.example", page_kind="blog")),
    (email("a@anna.example"), email("b@anna.example")),
]


@pytest.mark.parametrize(("better", "worse"), BETTER_FIRST)
def test_the_best_email_follows_the_order(better: Seen, worse: Seen) -> None:
    for emails in permutations((better, worse)):
        assert best_email(emails, domains=OWN) is better


def test_an_invalid_email_is_never_chosen() -> None:
    invalid = email(verdict="invalid", confidence=1.0)
    assert best_email([invalid], domains=OWN) is None
    assert ranked_emails([invalid, email("x@gmail.com", verdict="risky")]) == [email("x@gmail.com", verdict="risky")]


def test_who_prefers_people_gets_people_first() -> None:
    role, person = email(), email("anna@anna.example", label="personal")
    assert best_email([role, person], domains=OWN, prefer="personal") is person
    assert best_email([role, person], domains=OWN, prefer="role") is role


def test_a_domain_that_only_ends_alike_is_not_the_businesses_own() -> None:
    near, far = email("a@anna.example", label="personal"), email("info@notanna.example")
    assert best_email([far, near], domains=OWN) is near


emails = st.builds(
    email,
    st.sampled_from(["info@anna.example", "anna@anna.example", "bert@anna.example", "x@gmail.com", "y@other.example"]),
    verdict=st.sampled_from([None, "valid", "unknown", "risky", "invalid"]),
    label=st.sampled_from([None, "role", "personal", "free-mail"]),
    confidence=st.floats(0, 1),
    sightings=st.integers(0, 9),
    page_kind=st.sampled_from([None, "contact", "blog"]),
)


@given(st.lists(emails, max_size=6, unique_by=lambda each: each.value), st.randoms())
@settings(deadline=None)
def test_the_choice_does_not_depend_on_the_order_of_the_rows(found: list[Seen], random: Any) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)
    assert best_email(shuffled, domains=OWN) == best_email(found, domains=OWN)


def phone(value: str, **facts: Any) -> Seen:
    known: dict[str, Any] = {"confidence": 0.9} | facts
    return Seen("phone", value, **known)


def test_a_phone_on_the_site_goes_before_the_providers() -> None:
    site, listed = phone("+15125550101"), "+15125550100"
    assert best_phone([site], listed=listed) == site.value
    assert best_phone([phone("+15125550109"), phone(listed, confidence=0.1)], listed=listed) == listed
    assert best_phone([site], listed=listed, is_shared=True) == listed
    assert best_phone([], listed=listed) == listed
    assert best_phone([], listed=None) is None


def test_a_fax_and_an_invalid_number_are_not_called() -> None:
    fax, wrong = phone("+15125550101", label="fax"), phone("+15125550102", verdict="invalid")
    assert best_phone([fax, wrong], listed=None) is None


def test_one_profile_of_each_network() -> None:
    seen = [
        Seen("social", "https://x.com/b", "x", confidence=0.5),
        Seen("social", "https://x.com/a", "x", confidence=0.9),
        Seen("social", "https://www.facebook.com/anna", "facebook"),
    ]
    assert socials_by_network(seen) == {"facebook": "https://www.facebook.com/anna", "x": "https://x.com/a"}


def test_a_score_goes_from_nothing_to_a_hundred() -> None:
    assert score(Signals()) == 0
    best = Signals(True, "valid", 0, True, 5, True, True, 5.0, 10_000, 0)
    assert score(best) == 100


signals = st.builds(
    Signals,
    has_email=st.booleans(),
    email_verdict=st.sampled_from([None, "valid", "unknown", "risky", "invalid"]),
    email_nearness=st.integers(0, 2),
    has_phone=st.booleans(),
    networks=st.integers(0, 6),
    has_website=st.booleans(),
    site_was_read=st.booleans(),
    rating=st.none() | st.floats(0, 5),
    review_count=st.none() | st.integers(0, 10**7),
    days_since_seen=st.none() | st.floats(0, 4000),
)
BETTER: dict[str, list[Any]] = {
    "has_email": [False, True],
    "email_verdict": ["invalid", "risky", "unknown", "valid"],
    "email_nearness": [2, 1, 0],
    "has_phone": [False, True],
    "networks": [0, 1, 2, 3, 4],
    "has_website": [False, True],
    "site_was_read": [False, True],
    "rating": [None, 1.0, 3.0, 3.7, 4.4, 5.0],
    "review_count": [None, 0, 1, 3, 40, 5000],
    "days_since_seen": [None, 3000, 300, 80, 1],
}


@given(signals, st.sampled_from(sorted(BETTER)))
@settings(deadline=None)
def test_more_of_anything_good_never_lowers_the_score(base: Signals, name: str) -> None:
    scores = [score(replace(base, **{name: value})) for value in BETTER[name]]
    assert scores == sorted(scores)
    assert 0 <= scores[0] <= scores[-1] <= 100


@pytest.mark.parametrize(
    ("endings", "word"),
    [
        ([], "not-started"),
        ([Ending("domain_extraction", "Filtered", "no-website")], "no-website"),
        ([Ending("domain_extraction", "Queued")], "in-progress"),
        (
            [Ending("domain_extraction", "Completed"), Ending("domain_metadata", "Filtered", "robots-denied")],
            "robots-denied",
        ),
        ([Ending("domain_metadata", "Error", "dns"), Ending("page_ranking", "Filtered", "no-pages")], "dns"),
        ([Ending("domain_metadata", "Completed"), Ending("page_ranking", "Filtered", "no-pages")], "no-pages"),
        ([Ending("domain_metadata", "Completed")], "no-email"),
        ([Ending("page_curation", "Completed", "no-contact", 3), Ending("page_curation", "Error", "dns")], "no-email"),
        ([Ending("page_curation", "Completed", None), Ending("page_curation", "Processing")], "in-progress"),
        (
            [Ending("page_curation", "Error", "timeout", 2), Ending("page_curation", "Filtered", "blocked", 3)],
            "blocked",
        ),
        ([Ending("page_curation", "Cancelled")], "cancelled"),
    ],
)
def test_a_missing_email_has_a_reason(endings: list[Ending], word: str) -> None:
    assert why_no_email(endings) == word


def test_what_was_found_and_may_not_be_used_is_the_reason_before_all_others() -> None:
    waits = [Ending("domain_extraction", "Queued")]
    assert why_no_email(waits, has_suppressed=True, has_invalid=True) == "suppressed"
    assert why_no_email(waits, has_invalid=True) == "only-invalid"


@pytest.mark.parametrize(
    "title",
    ["Owner", "Inhaberin", "Gérante", "Directeur", "Associé", "Directora", "Socio", "Diretora", "Sócio", "Titolare"],
)
def test_who_decides_says_so_in_the_language_of_the_site(title: str) -> None:
    boss = email("zoe@anna.example", label="personal", person_title=title, confidence=0.1)
    desk = email("ann@anna.example", label="personal", person_title="Recepcionista", confidence=0.9)
    assert best_email([desk, boss], domains=["anna.example"]) == boss
