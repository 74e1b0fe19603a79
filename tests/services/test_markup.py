"""Markup: what is parsed as it is, what is taken apart first, and what is made flat."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.contacts_reader import read_page
from services.markup import MOST_ATTRIBUTES, disarm, is_modest, is_overloaded, tame

LOOP = "for (i=0;i<items.length;i++) { " + "a = b; " * MOST_ATTRIBUTES + "}"
MANY = " x" * (MOST_ATTRIBUTES + 1)


@pytest.mark.parametrize("script", ["script", "SCRIPT", "script type=text/javascript"])
def test_a_comparison_in_a_script_does_not_flatten_its_page(script: str) -> None:
    html = f"<{script}>{LOOP}</script><form><textarea></textarea></form>"
    assert is_overloaded(html)
    assert is_modest(tame(html))
    assert len(read_page(html).forms) == 1


@pytest.mark.parametrize(
    "html",
    [f"<a{MANY}>", f'<a x=">"{MANY}>', f"<a < x='>'{MANY}>", f"<script>1</script><a{MANY}>", f"<svg><script><a{MANY}"],
)
def test_nothing_is_left_that_may_be_a_tag_with_too_many_attributes(html: str) -> None:
    assert is_overloaded(html)
    assert not is_overloaded(tame(html))


@pytest.mark.parametrize("html", [f"<a{' x' * MOST_ATTRIBUTES}>", "<p title='<a b c>'>", "1 < 2", ""])
def test_what_people_write_is_not_overloaded(html: str) -> None:
    assert not is_overloaded(html)
    assert tame(html) == html


@given(
    st.lists(st.sampled_from(["<script>", "</script>", "<!--", "-->", "<a", MANY, ">", '="', "'", "text"]), max_size=12)
)
def test_disarming_changes_nothing_outside_scripts(pieces: list[str]) -> None:
    html = "".join(pieces)
    assert disarm(html).replace("< ", "<") == html.replace("< ", "<")
    assert not is_overloaded(tame(html))
