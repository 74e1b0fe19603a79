"""Saved views: each person's own, under a name that replaces or is refused, and never one that cannot be shown."""

from __future__ import annotations

import pytest

from entities import saved_views
from entities.catalog import PAGES, PLACES
from entities.saved_views import Look
from errors import BadInput, Conflict, NotFound
from tests.entities.desk import person
from tests.entities.world import World

GOOD = Look(("rating>=4", "curation_status=New"), "-rating", ("city", "rating"))
PLAIN = Look(("rating>=4",), "-rating", ("rating", "website"))


def actions(world: World) -> list[tuple[str, int]]:
    rows = world.rows("SELECT action, entity_id FROM audit_entries WHERE entity = 'saved_views' ORDER BY id")
    return [(row["action"], row["entity_id"]) for row in rows]


def test_a_view_is_kept_replaced_renamed_and_deleted_and_each_is_noted(world: World) -> None:
    anna = person(world.tenant_id)
    first = saved_views.save(anna, PLACES, "  The   best ", PLAIN)
    again = saved_views.save(anna, PLACES, "The best", Look(sort="name"))
    assert (first.name, again.id, again.look) == ("The best", first.id, Look((), "name", ()))
    assert saved_views.list_views(anna, PLACES) == [again]
    assert saved_views.list_views(anna, PAGES) == []
    renamed = saved_views.rename(anna, first.id, "the rest")
    assert saved_views.one(anna, first.id) == renamed
    assert saved_views.delete(anna, first.id).name == "the rest"
    assert saved_views.list_views(anna, PLACES) == []
    assert actions(world) == [(action, first.id) for action in ("save", "save", "rename", "delete")]


def test_a_view_is_nobody_elses(world: World, elsewhere: World) -> None:
    anna, berta, stranger = person(world.tenant_id), person(world.tenant_id), person(elsewhere.tenant_id)
    view = saved_views.save(anna, PLACES, "mine", PLAIN)
    for other in (berta, stranger):
        assert saved_views.list_views(other, PLACES) == []
        for act in (saved_views.one, saved_views.delete):
            with pytest.raises(NotFound, match="You have no view"):
                act(other, view.id)
        with pytest.raises(NotFound, match="You have no view"):
            saved_views.rename(other, view.id, "theirs")
        assert saved_views.save(other, PLACES, "mine", Look()).id != view.id
    assert saved_views.one(anna, view.id) == view


def test_a_name_that_is_taken_is_refused_and_changes_nothing(world: World) -> None:
    anna = person(world.tenant_id)
    one, other = (saved_views.save(anna, PLACES, name, PLAIN) for name in ("one", "other"))
    with pytest.raises(Conflict, match="choose a name that is free"):
        saved_views.rename(anna, one.id, "other")
    assert saved_views.rename(anna, one.id, "one") == one
    assert saved_views.list_views(anna, PLACES) == [one, other]


@pytest.mark.parametrize(
    ("name", "look", "says"),
    [
        ("", PLAIN, "1 to 80 characters"),
        (" \x00 ", PLAIN, "1 to 80 characters"),
        ("x" * 81, PLAIN, "1 to 80 characters"),
        ("a", Look(("nonsense",)), "is no condition"),
        ("a", Look(sort="nonsense"), "cannot be sorted by"),
        ("a", GOOD, "has no column 'city'"),
    ],
    ids=["no-name", "blank-name", "long-name", "condition", "sort", "column"],
)
def test_what_could_not_be_shown_is_not_kept(world: World, name: str, look: Look, says: str) -> None:
    anna = person(world.tenant_id)
    with pytest.raises(BadInput, match=says):
        saved_views.save(anna, PLACES, name, look)
    assert saved_views.list_views(anna, PLACES) == []


def test_views_have_an_end(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_views, "MOST_VIEWS", 2)
    anna = person(world.tenant_id)
    for name in ("one", "two", "two"):
        saved_views.save(anna, PLACES, name, PLAIN)
    with pytest.raises(BadInput, match="delete one first"):
        saved_views.save(anna, PLACES, "three", PLAIN)
