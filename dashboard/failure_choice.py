"""Choice: which failed or waiting work a page shows, and what is done to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Form
from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints

from api.contract import Id, Text
from dashboard.words import counted, query
from errors import BadInput
from operations import work
from operations.work import Action
from pipeline.selection import Match

MOST_CHOSEN = 500
NONE_CHOSEN = "No row is chosen, so nothing was changed: tick the rows that you mean."

Verb = Literal["retry", "cancel"]
State = Literal["failed", "waiting"]
STATUSES: Mapping[State, str] = {"failed": "Error", "waiting": "Queued"}
ACTIONS: Mapping[tuple[State, Verb], Action] = {
    ("failed", "retry"): work.RETRY,
    ("failed", "cancel"): work.GIVE_UP,
    ("waiting", "cancel"): work.CANCEL,
}
NOT_OFFERED = "What waits is tried by itself when it is due: it can be cancelled, not retried."

# A form sends its empty fields along.
Asked = Annotated[Text | None, BeforeValidator(lambda text: (text or "").strip() or None)]


class Choice(BaseModel):
    """What somebody looks at: dead letters, or what waits for its next try, narrowed down."""

    model_config = ConfigDict(extra="ignore")

    state: State = "failed"
    stage: Asked = None
    reason: Asked = None
    host: Asked = None
    error: Asked = None

    @property
    def status(self) -> str:
        """The status of the work that is meant."""
        return STATUSES[self.state]

    @property
    def conditions(self) -> dict[str, Any]:
        """What it is narrowed down by, under the names that the list of dead letters knows."""
        return {"stage": self.stage, "reason": self.reason, "host": self.host, "error": self.error}

    @property
    def path(self) -> str:
        """The address of the page that shows it."""
        return self.path_with()

    def path_with(self, **other: Any) -> str:
        """Give the address of the page with something changed."""
        kept = {"state": None if self.state == "failed" else self.state, **self.conditions, **other}
        asked = query(kept)
        return f"/failures/rows?{asked}" if asked else "/failures/rows"

    def ask_path(self, verb: Verb) -> str:
        """Give the address that counts all of it before something is done to it."""
        return f"/failures/ask?{query({'verb': verb, 'state': self.state, **self.conditions})}"

    def match(self, tenant_id: UUID, ids: list[int] | None = None) -> Match:
        """Say in the machine's words which work is meant: all of it, or the rows that were ticked."""
        return Match(
            ids=ids,
            stage=self.stage,
            status=self.status,
            reason=self.reason,
            error=self.error,
            lane=self.host,
            tenant_id=tenant_id,
        )

    def action(self, verb: Verb) -> Action:
        """Find what a button does to such work."""
        if (self.state, verb) not in ACTIONS:
            raise BadInput(NOT_OFFERED)
        return ACTIONS[self.state, verb]


class Question(Choice):
    """What would be done to all that matches."""

    verb: Verb


class Listing(Choice):
    """Which page of the rows."""

    cursor: Annotated[str, StringConstraints(max_length=6000)] | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """What a form orders: to do this to the rows that were ticked, or to all that match."""

    choice: Choice
    verb: Verb
    ids: list[int] | None


def read_order(
    verb: Annotated[Verb, Form()],
    state: Annotated[State, Form()] = "failed",
    stage: Annotated[Text, Form()] = "",
    reason: Annotated[Text, Form()] = "",
    host: Annotated[Text, Form()] = "",
    error: Annotated[Text, Form()] = "",
    all: Annotated[bool, Form()] = False,  # noqa: A002 - the name that the API has
    id: Annotated[list[Id], Form(max_length=MOST_CHOSEN)] = [],  # noqa: A002, B006 - never changed
) -> Order:
    """Read the form of a page with rows, or of the question about all of them."""
    if not all and not id:
        raise BadInput(NONE_CHOSEN)
    choice = Choice(state=state, stage=stage, reason=reason, host=host, error=error)
    return Order(choice, verb, None if all else id)


def said(action: Action, many: int) -> str:
    """Say what was done."""
    if many == 0:
        return f"Nothing was {action.done}: meanwhile none of it {action.takes}."
    what = counted(many, "piece of work was", "pieces of work were")
    return f"{what} {action.done}{'; workers begin with it now.' if action is work.RETRY else '.'}"
