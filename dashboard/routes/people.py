"""People: the users of a tenant, and the keys with which their programs call."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, cast
from uuid import UUID

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import Field

from accounts import emails, keys, users
from accounts.caller import SCOPES, Caller, Scope
from accounts.links import Link
from api.contract import Cursor, Id
from dashboard.page import go, show
from dashboard.people_words import LIVES, ROLES, whole_address
from dashboard.problems import status_of
from dashboard.typed import Word
from dashboard.visitor import Administrator, Known
from errors import BadInput, Conflict, NotAllowed, UserError
from settings import settings

router = APIRouter()

ROWS = 50
MOST_KEYS_OF_USER = 100
Scopes = Annotated[list[Annotated[str, Field(max_length=100)]], Form(max_length=20)]


@router.get("/people")
def users_page(request: Request, visitor: Known, cursor: Cursor = None) -> Response:
    """List the users for who may change them; everybody else has their keys here."""
    if "administer" not in visitor.scopes:
        return go(request, "/people/keys")
    return _users(request, visitor, cursor)


@router.post("/people/users")
def add_user(
    request: Request, visitor: Administrator, email: Word = "", name: Word = "", role: Word = "viewer"
) -> Response:
    """Add a user, and show the link with which they set a password, this once."""
    try:
        row, link = users.add(visitor.tenant_id, users.Wish(email, role, name), caller=visitor)
    except (BadInput, Conflict) as refused:
        return _users(request, visitor, None, refused, email=email, name=name, role=role)
    return _link(request, visitor, row, link)


@router.get("/people/users/{user_id}")
def user_page(request: Request, visitor: Administrator, user_id: UUID) -> HTMLResponse:
    """Show one user with their keys."""
    return _user(request, visitor, user_id)


@router.post("/people/users/{user_id}")
def change_user(
    request: Request, visitor: Administrator, user_id: UUID, name: Word = "", role: Word = "viewer"
) -> Response:
    """Change a user's name and role."""
    return _change(request, visitor, user_id, {"name": name, "role": role}, "The user is changed.")


@router.post("/people/users/{user_id}/let-go")
def let_go(request: Request, visitor: Administrator, user_id: UUID) -> Response:
    """Let a user in no more; who is logged in is out at once."""
    return _change(request, visitor, user_id, {"is_active": False}, "The user may come in no more.")


@router.post("/people/users/{user_id}/let-in")
def let_in(request: Request, visitor: Administrator, user_id: UUID) -> Response:
    """Let a user in again."""
    return _change(request, visitor, user_id, {"is_active": True}, "The user may come in again.")


@router.post("/people/users/{user_id}/link")
def make_link(request: Request, visitor: Administrator, user_id: UUID) -> Response:
    """Make a link with which a user sets a new password, and show it this once."""
    link = users.make_link(visitor.tenant_id, user_id, caller=visitor)
    return _link(request, visitor, users.get(visitor.tenant_id, user_id), link)


@router.get("/people/keys")
def keys_page(request: Request, visitor: Known, cursor: Cursor = None) -> HTMLResponse:
    """List one's own keys; for an admin, those of the whole tenant."""
    return _keys(request, visitor, cursor, scopes=["read"])


@router.post("/people/keys")
def add_key(
    request: Request,
    visitor: Known,
    name: Word = "",
    scopes: Scopes = [],  # noqa: B006 - the framework copies it
    days: Annotated[int, Form(ge=0, le=3652)] = 0,
) -> Response:
    """Make a key of one's own, and show it this once."""
    expires_at = datetime.now(UTC) + timedelta(days=days) if days else None
    try:
        if not scopes:
            raise BadInput("A key that may do nothing is of no use: choose what it may do.")
        row, secret = keys.add(visitor, keys.Wish(name, cast("list[Scope]", scopes), expires_at), caller=visitor)
    except (BadInput, Conflict, NotAllowed) as refused:
        return _keys(request, visitor, None, refused, name=name, scopes=scopes, days=days)
    return show(
        request,
        visitor,
        "people/once.html",
        title="A key is made",
        intro=f"“{row['name']}” may {', '.join(row['scopes'])}.",
        what="The key",
        secret=secret,
        hint="A program sends it with every call, in the header “Authorization: Bearer …”.",
        back="/people/keys",
    )


