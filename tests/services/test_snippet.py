"""Snippets: a contact is found in the text around it, however it is spelt there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.snippet import part


@pytest.mark.parametrize(
    ("kind", "value", "snippet", "shown"),
    [
        ("email", "info@acme.example", "Write: INFO@Acme.example!", "INFO@Acme.example"),
        ("email", "a.b@acme.example", "a [dot] b (at) acme dot example", "a [dot] b (at) acme dot example"),
        ("phone", "+17374452129", "Phone: (737) 445-2129 ©", "(737) 445-2129"),
        ("phone", "+4930123456", "Tel +49 30 12 34 56", "+49 30 12 34 56"),
        ("phone", "+4930123456", "Tel 030/123456", "030/123456"),
        ("phone", "+17374452129", "no 17374452129123", ""),
        ("person", "Emma Garcia", "Dr. emma  Garcia, owner", "emma  Garcia"),
        ("social", "https://www.facebook.com/acme/", "see facebook.com/acme now", "facebook.com/acme"),
        ("email", "info@acme.example", "nobody is here", ""),
    ],
)
def test_a_contact_is_found_as_it_is_written(kind: str, value: str, snippet: str, shown: str) -> None:
    before, found, after = part(snippet, kind, value)
    assert found == shown
    assert before + found + after == snippet


@given(st.sampled_from(["email", "phone", "social", "person"]), st.text(min_size=1, max_size=60), st.text(max_size=300))
def test_nothing_of_a_snippet_is_lost(kind: str, value: str, snippet: str) -> None:
    assert "".join(part(snippet, kind, value)) == snippet
