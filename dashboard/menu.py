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

    def covers(self, here: str) -> bool:
        """Tell whether somebody is on this page or on one below it."""
        return here == self.path if self.path == "/" else here == self.path or here.startswith(f"{self.path}/")


GROUPS: tuple[tuple[str, tuple[Entry, ...]], ...] = (
    (
        "Leads",
        (
            Entry("Flow", "/"),
            Entry("Searches", "/searches"),
            Entry("Curate", "/curate"),
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
            Entry("Users and keys", "/people"),
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
