"""By hand: an operator runs a sweeper now, where the installation allows it."""

from __future__ import annotations

from accounts import audit
from accounts.caller import Caller
from errors import NotAllowed
from pipeline.database import transaction
from scheduling.sweeper import Repaired, Sweeper, sweeper_by_hand
from settings import settings

CLOSED = "The dev tools are closed where ENVIRONMENT is production: an operator can open them with DEV_TOOLS=true."


def is_open() -> bool:
    """Tell whether the installation lets operators use the dev tools."""
    return settings().environment != "production" or settings().dev_tools


def check_open() -> None:
    """Refuse the dev tools where they are closed."""
    if not is_open():
        raise NotAllowed(CLOSED)


def run(caller: Caller, name: str) -> tuple[Sweeper, Repaired]:
    """Repair now what a sweeper would repair at its next run, and note who asked for it."""
    check_open()
    sweeper = sweeper_by_hand(name)
    repaired = sweeper.run()
    with transaction() as (_, connection):
        audit.note(connection, caller, "run", "sweepers", {"sweeper": sweeper.name, "repaired": dict(repaired)})
    return sweeper, repaired
