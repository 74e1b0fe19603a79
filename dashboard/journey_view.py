"""Journey view: a journey's hops in steps of the pipeline, with links to all that is named on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from api.entity_routes import SUBJECTS
from leads.journey_facts import Hop, Journey
from pipeline.stage import all_stages

FIRST_SHOWN = 5
ENDED = ("Completed", "Filtered", "Error", "Cancelled")
OPEN = ("Queued", "Processing")
YEAR_OF_HELD = 9999
KINDS = {**{kind: kind for kind in SUBJECTS.values()}, "work": "work"}
PAGES = {"business": "/businesses/{id}", "contact": "/contacts/{id}"}


@dataclass(frozen=True, slots=True)
class Step:
    """The hops of one stage: those that are shown at once, and those that went the same way."""

    stage: str
    shown: tuple[Hop, ...]
    folded: tuple[Hop, ...]


def steps_of(hops: Sequence[Hop]) -> list[Step]:
    """Sort hops under their stages, in the order of the pipeline; what went wrong or waits is never folded away."""
    found = []
    for stage in dict.fromkeys(hop.stage for hop in hops):
        own = [hop for hop in hops if hop.stage == stage]
        telling = [hop for hop in own if hop.status != "Completed" or hop.troubles]
        shown = {hop.work_id for hop in (*telling, *own)[: max(FIRST_SHOWN, len(telling))]}
        found.append(
            Step(
                stage,
                tuple(hop for hop in own if hop.work_id in shown),
                tuple(hop for hop in own if hop.work_id not in shown),
            )
        )
    return found


def link_of(stage: str, entity_id: int) -> str | None:
    """Give the address of what a stage has worked on; None where it has no page."""
    table = next((each.table for each in all_stages() if each.name == stage), "")
    return link_of_row(table, entity_id)


def link_of_row(table: str, row_id: int) -> str | None:
    """Give the address of a row's journey, or of the search itself."""
    if table == "searches":
        return f"/searches/{row_id}"
    return f"/journey/{SUBJECTS[table]}/{row_id}" if table in SUBJECTS else None


def page_of(kind: str, row_id: int) -> str | None:
    """Give the address of the page where something is looked at and changed."""
    return PAGES[kind].format(id=row_id) if kind in PAGES else None


def is_held(due_at: datetime) -> bool:
    """Tell whether a person has paused it."""
    return due_at.year >= YEAR_OF_HELD


def tone_of(journey: Journey) -> str:
    """Say how an answer looks: good news, something to wait for, or something to look into."""
    own = journey.hops[-1:] if journey.subject == "work" else journey.hops
    if any(not contact.gone_at for contact in journey.contacts):
        return "good"
    if any(count.is_open for site in journey.sites for count in site.counts) or any(h.status in OPEN for h in own):
        return "busy"
    if any(hop.status == "Error" for hop in own) or journey.subject in ("domain", "business"):
        return "bad"
    return "plain"
