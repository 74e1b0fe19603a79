"""Whatever is asked of a list, it answers or refuses; the database never has to."""

from __future__ import annotations

import base64
import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from entities import order
from entities.catalog import ENTITIES, entity_named
from entities.listing import Wanted, list_rows
from errors import BadInput
from services import cursor
from tests.entities.world import World

FIELDS = sorted({name for entity in ENTITIES.values() for name in entity.fields})
OPERATORS = ("=", "!=", ">=", "<=", ">", "<", "~")
VALUES = st.one_of(
    st.text(max_size=40),
    st.integers().map(str),
    st.floats().map(str),
    st.datetimes().map(str),
    st.datetimes().map(lambda at: at.isoformat() + "+14:00"),
    st.dates().map(str),
    st.lists(st.integers(-(10**16), 10**16)).map(lambda own: ",".join(map(str, own))),
    st.sampled_from(["true", "New,Selected", "'; DROP TABLE pages --", "%(x)s", "{fits}", "=cmd|' /C calc'!A0"]),
)
CONDITIONS = st.one_of(
    st.text(max_size=40),
    st.builds(
        lambda *parts: "".join(parts), st.sampled_from(FIELDS), st.sampled_from(OPERATORS), VALUES
    ),
)  # fmt: skip
RELAXED = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def answers(world: World, name: str, wanted: Wanted) -> str:
    try:
        list_rows(entity_named(name), world.tenant_id, wanted)
    except BadInput as refused:
        return str(refused)
    return "a page"


@given(name=st.sampled_from(list(ENTITIES)), where=st.lists(CONDITIONS, max_size=3), sort=st.text(max_size=20))
@RELAXED
def test_any_filter_and_order(world: World, name: str, where: list[str], sort: str) -> None:
    assert len(answers(world, name, Wanted(where)).splitlines()) == 1
    assert len(answers(world, name, Wanted(sort=sort)).splitlines()) == 1


@given(
    name=st.sampled_from(list(ENTITIES)),
    nth=st.integers(0, 60),
    told=st.lists(st.none() | st.text(max_size=20) | st.integers() | st.lists(st.none()), min_size=2, max_size=2),
)
@RELAXED
def test_any_forged_cursor(world: World, name: str, nth: int, told: list[object]) -> None:
    columns = [column.name for column in ENTITIES[name].listed if column.kind != "object"]
    sort = columns[nth % len(columns)]
    mark = cursor.mark_of(name, str(order.read(ENTITIES[name], sort)), [])
    written = base64.urlsafe_b64encode(json.dumps([mark, *told]).encode()).decode()
    assert answers(world, name, Wanted(sort=sort, cursor=written)) in ("a page", cursor.UNREADABLE, cursor.OF_ANOTHER)
