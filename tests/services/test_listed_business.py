"""A listed business: what cannot be read is left out, and the same business has the same key."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.listed_business import BUSINESS_COLUMNS, ListedBusiness, country_of, read_business
from services.plain import text_of

ANNA = {"name": "Anna's Dental", "website": "https://www.Anna.example/", "city": "Austin", "phone": "(512) 477-0100"}


def read(**changed: str) -> ListedBusiness:
    found = read_business(ANNA | changed)
    assert found is not None
    return found


def test_a_row_needs_a_name_or_a_website() -> None:
    assert read_business({"city": "Austin", "phone": "+15124770100"}) is None
    assert read_business({"website": "anna.example"}) is not None


def test_the_address_is_put_together_from_its_parts() -> None:
    assert (
        read(street="1 Main St", region="TX", postal_code="78701").formatted_address == "1 Main St, Austin, TX, 78701"
    )
    assert read(address="Main St 1, Austin").formatted_address == "Main St 1, Austin"


def test_a_phone_is_read_with_the_country_of_its_row() -> None:
    assert read(country="United States").phone == "+15124770100"
    assert read(country="de", phone="0221 4704000").phone == "+492214704000"
    assert read(phone="+49 221 4704000").phone == "+492214704000"
    assert read().phone is None
    assert read(country="us", phone="call us").phone is None


@pytest.mark.parametrize(
    ("text", "code"), [("us", "US"), ("U.S.A.", "US"), ("Deutschland", "DE"), ("Atlantis", None), (None, None)]
)
def test_countries(text: str | None, code: str | None) -> None:
    assert country_of(text) == code


@pytest.mark.parametrize(
    ("latitude", "longitude", "found"),
    [
        ("30.26", "-97.74", (30.26, -97.74)),
        ("30,26", "-97,74", (30.26, -97.74)),
        ("91", "0", (None, None)),
        ("nan", "0", (None, None)),
        ("inf", "0", (None, None)),
        ("30", "east", (None, None)),
    ],
)
def test_coordinates_are_on_earth_or_absent(latitude: str, longitude: str, found: tuple[float, float]) -> None:
    business = read(latitude=latitude, longitude=longitude)
    assert (business.latitude, business.longitude) == found


@pytest.mark.parametrize(
    "changed",
    [
        {"website": "anna.example"},
        {"website": "HTTP://anna.example"},
        {"phone": "512-477-0100"},
        {"name": "ANNA'S dental"},
    ],
)
def test_the_same_business_written_differently_has_one_key(changed: dict[str, str]) -> None:
    assert read(**changed).key == read().key


@pytest.mark.parametrize("changed", [{"website": "annas.example"}, {"city": "Dallas"}, {"phone": "512-477-0101"}])
def test_a_branch_has_a_key_of_its_own(changed: dict[str, str]) -> None:
    assert read(**changed).key != read().key


def test_a_list_with_ids_of_its_own_goes_by_them() -> None:
    assert read(id="C-17", city="Dallas").key == read(id="C-17").key
    assert read(id="C-18").key != read(id="C-17").key


@given(st.dictionaries(st.sampled_from(sorted(BUSINESS_COLUMNS)), st.text(min_size=1, max_size=50)))
def test_any_cells_give_what_the_table_takes(cells: dict[str, str]) -> None:
    business = read_business(cells)
    if business is None:
        assert not any(text_of(cells.get(field)) for field in ("name", "website"))
        return
    assert business.phone is None or re.fullmatch(r"\+[0-9]{2,15}", business.phone)
    assert business.country_code is None or re.fullmatch(r"[A-Z]{2}", business.country_code)
    assert len(business.key.encode()) <= 1024