@router.post("/people/keys/{key_id}/revoke")
def revoke_key(request: Request, visitor: Known, key_id: Id) -> Response:
    """End a key with all that were made with it: one's own, or as an admin any of the tenant."""
    whose = None if "administer" in visitor.scopes else visitor.user_id
    ended = keys.revoke(visitor.tenant_id, key_id, user_id=whose, caller=visitor)
    said = f"Revoked: {', '.join(ended)}." if ended else "This key was revoked before."
    return go(request, "/people/keys", said=said)


def _users(
    request: Request, visitor: Caller, cursor: str | None, refused: UserError | None = None, **typed: str
) -> HTMLResponse:
    return show(
        request,
        visitor,
        "people/users.html",
        status=200 if refused is None else status_of(refused),
        found=users.list_users(visitor.tenant_id, after=cursor, limit=ROWS, total=False),
        cursor=cursor,
        refused=refused,
        form={"email": "", "name": "", "role": "viewer"} | typed,
        roles=ROLES,
        longest_email=emails.LONGEST,
        longest_name=users.LONGEST_NAME,
        link_hours=settings().login_link_hours,
    )


def _user(request: Request, visitor: Caller, user_id: UUID, refused: UserError | None = None) -> HTMLResponse:
    return show(
        request,
        visitor,
        "people/user.html",
        status=200 if refused is None else status_of(refused),
        user=users.get(visitor.tenant_id, user_id),
        keys=keys.list_keys(visitor.tenant_id, user_id=user_id, limit=MOST_KEYS_OF_USER, total=False).rows,
        refused=refused,
        roles=ROLES,
        longest_name=users.LONGEST_NAME,
        now=datetime.now(UTC),
    )


def _change(request: Request, visitor: Caller, user_id: UUID, wanted: dict[str, Any], said: str) -> Response:
    try:
        users.change(visitor.tenant_id, user_id, wanted, caller=visitor)
    except (BadInput, Conflict) as refused:
        return _user(request, visitor, user_id, refused)
    is_own = user_id == visitor.user_id and wanted.get("role", "admin") != "admin"
    return go(request, "/people" if is_own else f"/people/users/{user_id}", said=said)


def _link(request: Request, visitor: Caller, user: dict[str, Any], link: Link | None) -> HTMLResponse:
    return show(
        request,
        visitor,
        "people/once.html",
        title="A way in",
        intro=f"Hand this link to {user['email']}. It sets their password and works once.",
        what="The link",
        secret=whole_address(request, link.path if link else "/login"),
        hint=f"It can be used until {link.expires_at:%Y-%m-%d %H:%M} UTC." if link else "",
        back=f"/people/users/{user['id']}",
    )


def _keys(
    request: Request, visitor: Caller, cursor: str | None, refused: UserError | None = None, **typed: Any
) -> HTMLResponse:
    is_admin = "administer" in visitor.scopes
    whose = None if is_admin else visitor.user_id
    return show(
        request,
        visitor,
        "people/keys.html",
        status=200 if refused is None else status_of(refused),
        found=keys.list_keys(visitor.tenant_id, user_id=whose, after=cursor, limit=ROWS, total=False),
        cursor=cursor,
        refused=refused,
        form={"name": "", "scopes": [], "days": 365} | typed,
        scopes=[(scope, meaning) for scope, meaning in SCOPES.items() if scope in visitor.scopes],
        lives=LIVES,
        is_admin=is_admin,
        longest_name=keys.LONGEST_NAME,
        now=datetime.now(UTC),
    )
