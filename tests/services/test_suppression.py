"""Suppression: the many spellings of one address, number or domain are one subject, and hash as one."""

from __future__ import annotations

from hashlib import sha256
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.suppression import KINDS, Subject, digest_of, domains_above, person_of, subject_of

SALT = UUID("12345678-1234-5678-1234-567812345678")


@pytest.mark.parametrize(
    ("typed", "kind", "value"),
    [
        (" Info@ACME.example ", "email", "info@acme.example"),
        ("mailto:a@b.com?subject=stop", "email", "a@b.com"),
        ("Bob Smith <bob@Bücher.de>", "email", "bob@xn--bcher-kva.de"),
        ("a\u0301@b.com", "email", "á@b.com"),
        ("someone@unknown.suffixxx", "email", "someone@unknown.suffixxx"),
        ("(512) 555-0100", "phone", "+15125550100"),
        ("512.555.0100 ext. 4", "phone", "+15125550100"),
        ("tel:+15125550100", "phone", "+15125550100"),
        ("+44 20 7946 0958", "phone", "+442079460958"),
        ("0044 20 7946 0958", "phone", "+442079460958"),
        ("https://www.acme.co.uk/contact?x=1", "domain", "acme.co.uk"),
        ("Shop.ACME.example", "domain", "acme.example"),
        ("facebook.com", "domain", "facebook.com"),
    ],
)
def test_a_value_is_read_in_any_spelling(typed: str, kind: str, value: str) -> None:
    found = subject_of(typed)
    assert found is not None
    assert (found.kind, found.value) == (kind, value)
    assert subject_of(found.value, found.kind) == found


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "  ",
        "Bob Smith",
        "a@b",
        "x y@b.com",
        "a@@b.com",
        "1.2.3.4",
        "12",
        "facebook.com/acme",
        "co.uk",
        "a@b.com\x00",
    ],
)
def test_what_is_no_address_number_or_domain_is_refused(typed: str) -> None:
    assert subject_of(typed) is None


def test_the_region_says_how_a_number_without_its_country_is_read() -> None:
    assert subject_of("020 7946 0958", region="GB") == Subject("phone", "+442079460958")
    assert subject_of("020 7946 0958", "phone", "DE") == Subject("phone", "+492079460958")


def test_a_kind_that_is_said_is_not_guessed() -> None:
    assert subject_of("acme.example", "email") is None
    assert subject_of("5125550100", "domain") is None


def test_a_person_is_one_at_a_domain_however_the_name_is_written() -> None:
    ann = subject_of("Ann  LOW at www.acme.example", "person")
    assert ann == person_of("acme.example", "Low, Ann") == Subject("person", "acme.example:ann low")
    assert ann != person_of("other.example", "Ann Low")
    for typed in ("Ann Low", "acme.example", " at acme.example", ", at acme.example", "Ann Low at "):
        assert subject_of(typed, "person") is None


def test_the_hash_is_the_documented_one() -> None:
    expected = sha256(b"12345678-1234-5678-1234-567812345678:email:info@acme.example").digest()
    assert Subject("email", "info@acme.example").digest(SALT) == expected
    assert digest_of(SALT, "phone", "info@acme.example") != expected


def test_a_domain_covers_what_is_below_it() -> None:
    assert list(domains_above("a.mail.acme.example")) == ["a.mail.acme.example", "mail.acme.example", "acme.example"]
    assert list(domains_above("example")) == []


@given(st.text(max_size=200), st.sampled_from([None, *KINDS]))
def test_any_text_can_be_asked_about_and_reads_the_same_twice(text: str, kind: str | None) -> None:
    found = subject_of(text, kind)
    if found is not None:
        assert found.value == found.value.lower()
        assert subject_of(found.value, found.kind) == found
