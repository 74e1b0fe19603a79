"""Erasure: a value is taken out of any text in any spelling, and nothing else is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.erasure import ERASED, GAPS, Trace, subjects_in, trace_of, trace_of_name, without, without_in
from services.suppression import Subject

ANN = trace_of(Subject("email", "ann@acme.example"))
PHONE = trace_of(Subject("phone", "+15125550100"))
LONDON = trace_of(Subject("phone", "+442079460958"))
ACME = trace_of(Subject("domain", "acme.example"))
JANE = trace_of_name("Jane Doe")


@pytest.mark.parametrize(
    ("trace", "text", "left"),
    [
        (ANN, "Write to Ann@ACME.example.", "Write to [erased]."),
        (ANN, "mailto:ann@acme.example?subject=x", "mailto:[erased]?subject=x"),
        (ANN, "ann%40acme.example", "[erased]"),
        (ANN, "ann (at) acme (dot) example!", "[erased]!"),
        (ANN, "…ann@acme.example...", "…[erased]..."),
        (ANN, "...ann@acme.example", "...[erased]"),
        (PHONE, "Call (512) 555-0100 now", "Call [erased] now"),
        (PHONE, "+1 512.555.0100, 5125550100", "[erased], [erased]"),
        (PHONE, "https://wa.me/15125550100", "https://wa.me/[erased]"),
        (LONDON, "+44 (0)20 7946 0958 or 020 7946 0958", "[erased] or [erased]"),
        (ACME, "see https://www.acme.example/team/jane?x=1 or acme.example.", "see https://[erased] or [erased]."),
        (ACME, "info@acme.example", "[erased]"),
        (JANE, "Dr. JANE  DOE, owner; /team/jane-doe; Doe, Jane", "Dr. [erased], owner; /team/[erased]; [erased]"),
    ],
)
def test_a_value_is_taken_out_in_any_spelling(trace: Trace, text: str, left: str) -> None:
    assert trace.is_in(text)
    assert without(text, [trace]) == left


@pytest.mark.parametrize(
    ("trace", "text"),
    [
        (ANN, "joann@acme.example joe.ann@acme.example ann@acme.example.org ann@acme-example"),
        (PHONE, "15125550100777 95125550100 512-555-0101"),
        (ACME, "notacme.example acme.example.org my-acme.example acme.examples"),
        (JANE, "Jane Doerr, Mary-Jane Doer, Janet Doe"),
    ],
)
def test_what_only_looks_like_it_stays(trace: Trace, text: str) -> None:
    assert without(text, [trace]) == text


def test_a_snippet_may_be_cut_in_the_midst_of_an_address() -> None:
    assert without("call us or ann@acme.exa", [ANN], is_cut=True) == "call us or [erased]"
    assert without("nn@acme.example or call", [ANN], is_cut=True) == "[erased] or call"
    assert without("call us or joann@acme.exa", [ANN], is_cut=True) == "call us or joann@acme.exa"


def test_json_is_searched_in_all_its_depth() -> None:
    given = {"a": ["ann@acme.example", {"ann@acme.example": 5125550100, "n": 7, "yes": True}], "b": None}
    assert without_in(given, [ANN, PHONE]) == {"a": [ERASED, {ERASED: ERASED, "n": 7, "yes": True}], "b": None}


@given(st.lists(st.text(alphabet=GAPS, max_size=2), min_size=9, max_size=9))
def test_a_number_is_found_whatever_stands_between_its_digits(gaps: list[str]) -> None:
    text = "".join(digit + gap for digit, gap in zip("5125550100", [*gaps, ""], strict=True))
    assert "512" not in without(text, [PHONE]).replace(ERASED, "")
    assert without(text, [PHONE]) == ERASED
    assert PHONE.needles[0] in text.translate(dict.fromkeys(map(ord, GAPS)))


@given(st.text(max_size=300), st.text(max_size=20))
def test_any_text_and_any_name_can_be_erased(text: str, name: str) -> None:
    traces = [ANN, PHONE, ACME, *([trace_of_name(name)] if name.strip(" ,") else [])]
    left = without(f"{text} ann@acme.example {text}", traces)
    assert "ann@acme.example" not in left
    json.dumps(without_in({text: [text]}, traces))


def test_the_addresses_numbers_and_sites_of_a_row_are_found_wherever_they_stand() -> None:
    row = {
        "phone": "(512) 343-1234 / 512 343 9999", "raw": {"facts": [{"site": "www.Acme.example/x"}, 4.5, None]},
        "note": "Ask <Ann@Mail.other.example>, or 030/23125000",
    }  # fmt: skip
    found = {(subject.kind, subject.value) for subject in subjects_in(row, "US")}
    assert {("phone", "+15123431234"), ("phone", "+15123439999"), ("domain", "acme.example")} <= found
    assert {("email", "ann@mail.other.example"), ("domain", "other.example")} <= found
    assert ("phone", "+493023125000") in {(each.kind, each.value) for each in subjects_in(row, "DE")}


@given(st.text(max_size=300))
def test_what_is_found_in_any_text_can_be_taken_out_of_it(text: str) -> None:
    told = f"{text} write to Ann@Acme.example or call (512) 343-1234"
    found = subjects_in([told], "US")
    assert {"ann@acme.example", "+15123431234", "acme.example"} <= {subject.value for subject in found}
    for subject in found:
        left = trace_of(subject).out_of(told)
        assert trace_of(subject).out_of(left) == left
        assert subject.value not in left.lower()
