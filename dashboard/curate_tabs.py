"""Tabs of Curate: the entities that people decide on, by what a row is known, and what its table shows by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from entities import catalog
from entities.column import Column
from entities.entity import Entity
from errors import BadInput, NotFound
from pipeline.decisions import curated_stages

DECISION = "curation_status"


@dataclass(frozen=True)
class Tab:
    """One entity's table: the column that names a row, the columns at first sight, and where a row is looked at."""

    entity: Entity
    title: str
    name: str
    columns: tuple[str, ...]
    page: str

    @property
    def path(self) -> str:
        return f"/curate/{self.entity.name}"

    @property
    def stages(self) -> list[str]:
        """Name the stages that a decision can let a row into."""
        return [stage.name for stage in curated_stages() if stage.table == self.entity.table]

    @cached_property
    def choosable(self) -> tuple[Column, ...]:
        """Give the columns that people can add: all but those that every row shows anyway."""
        return tuple(column for column in self.entity.listed if column.name not in (self.name, DECISION))

    def shown(self, names: Sequence[str]) -> list[Column]:
        """Give the columns with these names, or those at first sight."""
        known = {column.name: column for column in self.choosable}
        wrong = [name for name in names if name not in known and name not in (self.name, DECISION)]
        if wrong:
            raise BadInput(f"The table of {self.entity.plural} has no column {wrong[0][:60]!r}: choose from its list.")
        return [known[name] for name in dict.fromkeys(names or self.columns) if name in known]

    def offered(self, names: Sequence[str]) -> list[tuple[Column, bool]]:
        """Give the columns to choose from, those that are shown first."""
        shown = self.shown(names)
        return [(column, True) for column in shown] + [
            (column, False) for column in self.choosable if column not in shown
        ]


PLACES = Tab(
    catalog.PLACES, "Places", "name", ("main_category", "address", "website", "rating"),
    "/journey/place/{id}",
)  # fmt: skip
BUSINESSES = Tab(
    catalog.LOCAL_BUSINESSES, "Businesses", "name", ("main_category", "city", "domain", "rating"),
    "/businesses/{id}",
)  # fmt: skip
DOMAINS = Tab(
    catalog.DOMAINS, "Domains", "name", ("business_name", "contact_count", "status_code", "fetched_at"),
    "/journey/domain/{id}",
)  # fmt: skip
SITEMAP_FILES = Tab(
    catalog.SITEMAP_FILES, "Sitemaps", "url", ("kind", "method", "url_count", "imported_at"),
    "/journey/sitemap_file/{id}",
)  # fmt: skip
PAGES = Tab(
    catalog.PAGES, "Pages", "url", ("kind", "score", "title", "decision_reason"),
    "/journey/page/{id}",
)  # fmt: skip
CONTACTS = Tab(
    catalog.CONTACTS, "Contacts", "value", ("kind", "verdict", "business_name", "domain"),
    "/contacts/{id}",
)  # fmt: skip

TABS: Mapping[str, Tab] = {
    tab.entity.name: tab for tab in (PLACES, BUSINESSES, DOMAINS, SITEMAP_FILES, PAGES, CONTACTS)
}


def tab_named(name: str) -> Tab:
    """Find a tab, or say that there is none."""
    if name not in TABS:
        raise NotFound("There is no such table: the tabs of Curate lead to those there are.")
    return TABS[name]
