"""The routes that every entity has: list, look at one, its journey, decide and correct; one contract for all."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from pydantic import Field

from api.caller import Reader
from api.contract import Body, Cursor, Id, Limit, Page, Text
from api.entity_models import details_model, fields_text, row_model
from entities import listing
from entities.conditions import MOST_CONDITIONS
from entities.entity import Entity
from entities.listing import Wanted
from leads.journey import Journey, journey_of
from leads.journey_find import Subject

Status = Literal["New", "Selected", "Maybe", "Not a Fit", "Archived"]
RowId = Annotated[Id, Path(description="the row's number")]
Where = Annotated[
    list[Text],
    Query(
        max_length=MOST_CONDITIONS,
        description="a condition such as `kind=contact`; give it again for more, which must all hold",
    ),
]
Sort = Annotated[
    Text,
    Query(description="up to three columns with commas, `-` before one to turn it round; then by id", examples=["-id"]),
]
Total = Annotated[
    Literal["exact", "none"], Query(description="`none` leaves the count out, which is faster in long lists")
]

ABOUT_LISTS = """Give one page of your {plural}.

`where` conditions are a column, a comparison and a value: `{example}`. With nothing after `=` it asks for what is
empty, with nothing after `!=` for what is filled. `sort` takes any column of a row; what has no value comes last.
Hand `next_cursor` back as `cursor`, with the same `where` and `sort`, for the next page. Fields:

{fields}"""
EXAMPLES = {
    "searches": "provider=google",
    "places": "rating>=4",
    "local_businesses": "city=Austin",
    "domains": "technologies=WordPress",
    "sitemap_files": "url_count>=100",
    "pages": "page_processing_status=Error",
    "contacts": "verdict=valid,risky",
}
# Under what a journey is told of each.
SUBJECTS = {
    "places": "place",
    "local_businesses": "business",
    "domains": "domain",
    "sitemap_files": "sitemap_file",
    "pages": "page",
    "contacts": "contact",
}


class Decision(Body):
    """What a person may change of an entity whose facts are all found by the program."""

    curation_status: Status | None = Field(
        default=None, description="your decision; only Selected queues work", examples=["Selected"]
    )


def add_list(router: APIRouter, entity: Entity) -> None:
    """Add the route that lists an entity."""

    def list_entity(
        caller: Reader,
        where: Where = [],  # noqa: B006 - the framework copies it
        sort: Sort = "-id",
        limit: Limit = 50,
        cursor: Cursor = None,
        total: Total = "exact",
    ) -> dict[str, Any]:
        wanted = Wanted(where, sort, limit, cursor, has_total=total == "exact")
        found = listing.list_rows(entity, caller.tenant_id, wanted)
        return {"items": found.rows, "total": found.total, "next_cursor": found.next_cursor}

    about = ABOUT_LISTS.format(plural=entity.plural, example=EXAMPLES[entity.name], fields=fields_text(entity))
    router.add_api_route(
        f"/{entity.name}",
        list_entity,
        name=f"list_{entity.name}",
        summary=f"List {entity.plural}",
        description=about,
        response_model=Page[row_model(entity)],  # type: ignore[misc]
    )


def add_get(router: APIRouter, entity: Entity) -> None:
    """Add the route that shows one row."""

    def get_entity(row_id: RowId, caller: Reader) -> dict[str, Any]:
        return listing.one(entity, caller.tenant_id, row_id)

    router.add_api_route(
        f"/{entity.name}/{{row_id}}",
        get_entity,
        name=f"get_{entity.noun.replace(' ', '_')}",
        summary=f"Look at a {entity.noun}",
        description=f"Show all that is known of one {entity.noun}, and how its stages stand.",
        response_model=details_model(entity),
    )


def add_journey(router: APIRouter, entity: Entity) -> None:
    """Add the route that tells a row's journey."""

    def get_journey(row_id: RowId, caller: Reader) -> Journey:
        return journey_of(caller.tenant_id, Subject(SUBJECTS[entity.name], row_id))

    router.add_api_route(
        f"/{entity.name}/{{row_id}}/journey",
        get_journey,
        name=f"get_journey_of_{entity.noun.replace(' ', '_')}",
        summary=f"The journey of a {entity.noun}",
        description=f"Tell the way of one {entity.noun} from what began it to what was found, hop by hop, with every"
        " failure on the way and one sentence that says how it stands.",
        response_model=Journey,
    )


def add_reading(router: APIRouter, entity: Entity) -> None:
    """Add all routes that only look."""
    add_list(router, entity)
    add_get(router, entity)
    add_journey(router, entity)
