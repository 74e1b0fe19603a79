"""Lists: every order pages through every row exactly once; every comparison finds what it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from entities import listing
from entities.catalog import ENTITIES, entity_named
from entities.entity import Entity
from entities.listing import Wanted, list_rows
from errors import BadInput, NotFound
from services import cursor
from tests.entities.world import World

NAMES = list(ENTITIES)


def pages_of(
    entity: Entity, world: World, sort: str = "", where: tuple[str, ...] = (), limit: int = 4
) -> Iterator[Any]:
    """Give page after page to the end."""
    wanted = Wanted(where, sort, limit)
    while True:
        page = list_rows(entity, world.tenant_id, wanted)
        yield page
        if page.next_cursor is None:
            return
        wanted = Wanted(where, sort, limit, page.next_cursor)


def ids_of(entity: Entity, world: World, sort: str = "", where: tuple[str, ...] = ()) -> list[int]:
    return [row["id"] for page in pages_of(entity, world, sort, where) for row in page.rows]


def sortable(entity: Entity) -> list[str]:
    return [column.name for column in entity.listed if column.kind != "object"]


@pytest.mark.parametrize("name", NAMES)
def test_every_column_pages_through_everything_once_in_both_directions(
    name: str, world: World, elsewhere: World
) -> None:
    entity, mine = entity_named(name), set(world.fill(name))
    elsewhere.fill(name)
    for column in sortable(entity):
        for sort in (column, f"-{column}"):
            seen = ids_of(entity, world, sort)
            assert (len(seen), set(seen) & mine) == (len(set(seen)), mine), sort


@pytest.mark.parametrize("name", NAMES)
def test_each_order_is_that_of_its_values_with_blanks_last(name: str, world: World) -> None:
    entity = entity_named(name)
    world.fill(name)
    for column in entity.listed:
        if column.kind not in ("number", "date", "flag"):
            continue
        for sort, is_descending in ((column.name, False), (f"-{column.name}", True)):
            rows = [row for page in pages_of(entity, world, sort) for row in page.rows]
            values = [row[column.name] for row in rows]
            filled = [value for value in values if value is not None]
            assert values == sorted(filled, reverse=is_descending) + [None] * (len(values) - len(filled)), sort
            ties = [row["id"] for row in rows if row[column.name] == values[0]]
            assert ties == sorted(ties, reverse=is_descending), sort


def test_text_is_sorted_without_regard_to_case(world: World) -> None:
    domain = world.domain()
    for title in ("b", "A", None, "a", "B", "Ä"):
        world.page(domain, title=title)
    found = list_rows(entity_named("pages"), world.tenant_id, Wanted(sort="title,id")).rows
    assert [row["title"] for row in found] == ["A", "a", "b", "B", "Ä", None]


@given(
    sort=st.lists(
        st.tuples(st.sampled_from(["title", "score", "kind", "word_count", "lastmod", "page_processing_status", "id"]),
                  st.booleans()),
        min_size=1, max_size=3, unique_by=lambda key: key[0],
    ),
    limit=st.integers(1, 7),
)  # fmt: skip
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_any_order_by_several_columns_is_whole(world: World, sort: list[tuple[str, bool]], limit: int) -> None:
    entity = entity_named("pages")
    if not world.rows("SELECT id FROM pages LIMIT 1"):
        world.fill("pages")
    written = ",".join(f"{'-' if turned else ''}{name}" for name, turned in sort)
    all_at_once = [row["id"] for row in list_rows(entity, world.tenant_id, Wanted(sort=written, limit=500)).rows]
    paged = [row["id"] for page in pages_of(entity, world, written, limit=limit) for row in page.rows]
    assert paged == all_at_once
    assert len(paged) == len(set(paged)) == len(world.rows("SELECT id FROM pages"))


@pytest.mark.parametrize("sort", ["id", "-id", "title", "-title", "-score", "page_processing_status,-lastmod"])
def test_rows_that_come_or_go_meanwhile_do_not_disturb_the_rest(world: World, sort: str) -> None:
    entity, ids = entity_named("pages"), set(world.fill("pages"))
    seen: list[int] = []
    for page in pages_of(entity, world, sort, limit=3):
        seen += [row["id"] for row in page.rows]
        world.page(title="Anna", score=2.5)
        world.page(title=None, score=99)
        last = page.rows[-1]["id"]  # the row that the cursor stands on
        world.rows("DELETE FROM pages WHERE id = %s RETURNING id", last)
        if len(seen) > 60:
            break
    assert len(seen) == len(set(seen))
    assert ids <= set(seen)


@pytest.mark.parametrize("name", NAMES)
def test_the_total_counts_all_that_match_and_only_when_it_is_asked_for(
    name: str, world: World, elsewhere: World
) -> None:
    entity, ids = entity_named(name), world.fill(name)
    elsewhere.fill(name)
    where = (f"id={','.join(map(str, ids[:5]))}",)
    page = list_rows(entity, world.tenant_id, Wanted(where, limit=2))
    assert (len(page.rows), page.total) == (2, 5)
    assert listing.count(entity, world.tenant_id, where) == 5
    assert list_rows(entity, world.tenant_id, Wanted(limit=1, has_total=False)).total is None


@pytest.mark.parametrize("name", NAMES)
def test_another_tenants_rows_are_in_no_list_and_under_no_id(name: str, world: World, elsewhere: World) -> None:
    entity, theirs = entity_named(name), elsewhere.fill(name)
    assert list_rows(entity, world.tenant_id, Wanted()).total == 0
    with pytest.raises(NotFound, match=f"There is no {entity.noun} {theirs[0]}"):
        listing.one(entity, world.tenant_id, theirs[0])
    assert listing.one(entity, elsewhere.tenant_id, theirs[0])["id"] == theirs[0]


@pytest.mark.parametrize("name", NAMES)
def test_one_row_has_every_column(name: str, world: World) -> None:
    entity = entity_named(name)
    row = listing.one(entity, world.tenant_id, world.fill(name)[0])
    assert set(row) == {column.name for column in entity.shown}
    listed = list_rows(entity, world.tenant_id, Wanted(limit=1)).rows[0]
    assert set(listed) == {column.name for column in entity.listed}


def test_stages_are_shown_under_the_names_people_know(world: World) -> None:
    page = world.page()
    world.work("page_curation", page, "Error", reason="timeout", error="no answer", attempts=5)
    row = listing.one(entity_named("pages"), world.tenant_id, page)
    assert (row["page_processing_status"], row["page_processing_error"]) == ("Error", "no answer")
    assert (row["page_processing_reason"], row["page_processing_attempts"]) == ("timeout", 5)
    assert row["page_processing_due_at"] is None


BAD_CURSORS = ("x", "AAAA", "bnVsbA", "W10", "e30", "☃", cursor.write("wrong", ["1"]), "[" * 3000)


@pytest.mark.parametrize("bad", BAD_CURSORS)
def test_what_is_no_cursor_is_refused_in_a_sentence(bad: str, world: World) -> None:
    with pytest.raises(BadInput, match=r"This cursor (cannot be read|belongs to)"):
        list_rows(entity_named("pages"), world.tenant_id, Wanted(cursor=bad))


@pytest.mark.parametrize("values", [["x"], ["1", "2"], [None], ["9" * 40], ["\x00"], [1], [["1"]], []])
def test_a_forged_cursor_is_refused_or_harmless(values: list[Any], world: World) -> None:
    world.page()
    mark = cursor.mark_of("pages", "-id", [])
    assert _answer(world, Wanted(cursor=cursor.write(mark, values))) in ("", cursor.UNREADABLE, cursor.OF_ANOTHER)


def _answer(world: World, wanted: Wanted) -> str:
    """Give the refusal, or nothing when nothing was found."""
    try:
        return ", ".join(str(row) for row in list_rows(entity_named("pages"), world.tenant_id, wanted).rows)
    except BadInput as refused:
        return str(refused)


def test_a_cursor_goes_with_its_own_filter_and_order(world: World) -> None:
    world.fill("pages")
    entity = entity_named("pages")
    first = list_rows(entity, world.tenant_id, Wanted(("score>=0",), "title", limit=2))
    assert first.next_cursor is not None
    for wanted in (
        Wanted(("score>=1",), "title", cursor=first.next_cursor),
        Wanted(("score>=0",), "-title", cursor=first.next_cursor),
        Wanted((), "title", cursor=first.next_cursor),
    ):
        with pytest.raises(BadInput, match="another filter or order"):
            list_rows(entity, world.tenant_id, wanted)
    with pytest.raises(BadInput, match="another filter or order"):
        list_rows(entity_named("domains"), world.tenant_id, Wanted((), "title", cursor=first.next_cursor))


@pytest.mark.parametrize(
    ("sort", "sentence"),
    [
        ("colour", "Pages cannot be sorted by 'colour'. Use one of: id, domain_id"),
        ("etag", "cannot be sorted by 'etag'"),
        ("search", "cannot be sorted by 'search'"),
        ("title,,id", "cannot be sorted by ''"),
        ("--title", "cannot be sorted by '-title'"),
        ("title,-title", "names one twice"),
        ("id,title,url,kind", "by 3 columns at most"),
        ("id; DROP TABLE pages", "cannot be sorted by"),
    ],
)
def test_an_order_that_there_is_not_is_refused(sort: str, sentence: str, world: World) -> None:
    with pytest.raises(BadInput) as refused:
        list_rows(entity_named("pages"), world.tenant_id, Wanted(sort=sort))
    assert sentence in str(refused.value)


def test_cursors_stay_short_whatever_they_carry(world: World) -> None:
    wild = "\U0001f680" * 400
    for _ in range(3):
        world.page(title=wild, url=f"https://x.example/{wild}{world.number()}"[:500], language=wild)
    page = list_rows(entity_named("pages"), world.tenant_id, Wanted(sort="title,url,language", limit=1))
    assert page.next_cursor is not None
    assert len(page.next_cursor) < 6000
