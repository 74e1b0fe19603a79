"""Phone numbers in every spelling."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.phone import e164


@pytest.mark.parametrize(
    ("text", "country", "written"),
    [
        ("+1 512-555-0100", None, "+15125550100"),
        ("(512) 555-0100", "US", "+15125550100"),
        ("512.555.0100 ext. 12", "US", "+15125550100"),
        ("0049 30 12345678", "DE", "+493012345678"),
        ("030 12345678", "DE", "+493012345678"),
        ("+49 (0)30 12345678", None, "+493012345678"),
        ("01 42 68 53 00", "FR", "+33142685300"),
        ("02 1234 5678", "IT", "+390212345678"),
        ("011 44 20 7946 0958", "US", "+442079460958"),
        ("+44 20 7946 0958", "US", "+442079460958"),
    ],
)  # fmt: skip
def test_a_number_is_written_one_way(text: str, country: str | None, written: str) -> None:
    assert e164(text, country) == written


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("", "US"), ("call us", "US"), ("512 555 0100", None), ("911", "US"), ("555-0100", "US"), ("+999 12345", None),
        ("5" * 5_000, "US"), ("(512) 555-0100", "XX"), ("\x00", "US"),
    ],
)  # fmt: skip
def test_what_is_no_number_is_none(text: str, country: str | None) -> None:
    assert e164(text, country) is None


@given(st.text() | st.from_regex(r"\A[+0-9 ()/.-]{0,30}\Z"), st.none() | st.sampled_from(["US", "DE", "IT", "XX", ""]))
def test_any_text_gives_e164_or_nothing_and_stays_as_it_is(text: str, country: str | None) -> None:
    written = e164(text, country)
    if written is not None:
        assert re.fullmatch(r"\+[0-9]{2,15}", written)
        assert e164(written) == written
