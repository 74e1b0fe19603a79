"""Words of Curate: what a decision did, or would do, in one sentence."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.curate_tabs import Tab
from dashboard.words import counted
from entities.curate import Decided
from entities.curate_history import Operation
from entities.curate_undo import Undone

# The decisions that people make, in the order of their buttons: what the button says, its key, and what was done.
DECISIONS = (
    ("Selected", "Select", "s", "selected"),
    ("Maybe", "Maybe", "m", "set to Maybe"),
    ("Not a Fit", "Not a fit", "x", "marked as not a fit"),
    ("Archived", "Archive", "a", "archived"),
    ("New", "Back to New", "n", "set back to New"),
)
DONE = {status: done for status, _, _, done in DECISIONS}


@dataclass(frozen=True, slots=True)
class Said:
    """What was done, with the operation that can be undone; none when it has been."""

    says: str
    operation_id: int | None = None


def rows(tab: Tab, many: int) -> str:
    """Write a number of rows with their noun."""
    return counted(many, tab.entity.noun, tab.entity.plural)


def of_decision(tab: Tab, status: str, updated: int, queued: int) -> str:
    """Say what a decision did."""
    also = f", {queued:,} queued" if status == "Selected" else ""
    return f"{rows(tab, updated)} {DONE.get(status, status)}{also}."


def of_operation(tab: Tab, operation: Operation) -> Said:
    """Say what a decision did, as long as it stands."""
    did = of_decision(tab, operation.status, operation.updated_count, operation.queued_count)
    return Said(did, operation.id) if operation.undone_at is None else Said(f"Undone: {did}")


def of_undo(tab: Tab, undone: Undone) -> str:
    """Say what taking a decision back did."""
    parts = [f"{rows(tab, undone.restored_count)} as before"]
    if undone.cancelled_count:
        parts.append(f"{counted(undone.cancelled_count, 'piece', 'pieces')} of work cancelled")
    if undone.skipped_count:
        parts.append(f"{undone.skipped_count:,} left alone, because they were decided on since or are gone")
    return f"Undone: {', '.join(parts)}."


def of_count(tab: Tab, status: str, counts: Decided) -> str:
    """Say what a decision would do."""
    if not counts.updated_count:
        return f"No {tab.entity.noun} matches."
    match = "matches" if counts.updated_count == 1 else "match"
    would = f"; {counts.queued_count:,} would be queued" if status == "Selected" else "; nothing would be queued"
    return f"{rows(tab, counts.updated_count)} {match}{would}."
