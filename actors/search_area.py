"""SearchArea → Place: ask for one page of one rectangle, and go on with its next page or its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

import reasons
from errors import Filtered, Passing
from fetching.places import PlacePage, Provider, provider_named
from models import SearchArea
from pipeline import provider_call, search_finds
from pipeline.declare import stage
from pipeline.erased import clear_facts
from pipeline.provider_call import Call
from pipeline.search_finds import Finds, Question
from pipeline.stage import Child, Done, Snapshot, Turn
from services.place import Area, FoundPlace
from services.place_record import Told, place_row
from services.tiling import Finished, NextPage, Split, clip, next_step
from settings import settings


@dataclass(frozen=True, slots=True)
class Answer:
    """A page, and what is wanted of it."""

    page: PlacePage
    wanted: Sequence[FoundPlace]
    told_at: datetime


@stage(
    entity=SearchArea,
    successors=("deep_scan", "search_area"),
    save=search_finds.keep,
    attempts=8,
    time_limit=timedelta(minutes=3),
    sweep_defaults={"interval_minutes": 1, "batch_size": 20, "max_instances": 1},
)
def search_area(area: Snapshot, turn: Turn) -> Done:
    """Hand on the places of a page, and whatever is to be asked next."""
    question = search_finds.question_of(area.search_id)
    if question.is_answered:
        raise Filtered(reasons.ENOUGH_PLACES, f"the search wanted {question.max_places}")
    provider = provider_named(question.provider)
    answer = _ask(area, turn, provider, question)
    return _done(area, turn, provider, question, answer)


def _ask(area: Snapshot, turn: Turn, provider: Provider, question: Question) -> Answer:
    call = Call(provider.name, area.search_id, provider.price("places"))
    told_at = datetime.now(UTC)
    ask = partial(_ask_page, area, turn, provider, question, call)
    try:
        page = ask(area.page_token)
    except Passing as trouble:
        if trouble.reason != reasons.STALE_PAGE:
            raise
        page = ask(_fresh_token(area, ask))
    found = clip(page.places, question.box, question.circle)
    return Answer(page, search_finds.up_to_the_limit(area.search_id, question, found), told_at)


def _ask_page(
    area: Snapshot, turn: Turn, provider: Provider, question: Question, call: Call, token: str | None
) -> PlacePage:
    rectangle = _rectangle(area)
    return provider_call.ask(turn, call, lambda: provider.find_places(question.what, rectangle, token))


def _fresh_token(area: Snapshot, ask: partial[PlacePage]) -> str | None:
    """Walk through the rectangle from its first page, as far as this one: tokens are good for minutes only."""
    token = None
    for _ in range(area.page):
        token = ask(token).next_page
    return token


def _done(area: Snapshot, turn: Turn, provider: Provider, question: Question, answer: Answer) -> Done:
    told = Told(provider.name, answer.told_at, settings().google_facts_days)
    # By then what a scan stored has been blanked, so a place that is found again is scanned again.
    again = timedelta(days=settings().google_facts_days)
    rows = clear_facts(turn.tenant_id, "places", [place_row(found, told) for found in answer.wanted])
    places = [Child(row=row, stage="deep_scan", again_after=again) for row in rows]
    step = _next_step(area, provider, question, answer.page)
    rest = _areas_after(area, answer.page, step)
    areas = [Child(row=row, stage="search_area", again_after=question.stale_after) for row in rest]
    finds = Finds(
        provider=provider.name,
        provider_place_ids=[found.provider_place_id for found in answer.wanted],
        found=len(answer.page.places),
        is_full=None if isinstance(step, NextPage) else not (isinstance(step, Finished) and step.is_covered),
        is_cut=isinstance(step, Split),
    )
    return Done([*places, *areas], reason=None if places or areas else reasons.NO_PLACES, value=finds)


def _next_step(area: Snapshot, provider: Provider, question: Question, page: PlacePage) -> Finished | NextPage | Split:
    rectangle = _rectangle(area)
    here = [(at.latitude, at.longitude) for at in page.places if at.latitude is not None and at.longitude is not None]
    return next_step(
        rectangle,
        depth=area.depth,
        page_number=area.page + 1,
        found=area.found_before + len(page.places),
        has_next=page.next_page is not None,
        spots=[*search_finds.spots_in(area.search_id, rectangle), *here],
        page_size=provider.page_size,
        most_results=provider.most_results,
        circle=question.circle,
    )


def _areas_after(area: Snapshot, page: PlacePage, step: Finished | NextPage | Split) -> list[dict[str, object]]:
    if isinstance(step, NextPage):
        before = area.found_before + len(page.places)
        return [_row(area, _rectangle(area), area.depth, area.page + 1, page.next_page, before)]
    if isinstance(step, Split):
        return [_row(area, part, area.depth + 1, 0, None, 0) for part in step.areas]
    return []


def _row(
    area: Snapshot, rectangle: Area, depth: int, page: int, token: str | None, found_before: int
) -> dict[str, object]:
    edges = {name: getattr(rectangle, name) for name in ("south", "west", "north", "east")}
    own = {"search_id": area.search_id, "depth": depth, "page": page, "page_token": token}
    return edges | own | {"found_before": found_before}


def _rectangle(area: Snapshot) -> Area:
    return Area(area.south, area.west, area.north, area.east)
