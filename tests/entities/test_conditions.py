"""Conditions on entities: every comparison of every kind, against what plain Python says of the same rows."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any

import pytest

from entities.catalog import ENTITIES, entity_named
from entities.chosen import Chosen, chosen_sql
from entities.listing import Wanted, list_rows
from errors import BadInput
from services.where import LISTS, Field, parse
from tests.entities.world import World

VALUES: dict[str, tuple[str, ...]] = {
    "text": ("anna", "ANNA", "zoë", "100%", "a'b\"c\\d", "nobody", ""),
    "number": ("0", "1", "2.5", "-1", "1,3,5", "2.5,4", "999999999999999", ""),
    "date": ("2026-01-31", "2026-02-01", "2026-01-31T23:59:59.999999Z", "0001-01-01", "9999-12-31", ""),
    "choice": (),
    "flag": ("true", "false", ""),
    "list": ("WordPress", "wix", "nothing", ""),
}


def expected(rows: list[dict[str, Any]], name: str, written: str, field: Field) -> set[int]:
    """Say which rows meet a condition, from their values alone."""
    condition = parse(written, {name: field}, LISTS)
    return {row["id"] for row in rows if _holds(condition.operator, condition.value, row[name], field.kind)}


def _holds(operator: str, wanted: Any, value: Any, kind: str) -> bool:
    if operator == "!=":
        return not _holds("=", wanted, value, kind)
    if wanted is None:
        return value in (None, "", [])
    if isinstance(wanted, tuple):
        return any(_holds("=", each, value, kind) for each in wanted)
    if value is None:
        return False
    if kind in ("text", "choice"):
        have, asked = str(value).lower(), str(wanted).lower()
        return asked in have if operator == "~" else asked == have
    if kind == "list":
        return any(_holds(operator, wanted, item, "text") for item in value)
    if kind == "date" and not isinstance(wanted, datetime):
        return _compares(operator, value.astimezone(UTC).date(), wanted)
    return _compares(operator, float(value) if kind == "number" else value, wanted)


def _compares(operator: str, left: Any, right: Any) -> bool:
    tests = {"=": left == right, ">=": left >= right, "<=": left <= right, ">": left > right, "<": left < right}
    return bool(tests[operator])


@pytest.mark.parametrize("name", list(ENTITIES))
def test_every_comparison_of_every_column_finds_what_it_says(name: str, world: World, elsewhere: World) -> None:
    entity = entity_named(name)
    world.fill(name)
    elsewhere.fill(name)
    rows = list_rows(entity, world.tenant_id, Wanted(limit=500)).rows
    for column in entity.listed:
        field = entity.fields.get(column.name)
        if field is None or column.name in ("domain", "business_name"):  # there may be several
            continue
        values = (*field.choices, ",".join(field.choices[:2]), "") if field.choices else VALUES[field.kind]
        for operator in LISTS.operators[field.kind]:
            for value in values:
                if (value == "" or "," in value) and operator not in ("=", "!="):
                    continue
                written = f"{column.name}{operator}{value}"
                found = list_rows(entity, world.tenant_id, Wanted((written,), limit=500, has_total=operator == "="))
                wanted = expected(rows, column.name, written, field)
                assert {row["id"] for row in found.rows} == wanted, written
                assert found.total in (None, len(wanted)), written


@pytest.mark.parametrize("name", list(ENTITIES))
def test_columns_of_one_row_can_be_asked_for_in_lists_too(name: str, world: World) -> None:
    entity = entity_named(name)
    ids = world.fill(name)
    for column in entity.shown:
        if entity.fields.get(column.name) is not None and not column.is_listed:
            both = [list_rows(entity, world.tenant_id, Wanted((f"{column.name}{op}",))).total for op in ("=", "!=")]
            assert sum(total or 0 for total in both) >= len(ids), column.name


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("colour=red", "There is no field 'colour'"),
        ("field_sources=x", "There is no field 'field_sources'"),
        ("tenant_id=x", "There is no field 'tenant_id'"),
        ("score~5", "score cannot be compared by ~"),
        ("score>=", "score needs a value"),
        ("score=1,x", "'x' is none"),
        ("score>1,2", "'1,2' is none"),
        ("kind=home,house", "not 'house'"),
        ("kind=contact,", "not ''"),
        ("kind", "'kind' is no condition: write a field, one of = != >= <= > < ~"),
        ("has_contact_form=maybe", "has_contact_form is true or false, not 'maybe'"),
        ("fetched_at>=yesterday", "a day such as 2026-01-31"),
        ("fetched_at>=2026-01-31T25:00", "a moment such as 2026-01-31T12:00:00Z"),
        ("title=" + "x" * 3000, "1 to 2048 characters"),
        ("title=a\x00b", "title needs a value"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(written: str, sentence: str, world: World) -> None:
    with pytest.raises(BadInput) as refused:
        list_rows(entity_named("pages"), world.tenant_id, Wanted((written,)))
    assert sentence in str(refused.value)
    assert re.search(r"\n", str(refused.value)) is None


def test_more_conditions_than_anybody_means_are_refused(world: World) -> None:
    with pytest.raises(BadInput, match="At most 20 conditions"):
        list_rows(entity_named("pages"), world.tenant_id, Wanted(("score>=1",) * 21))


def test_what_a_search_led_to_is_found_in_every_entity(world: World, elsewhere: World) -> None:
    mine, other = world.search(), world.search(what="plumbers")
    for search in (mine, other):
        business = world.business(world.place(search))
        domain = world.domain(business)
        world.sitemap_file(domain)
        world.page(domain)
        world.contact(domain)
        world.insert(
            "contacts", local_business_id=business, owner_key=f"business:{business}", kind="social", value="https://s/x"
        )
    theirs = elsewhere.search()
    elsewhere.page(elsewhere.domain(elsewhere.business(elsewhere.place(theirs))))
    for name in ("places", "local_businesses", "domains", "sitemap_files", "pages"):
        assert list_rows(entity_named(name), world.tenant_id, Wanted((f"search={mine}",))).total == 1, name
        assert list_rows(entity_named(name), world.tenant_id, Wanted((f"search={theirs}",))).total == 0, name
        both = Wanted((f"search={mine},{other}",))
        assert list_rows(entity_named(name), world.tenant_id, both).total == 2, name
        assert list_rows(entity_named(name), world.tenant_id, Wanted((f"search!={mine}",))).total == 1, name
    assert list_rows(entity_named("contacts"), world.tenant_id, Wanted((f"search={mine}",))).total == 2
    assert list_rows(entity_named("contacts"), world.tenant_id, Wanted(("search=",))).total == 0
    assert list_rows(entity_named("pages"), world.tenant_id, Wanted(("search!=",))).total == 2


def test_children_are_found_by_their_domain_and_business(world: World) -> None:
    business = world.business(name="Acme Dental")
    domain = world.domain(business, name="acme.example")
    world.domain(world.business(name="Others"), name="others.example")
    page, contact = world.page(domain), world.contact(domain)
    world.page()
    for written in ("domain=ACME.example", "domain~acme", f"business={business}", f"domain_id={domain}"):
        rows = list_rows(entity_named("pages"), world.tenant_id, Wanted((written,))).rows
        assert [row["id"] for row in rows] == [page], written
    for written in ("domain=acme.example", f"business={business}", "business_name~dental"):
        rows = list_rows(entity_named("contacts"), world.tenant_id, Wanted((written,))).rows
        assert [(row["id"], row["business_name"], row["domain"]) for row in rows] == [
            (contact, "Acme Dental", "acme.example")
        ], written
    found = list_rows(entity_named("local_businesses"), world.tenant_id, Wanted(("domain=acme.example",))).rows
    assert [(row["id"], row["domain"]) for row in found] == [(business, "acme.example")]
    assert list_rows(entity_named("local_businesses"), world.tenant_id, Wanted(("domain=",))).total == 0
    assert list_rows(entity_named("domains"), world.tenant_id, Wanted(("business_name=",))).total == 1


def test_what_a_batch_brought_is_found(world: World) -> None:
    batch = world.insert("batches", kind="domain")
    domain = world.domain()
    world.domain()
    world.insert("batch_items", batch_id=batch, row_number=1, result="added", stage="domain_metadata", entity_id=domain)
    rows = list_rows(entity_named("domains"), world.tenant_id, Wanted((f"batch={batch}",))).rows
    assert [row["id"] for row in rows] == [domain]
    assert list_rows(entity_named("pages"), world.tenant_id, Wanted((f"batch={batch}",))).total == 0


def test_suppressed_contacts_are_marked(world: World) -> None:
    from leads import suppression_list
    from leads.subjects import subject_named

    listed, free = world.contact(value="ann@acme.example"), world.contact(value="bob@acme.example")
    suppression_list.add(world.tenant_id, [subject_named("ann@acme.example")])
    rows = {
        row["id"]: row["is_suppressed"] for row in list_rows(entity_named("contacts"), world.tenant_id, Wanted()).rows
    }
    assert (rows[listed], rows[free]) == (True, False)
    found = list_rows(entity_named("contacts"), world.tenant_id, Wanted(("is_suppressed=true",))).rows
    assert [row["id"] for row in found] == [listed]


def test_rows_are_chosen_by_ids_by_conditions_or_by_saying_all(world: World, elsewhere: World) -> None:
    ids, theirs = world.fill("pages"), elsewhere.fill("pages")
    chosen = _ids(world, Chosen(ids=[ids[0], ids[1], theirs[0]]))
    assert chosen == {ids[0], ids[1]}
    assert _ids(world, Chosen(ids=ids, where=["kind=contact"])) < set(ids)
    assert _ids(world, Chosen(everything=True)) == set(ids)
    with pytest.raises(BadInput, match="This would touch every page: name ids or a condition, or say all=true"):
        _ids(world, Chosen())
    with pytest.raises(BadInput, match="The list of ids is empty"):
        _ids(world, Chosen(ids=[], where=["kind=contact"]))


def _ids(world: World, chosen: Chosen) -> set[int]:
    rows, condition, values = chosen_sql(entity_named("pages"), world.tenant_id, chosen)
    sql = f"SELECT entity.id FROM {rows} WHERE {condition} ORDER BY entity.id FOR UPDATE OF entity"
    found = world.connection.execute(sql.encode(), values).fetchall()
    assert len({row["id"] for row in found}) == len(found)
    return {row["id"] for row in found}


def test_days_are_those_of_utc() -> None:
    assert parse("at>=2026-01-31", {"at": Field("date")}, LISTS).value == date(2026, 1, 31)
    assert parse("at<2026-01-31T10:00", {"at": Field("date")}, LISTS).value == datetime(2026, 1, 31, 10, tzinfo=UTC)
