"""What the tests of searches and imports share: the stages by name, and rows put straight into the tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from models import Domain, LocalBusiness, Place, Search, SearchArea
from pipeline import stage as stages
from pipeline.database import statement
from pipeline.stage import Done, Stage
from settings import settings

ENTITIES = {
    "search": Search,
    "search_area": SearchArea,
    "deep_scan": Place,
    "domain_extraction": LocalBusiness,
}


@contextmanager
def declared(**more: type[Any]) -> Iterator[None]:
    """Declare the stages without their work: here only their names, order and tables count."""
    before = dict(stages._registry)
    for name, entity in (ENTITIES | more).items():
        stages._registry[name] = Stage(name, entity, work=lambda entity, turn: Done())
    yield
    stages._registry.clear()
    stages._registry.update(before)


def declare_domains() -> Any:
    """Declare a stage that works on domains too."""
    return declared(domain_metadata=Domain)


def empty_tables() -> None:
    """Forget what an earlier test of the same database has left."""
    with statement() as connection:
        connection.execute(b"TRUNCATE batches, searches, places, domains CASCADE")


def insert(table: str, **columns: Any) -> int:
    """Insert a row and give its id."""
    columns = {"tenant_id": settings().default_tenant_id} | columns
    names, marks = ", ".join(columns), ", ".join(["%s"] * len(columns))
    sql = f"INSERT INTO {table} ({names}) VALUES ({marks}) RETURNING id"
    with statement() as connection:
        row = connection.execute(sql.encode(), list(columns.values())).fetchone()
    return int(row[0]) if row else 0


def add_work(stage: str, entity_id: int, status: str = "Queued", *, parent: int | None = None, **columns: Any) -> int:
    """Put a piece of work into a status as a stage would have left it."""
    return insert("work", stage=stage, entity_id=entity_id, status=status, parent_id=parent, **columns)


def add_place(name: str, *search_ids: int, decided: str = "New") -> int:
    """A place that these searches have found."""
    place = insert("places", provider="google", provider_place_id=name, name=name, curation_status=decided)
    for search_id in search_ids:
        insert("search_places", search_id=search_id, place_id=place)
    return place


def add_business(place_id: int, name: str, decided: str = "New") -> int:
    return insert("local_businesses", place_id=place_id, name=name, curation_status=decided)


def add_domain(name: str, *business_ids: int) -> int:
    """A domain that these businesses use."""
    domain = insert("domains", name=name)
    for business_id in business_ids:
        insert("local_business_domains", local_business_id=business_id, domain_id=domain)
    return domain
