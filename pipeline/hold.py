"""Hold: work that a person has paused with all that descends from it. It is due on a day that never comes.

Every scan asks for work that is due, so a held row costs nothing and is claimed by nobody. A row that runs while it is
held finishes; its children are held from the start.
"""

from __future__ import annotations

# Not 'infinity', which the driver cannot turn into a datetime.
HELD_UNTIL = "timestamptz '9999-01-01 00:00:00+00'"


def unless_held(due_at: str, *, row: str = "work") -> str:
    """Spell a new due date in SQL that leaves a held row held."""
    return f"CASE WHEN {row}.due_at = {HELD_UNTIL} THEN {row}.due_at ELSE {due_at} END"
