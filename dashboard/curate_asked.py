"""Asked: everything that a table of Curate is asked for, as its address holds it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import Depends, Form, Query

from api.contract import Cursor, Id, Text
from dashboard.curate_tabs import Tab, tab_named
from dashboard.page import local_path
from dashboard.words import query
from entities.saved_views import Look, View

LIMITS = (50, 100, 200)
MOST_VALUES = 200

Texts = Annotated[list[Text], Query(max_length=MOST_VALUES)]
# The address of a table, which may hold many conditions.
Back = Annotated[str, Form(max_length=60_000)]
FormTexts = Annotated[list[Text], Form(max_length=MOST_VALUES)]


@dataclass(frozen=True, slots=True)
class Asked:
    """A tab with conditions, order, columns, how many rows, from where on, and the saved view it began as."""

    tab: Tab
    where: tuple[str, ...] = ()
    sort: str = ""
    columns: tuple[str, ...] = ()
    limit: int = LIMITS[0]
    cursor: str | None = None
    view: int | None = None

    @property
    def look(self) -> Look:
        """Give what a saved view keeps of it."""
        return Look(self.where, self.sort, self.columns)

    def pairs(self, *, without: Iterable[str] = ()) -> list[tuple[str, Any]]:
        """Give what an address, or the hidden fields of a form, hold."""
        found: list[tuple[str, Any]] = [("where", each) for each in self.where]
        found += [("sort", self.sort or None), ("columns", ",".join(self.columns) or None)]
        found += [("limit", self.limit if self.limit != LIMITS[0] else None), ("cursor", self.cursor)]
        found += [("view", self.view)]
        return [(name, value) for name, value in found if value is not None and name not in without]

    def address(self, below: str = "", *also: tuple[str, Any]) -> str:
        """Write the address of the table, or of something below it about the same rows."""
        asked = query([*self.pairs(), *also])
        return f"{self.tab.path}{below}{'?' if asked else ''}{asked}"

    def change(self, **changes: Any) -> Asked:
        """Ask for something else, from the first page on."""
        return replace(self, **{"cursor": None, **changes})

    def other(self, **changes: Any) -> str:
        """Write the address of the table when something else is asked for."""
        return self.change(**changes).address()


def of_view(tab: Tab, view: View, limit: int = LIMITS[0]) -> Asked:
    """Ask for what a saved view shows."""
    look = view.look
    return Asked(tab, tuple(look.where), look.sort, tuple(look.columns), limit, view=view.id)


def said(values: Iterable[str]) -> tuple[str, ...]:
    """Leave out what a form sends of fields that nobody has filled in."""
    return tuple(value.strip() for value in values if value.strip())


def names(values: Iterable[str]) -> tuple[str, ...]:
    """Read names of columns: one by one, or several with commas."""
    return tuple(dict.fromkeys(said(each for value in values for each in value.split(","))))


def _read(
    entity: str,
    where: Texts = [],  # noqa: B006 - never changed
    sort: Text = "",
    columns: Texts = [],  # noqa: B006
    limit: Annotated[int, Query(ge=1, le=LIMITS[-1])] = LIMITS[0],
    cursor: Cursor = None,
    view: Id | None = None,
) -> Asked:
    return Asked(tab_named(entity), said(where), sort.strip(), names(columns), limit, cursor or None, view)


def after_decision(tab: Tab, back: str, operation_id: int | None) -> str:
    """Write the address of the table that somebody decided on, with the decision that it is to tell of."""
    path = local_path(back)
    path = path if path.startswith(tab.path) else tab.path
    return f"{path}{'&' if '?' in path else '?'}{query({'operation': operation_id})}"


FromAddress = Annotated[Asked, Depends(_read)]
