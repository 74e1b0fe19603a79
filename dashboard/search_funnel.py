"""Search funnel: what became of each kind that a search has found, with the way to see those that a number counts."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from dashboard.words import query
from entities import funnel
from entities.catalog import CONTACTS, ENTITIES, PAGES
from entities.entity import Entity
from entities.funnel import Reason, Step
from models.base import CURATION_STATUSES

# What is written under the kinds' names, and how the parts of a bar look.
PARTS = (
    ("led_on", "led on", "good"),
    ("open", "in work", "busy"),
    ("waiting", "waiting", "wait"),
    ("dropped", "dropped", "mute"),
)
LED_ON = {
    "searches": "found places",
    "places": "became businesses",
    "local_businesses": "have a website",
    "domains": "have a sitemap",
    "sitemap_files": "listed pages",
    "pages": "showed contacts",
    "contacts": "can be used",
}
LOST_CONTACTS = {"gone": ["gone_at!="], "invalid": ["verdict=invalid", "gone_at="]}
UNDECIDED = "curation_status=New,Selected,Maybe"
# Ranking chooses among pages that were found already, so no entity ends there.
NO_END = "page_ranking"


@dataclass(frozen=True, slots=True)
class Drop:
    """Why some of a kind did not lead on, and where they are listed."""

    reason: Reason
    link: str | None


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind: its numbers, what leading on means for it, where all of it is listed, and why some dropped off."""

    step: Step
    led_on: str
    link: str | None
    drops: list[Drop]


def kinds(tenant_id: UUID, search_id: int) -> list[Kind]:
    """Tell the funnel of a search."""
    return [_kind(step, search_id) for step in funnel.of_search(tenant_id, search_id)]


def list_of(entity: str, search_id: int, *conditions: str) -> str:
    """Give the address of the list of what a search has found and what else holds of it."""
    return f"/curate/{entity}?{query([('where', each) for each in (f'search={search_id}', *conditions)])}"


def _kind(step: Step, search_id: int) -> Kind:
    entity = ENTITIES[step.entity]
    link = list_of(entity.name, search_id) if entity.is_curated else None
    return Kind(step, LED_ON[entity.name], link, [Drop(each, _link(entity, each, search_id)) for each in step.reasons])


def _link(entity: Entity, reason: Reason, search_id: int) -> str | None:
    conditions = _conditions(entity, reason) if entity.is_curated else None
    return None if conditions is None else list_of(entity.name, search_id, *conditions)


def _conditions(entity: Entity, reason: Reason) -> list[str] | None:
    """Say what holds of those that a reason counts; None where no list can be asked for them alone."""
    if reason.stage is None:
        return [f"{shown}_status=" for shown in _after(entity, None)] + _unqueued(entity, reason.reason)
    lost = entity is CONTACTS and reason.reason in LOST_CONTACTS
    if reason.status == "Completed" and reason.reason is None:
        return None  # so ended what led on, too
    shown = entity.stages[reason.stage]
    own = [f"{shown}_status={reason.status}", f"{shown}_reason={'' if lost else reason.reason or ''}"]
    later = [f"{each}_status=" for each in _after(entity, reason.stage)]
    return own + later + (LOST_CONTACTS[str(reason.reason)] if lost else [])


def _unqueued(entity: Entity, reason: str | None) -> list[str]:
    """Say what holds of those that have no work for a reason, or wait for a person."""
    if reason in CURATION_STATUSES:
        return [f"curation_status={reason}"]
    if entity is CONTACTS and reason in LOST_CONTACTS:
        return [UNDECIDED, *LOST_CONTACTS[reason]]
    return [UNDECIDED, f"decision_reason={reason or 'chosen'}"] if entity is PAGES else [UNDECIDED]


def _after(entity: Entity, stage: str | None) -> list[str]:
    """Give the stages that follow one, or all, under the names that lists know."""
    names = [name for name in entity.stages if name != NO_END]
    return [entity.stages[name] for name in (names if stage is None else names[names.index(stage) + 1 :])]
