"""Users of a tenant: look at them, add them, change them, give them a way in."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from accounts import emails, passwords, users
from accounts.links import Link as MadeLink
from api.arrival import keep_nowhere
from api.caller import Administrator
from api.contract import Body, Page, Text
from api.listing import Listing, page_of
from api.problems import answers
from errors import BadInput

router = APIRouter(prefix="/users", tags=["users"], dependencies=[keep_nowhere])

Role = Literal["viewer", "curator", "admin"]
Name = Annotated[Text, Field(max_length=users.LONGEST_NAME, examples=["Anna Muster"])]

LEFT_OUT: Any = None


def _without_default(schema: dict[str, Any]) -> None:
    """What is left out of a change stays as it is: there is no default, and null is not accepted."""
    del schema["default"]


class User(BaseModel):
    """A person of the tenant."""

    id: UUID
    email: str = Field(examples=["anna@example.org"])
    name: str | None
    role: Role
    is_active: bool = Field(description="whether they may come in")
    has_password: bool = Field(description="false until a link or a password was used")
    last_login_at: datetime | None
    created_at: datetime
    updated_at: datetime


class Link(BaseModel):
    """A way in that works once; it is shown here and never again."""

    token: str = Field(description="for /auth/link")
    path: str = Field(description="the page that takes it, on this server")
    expires_at: datetime


class NewUser(Body):
    """A user to add."""

    email: str = Field(max_length=emails.LONGEST, examples=["anna@example.org"])
    role: Role = "viewer"
    name: Name | None = None
    password: str | None = Field(
        default=None,
        min_length=passwords.SHORTEST,
        max_length=passwords.LONGEST,
        description="better none: then the user gets a link and chooses one",
        json_schema_extra={"format": "password"},
    )


class UserChange(Body):
    """What to change of a user; what is left out stays."""

    name: Name | None = None
    role: Role = Field(default=LEFT_OUT, examples=["curator"], json_schema_extra=_without_default)
    is_active: bool = Field(default=LEFT_OUT, examples=[False], json_schema_extra=_without_default)


class AddedUser(BaseModel):
    """A user who was added, and their way in when no password was given."""

    user: User
    link: Link | None


@router.get("", summary="List users")
def list_users(caller: Administrator, query: Annotated[Listing, Query()]) -> Page[User]:
    """Give the tenant's users by address."""
    found = users.list_users(caller.tenant_id, after=query.cursor, limit=query.limit, total=query.with_total)
    return page_of(User, found)


@router.post("", status_code=201, summary="Add a user", responses=answers(409))
def add_user(given: NewUser, caller: Administrator) -> AddedUser:
    """Add a user to the tenant; without a password the answer holds a one-time link to set one."""
    wish = users.Wish(given.email, given.role, given.name, given.password)
    row, link = users.add(caller.tenant_id, wish, caller=caller)
    return AddedUser(user=User(**row), link=_link(link) if link else None)


@router.get("/{user_id}", summary="Show a user")
def get_user(user_id: UUID, caller: Administrator) -> User:
    """Give one user of the tenant."""
    return User(**users.get(caller.tenant_id, user_id))


@router.patch("/{user_id}", summary="Change a user", responses=answers(409))
def change_user(user_id: UUID, given: UserChange, caller: Administrator) -> User:
    """Change name, role or whether they may come in; it counts at once, also for those who are logged in."""
    wanted: dict[str, Any] = given.model_dump(include=given.model_fields_set)
    if not wanted:
        raise BadInput("Nothing was said to change: give name, role or is_active.")
    return User(**users.change(caller.tenant_id, user_id, wanted, caller=caller))


@router.post("/{user_id}/link", status_code=201, summary="Make a login link", responses=answers(409))
def make_user_link(user_id: UUID, caller: Administrator) -> Link:
    """Make a one-time link with which the user sets a new password; links made before work no more."""
    return _link(users.make_link(caller.tenant_id, user_id, caller=caller))


def _link(made: MadeLink) -> Link:
    return Link(token=made.token, path=made.path, expires_at=made.expires_at)
