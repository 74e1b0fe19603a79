"""The menu: every page that a person may see, in the order in which the day needs them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from accounts.caller import Caller


def _anybody(_: Caller) -> bool:
    return True


def _admin(caller: Caller) -> bool:
    return "administer" in caller.scopes


def _operator(caller: Caller) -> bool:
    return caller.is_operator


@dataclass(frozen=True, slots=True)
class Entry:
    """A page in the menu, and who sees it there; the page itself asks again."""

    name: str
    path: str
    is_for: Callable[[Caller], bool] = _anybody
    also: tuple[str, ...] = ()

    def covers(self, here: str) -> bool:
        """Tell whether somebody is on this page or on one below it, which may have another address."""
        tops = self.also if self.path == "/" else (self.path, *self.also)
        return here == self.path or any(here == top or here.startswith(f"{top}/") for top in tops)


GROUPS: tuple[tuple[str, tuple[Entry, ...]], ...] = (
    (
        "Leads",
        (
            Entry("Flow", "/", also=("/stages",)),
            Entry("Searches", "/searches"),
            Entry("Curate", "/curate", also=("/businesses", "/contacts")),
            Entry("Journey", "/journey"),
            Entry("Batches", "/batches"),
            Entry("Schedules", "/schedules"),
        ),
    ),
    (
        "Machine",
        (
            Entry("Failures", "/failures"),
            Entry("System", "/system", _operator),
            Entry("Settings", "/settings", _operator),
        ),
    ),
    (
        "People",
        (
            Entry("Users and keys", "/people", also=("/suppressions",)),
            Entry("Audit", "/audit", _admin),
            Entry("Account", "/account"),
        ),
    ),
)


def menu_for(caller: Caller, here: str) -> list[tuple[str, list[tuple[Entry, bool]]]]:
    """Give the groups of the menu that a caller sees, each entry with whether it is the present page."""
    return [
        (title, [(entry, entry.covers(here)) for entry in entries if entry.is_for(caller)]) for title, entries in GROUPS
    ]
