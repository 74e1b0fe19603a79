"""Conditions: what can be written, what each means, and one helpful sentence for everything else."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.where import LISTS, BadCondition, Condition, Field, holds, parse, split

FIELDS = {
    "city": Field(),
    "score": Field("number"),
    "first_seen": Field("date"),
    "verdict": Field("choice", ("valid", "risky")),
    "curation": Field("choice", ("New", "Selected"), "the others are never exported"),
}
LISTED = FIELDS | {"is_open": Field("flag"), "tools": Field("list")}


@pytest.mark.parametrize(
    ("written", "condition"),
    [
        ("city=Austin", Condition("city", "=", "Austin")),
        (" City != San Antonio ", Condition("city", "!=", "San Antonio")),
        ("city~aus=tin", Condition("city", "~", "aus=tin")),
        ("city=>=x", Condition("city", "=", ">=x")),
        ("score>=60", Condition("score", ">=", 60)),
        ("score<=4.5", Condition("score", "<=", 4.5)),
        ("first-seen>=2026-01-31", Condition("first_seen", ">=", date(2026, 1, 31))),
        ("verdict=VALID", Condition("verdict", "=", "valid")),
        ("city=' OR 1=1 --", Condition("city", "=", "' OR 1=1 --")),
    ],
)
def test_what_can_be_written(written: str, condition: Condition) -> None:
    assert parse(written, FIELDS) == condition


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("", "is no condition: write a field"),
        ("Austin", "'Austin' is no condition"),
        ("=Austin", "is no condition"),
        ("city>Austin", "is no condition"),
        ("cty=Austin", "There is no field 'cty'. Did you mean city? Fields are city, curation, first_seen"),
        ("xyzzy=1", "There is no field 'xyzzy'. Fields are city"),
        ("city>=Austin", "city cannot be compared by >=: use one of = != ~"),
        ("score~6", "score cannot be compared by ~"),
        ("score>=many", "score is compared with a number, and 'many' is none"),
        ("score>=1e9", "'1e9' is none"),
        ("score=" + "9" * 40, "is none"),
        ("score=٣", "is none"),
        ("first_seen>=yesterday", "a day such as 2026-01-31"),
        ("verdict=good", "verdict is one of valid, risky, not 'good'"),
        ("curation=Archived", "not 'Archived': the others are never exported"),
        ("city=", "city needs a value of 1 to 200 characters"),
        ("city=" + "x" * 201, "city needs a value of 1 to 200 characters"),
        ("city=a\x00b", "city needs a value"),
    ],
)
def test_what_cannot_be_read_is_explained(written: str, sentence: str) -> None:
    with pytest.raises(BadCondition) as refused:
        parse(written, FIELDS)
    assert sentence in str(refused.value)
    assert len(str(refused.value)) < 400


@given(st.text(max_size=300) | st.from_regex(r"(city|score|first_seen|verdict)(=|!=|~|>=|<=).*", fullmatch=True))
@settings(deadline=None)
def test_any_text_is_a_condition_or_a_refusal_in_one_line(written: str) -> None:
    assert _read(written) in FIELDS


def _read(written: str) -> str:
    try:
        return parse(written, FIELDS).field
    except BadCondition as refused:
        return "city" if len(str(refused).splitlines()) == 1 else str(refused)


@pytest.mark.parametrize(
    ("written", "values", "is_met"),
    [
        ("city=austin", ["Austin"], True),
        ("city=austin", ["Austin, TX"], False),
        ("city~AUST", ["Austin, TX"], True),
        ("city=austin", [None], False),
        ("city!=austin", [None], True),
        ("city!=austin", ["Austin", "Dallas"], False),
        ("city!=austin", ["Dallas"], True),
        ("score>=60", [60], True),
        ("score>=60", [59.9], False),
        ("score<=60", [None], False),
        ("score=1", [True], False),
        ("first_seen<=2026-01-31", [datetime(2026, 1, 31, 23, 59, tzinfo=UTC)], True),
        ("first_seen<=2026-01-31", [datetime(2026, 2, 1, tzinfo=UTC)], False),
        ("first_seen=2026-01-31", [date(2026, 1, 31)], True),
    ],
)
def test_what_a_condition_means(written: str, values: list[object], is_met: bool) -> None:
    assert holds(parse(written, FIELDS), values) is is_met


def test_conditions_are_parted_by_where_they_can_be_asked() -> None:
    city, score = parse("city=Austin", FIELDS), parse("score>=6", FIELDS)
    assert split([score, city], {"city"}) == ([city], [score])


@pytest.mark.parametrize(
    ("written", "condition"),
    [
        ("city=", Condition("city", "=", None)),
        ("score!=", Condition("score", "!=", None)),
        ("score>60", Condition("score", ">", 60)),
        ("score<4.5", Condition("score", "<", 4.5)),
        ("score=1, 2,3", Condition("score", "=", (1, 2, 3))),
        ("verdict!=VALID,risky", Condition("verdict", "!=", ("valid", "risky"))),
        ("city=Austin, TX", Condition("city", "=", "Austin, TX")),
        ("first_seen>2026-01-31T10:00:00Z", Condition("first_seen", ">", datetime(2026, 1, 31, 10, tzinfo=UTC))),
        ("first_seen!=2026-01-31", Condition("first_seen", "!=", date(2026, 1, 31))),
        ("is_open=Yes", Condition("is_open", "=", True)),
        ("tools~press", Condition("tools", "~", "press")),
    ],
)
def test_lists_understand_more(written: str, condition: Condition) -> None:
    assert parse(written, LISTED, LISTS) == condition


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("score>", "score needs a value of 1 to 2048 characters"),
        ("city~", "city needs a value"),
        ("city>a", "city cannot be compared by >: use one of = != ~"),
        ("score=1,", "'' is none"),
        ("score>1,2", "'1,2' is none"),
        ("is_open=perhaps", "is_open is true or false, not 'perhaps'"),
        ("first_seen>2026-01-31T99:00", "a day or a moment such as 2026-01-31T12:00:00Z"),
    ],
)
def test_lists_explain_what_they_cannot_read(written: str, sentence: str) -> None:
    with pytest.raises(BadCondition) as refused:
        parse(written, LISTED, LISTS)
    assert sentence in str(refused.value)
