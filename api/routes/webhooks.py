"""Webhooks: addresses that are told, what they were told, and how that went."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from api.caller import Administrator
from api.contract import Body, Cursor, Id, Limit, Page, Text
from api.listing import page_of
from api.problems import answers
from notices import deliveries, webhooks

router = APIRouter(tags=["webhooks"])

Event = Literal["search.completed", "contact.found", "stage.failing"]
Url = Annotated[Text, Field(min_length=1, examples=["https://hooks.your-company.com/leads"])]
Events = Annotated[list[Event], Field(min_length=1, max_length=10, examples=[["search.completed", "contact.found"]])]
Description = Annotated[Text | None, Field(max_length=200, examples=["leads into the CRM"])]
ACTIVE = "nothing is told while it is false"


class WebhookState(BaseModel):
    """An address that is told."""

    id: int = Field(examples=[3])
    url: str = Field(examples=["https://hooks.your-company.com/leads"])
    events: list[str] = Field(description="what it is told of", examples=[["search.completed", "contact.found"]])
    description: str | None = Field(examples=["leads into the CRM"])
    is_active: bool = Field(description=f"{ACTIVE}; a receiver that answers 410 sets it so")
    created_at: datetime
    updated_at: datetime


class WebhookWithSecret(WebhookState):
    """An address that is told, with the secret that signs its messages; it is not shown again."""

    secret: str = Field(description="whsec_ and 32 bytes in base64", examples=["whsec_…"])


class WebhookDraft(Body):
    """A webhook to add."""

    url: Url
    events: Events
    description: Description = None


class WebhookChange(Body):
    """What to change; what is left out stays as it is."""

    url: Url | None = None
    events: Events | None = None
    description: Description = None
    is_active: bool | None = Field(default=None, description=ACTIVE)


class DeliveryState(BaseModel):
    """One message to a webhook, and how it fares."""

    id: int = Field(examples=[91])
    webhook_id: int = Field(examples=[3])
    event: str = Field(examples=["contact.found"])
    message_id: str = Field(
        description="the `webhook-id` that it bears", examples=["msg_2f1c0a3b5d7e49f08a6b1c2d3e4f5061"]
    )
    status: str = Field(description="Completed: it has arrived", examples=["Completed"])
    attempts: int = Field(description="how often it was sent since it was last queued", examples=[1])
    status_code: int | None = Field(description="what the receiver answered last", examples=[200])
    reason: str | None = Field(description="why it has not arrived", examples=["server-error"])
    error: str | None = Field(examples=["HTTP 500"])
    next_try_at: datetime | None = Field(description="when it is sent next, while it waits")
    created_at: datetime
    delivered_at: datetime | None


@router.get("/webhooks", summary="List webhooks")
def list_webhooks(caller: Administrator) -> list[WebhookState]:
    """Give the tenant's webhooks, 50 at most; without their secrets."""
    return [WebhookState(**row) for row in webhooks.listed(caller)]


@router.post("/webhooks", summary="Add a webhook", status_code=201, responses=answers(409))
def add_webhook(caller: Administrator, draft: WebhookDraft) -> WebhookWithSecret:
    """Tell an address of what happens from now on. Messages are signed as Standard Webhooks says; keep the secret: it
    is shown this once."""
    return WebhookWithSecret(**webhooks.add(caller, draft.url, draft.events, draft.description))


@router.get("/webhooks/{webhook_id}", summary="Look at a webhook")
def get_webhook(caller: Administrator, webhook_id: Id) -> WebhookState:
    """Give one webhook, without its secret."""
    return WebhookState(**webhooks.one(caller, webhook_id))


@router.patch("/webhooks/{webhook_id}", summary="Change a webhook", responses=answers(409))
def change_webhook(caller: Administrator, webhook_id: Id, change: WebhookChange) -> WebhookState:
    """Change what is given. One that is switched on again, or told of more, is told of what happens from then on."""
    return WebhookState(**webhooks.change(caller, webhook_id, _given(change)))


@router.delete("/webhooks/{webhook_id}", summary="Remove a webhook", status_code=204)
def remove_webhook(caller: Administrator, webhook_id: Id) -> None:
    """Remove a webhook with the record of what it was told; what it has yet to be told is cancelled."""
    webhooks.remove(caller, webhook_id)


@router.post("/webhooks/{webhook_id}/rotate-secret", summary="Change a webhook's secret")
def rotate_webhook_secret(caller: Administrator, webhook_id: Id) -> WebhookWithSecret:
    """Give a webhook a new secret, which is shown this once. For a day messages bear signatures of both."""
    return WebhookWithSecret(**webhooks.rotate(caller, webhook_id))


@router.post("/webhooks/{webhook_id}/test", summary="Test a webhook", status_code=202, responses=answers(409))
def test_webhook(caller: Administrator, webhook_id: Id) -> DeliveryState:
    """Queue a message `webhook.test`; its delivery tells how it went."""
    return DeliveryState(**deliveries.send_test(caller, webhook_id))


@router.get("/webhooks/{webhook_id}/deliveries", summary="List what a webhook was told")
def list_webhook_deliveries(
    caller: Administrator, webhook_id: Id, limit: Limit = 50, cursor: Cursor = None
) -> Page[DeliveryState]:
    """Give messages of the last 30 days and those under way, the newest first."""
    return page_of(DeliveryState, deliveries.listed(caller, webhook_id, limit=limit, cursor=cursor))


@router.post(
    "/webhook-deliveries/{delivery_id}/redeliver", summary="Send a message again", status_code=202,
    responses=answers(409),
)  # fmt: skip
def redeliver_webhook(caller: Administrator, delivery_id: Id) -> DeliveryState:
    """Queue a message again under the same id, or send one now that waits for its next try."""
    return DeliveryState(**deliveries.redeliver(caller, delivery_id))


def _given(change: WebhookChange) -> dict[str, Any]:
    """Take what was sent; only a description can be emptied."""
    sent = change.model_dump(exclude_unset=True)
    return {name: value for name, value in sent.items() if value is not None or name == "description"}
