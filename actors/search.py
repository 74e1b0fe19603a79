"""Search → SearchArea: find where it is, and begin with the whole of it."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import update
from sqlalchemy.orm import Session

from fetching.places import provider_named
from models import Search
from pipeline import provider_call, search_finds
from pipeline.declare import stage
from pipeline.provider_call import Call
from pipeline.stage import Child, Done, Snapshot, Turn
from services.place import Area


def keep_box(session: Session, turn: Turn, done: Done) -> None:
    """Keep the box on the search, so that nobody has to ask for it again."""
    area: Area = done.value
    box = {"south": area.south, "west": area.west, "north": area.north, "east": area.east}
    session.execute(update(Search).where(Search.id == turn.entity_id, Search.south.is_(None)).values(box))


@stage(
    entity=Search,
    successors=("search_area",),
    save=keep_box,
    attempts=8,
    time_limit=timedelta(seconds=90),
    sweep_defaults={"interval_minutes": 1, "batch_size": 10, "max_instances": 1},
)
def search(search: Snapshot, turn: Turn) -> Done:
    """Hand on the box of the search as its first area."""
    area = _known_box(search) or _find_box(search, turn)
    row = {"search_id": search.id, "south": area.south, "west": area.west, "north": area.north, "east": area.east}
    again = search_finds.stale_after(search.id)
    return Done(children=[Child(row=row | {"page": 0}, again_after=again)], value=area)


def _known_box(search: Snapshot) -> Area | None:
    if search.south is None:
        return None
    return Area(search.south, search.west, search.north, search.east)


def _find_box(search: Snapshot, turn: Turn) -> Area:
    provider = provider_named(search.provider)
    call = Call(provider.name, search.id, provider.price("area"))
    area = provider_call.ask(turn, call, lambda: provider.find_area(search.where_text))
    return Area.around(*area.centre, search.radius_meters) if search.radius_meters else area
