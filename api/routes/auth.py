"""Log in and out, and say who one is."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, Field

from accounts import links, login, passwords, sessions, users
from accounts.caller import SCOPES, Scope
from accounts.emails import LONGEST
from api.arrival import Address, keep_nowhere
from api.caller import Known
from api.contract import Body
from api.problems import answers

router = APIRouter(prefix="/auth", tags=["auth"], dependencies=[keep_nowhere])

PASSWORD = Field(max_length=passwords.LONGEST, json_schema_extra={"format": "password"})
Password = Annotated[str, PASSWORD]
NewPassword = Annotated[
    str, PASSWORD, Field(min_length=passwords.SHORTEST, description=f"{passwords.SHORTEST} or more characters")
]
Token = Annotated[str, Field(max_length=200)]


class Credentials(Body):
    """Who wants to log in."""

    email: str = Field(max_length=LONGEST, examples=["anna@example.org"])
    password: Password


class Refresh(Body):
    """A log-in that goes on."""

    refresh_token: Token = Field(description="the one that came last; each works once", examples=["ssr_…"])


class LinkUse(Body):
    """A one-time link and the password that its user wants from now on."""

    token: Token = Field(description="what stands behind the # of the link", examples=["ssl_…"])
    password: NewPassword


class PasswordChange(Body):
    """The present password and the one to come."""

    old_password: Password = Field(examples=["the present password"])
    new_password: NewPassword = Field(examples=["four random words of yours"])


class Tokens(BaseModel):
    """Proof of a log-in, to be kept by the caller alone."""

    access_token: str = Field(description="send it as `Authorization: Bearer …`")
    token_type: Literal["bearer"] = "bearer"  # noqa: S105 - the kind of token, for RFC 6750
    expires_in: int = Field(description="seconds until the access token ends", examples=[900])
    refresh_token: str = Field(description="for new tokens at /auth/refresh, once")


class Me(BaseModel):
    """Who calls, and what they may do."""

    user_id: UUID
    tenant_id: UUID
    email: str = Field(examples=["anna@example.org"])
    name: str | None
    role: Literal["viewer", "curator", "admin"]
    scopes: list[Scope] = Field(description="what this token or key allows today")
    is_operator: bool = Field(description="whether the caller answers for the whole installation")
    api_key_id: int | None = Field(description="the key that was shown; null after a log-in")


@router.post("/login", summary="Log in", responses=answers(429))
def log_in(given: Credentials, address: Address) -> Tokens:
    """Change an address and a password for tokens; too many wrong ones are refused for some minutes."""
    return _shown(login.log_in(given.email, given.password, address))


@router.post("/refresh", summary="Go on with a log-in", responses=answers(429))
def refresh_log_in(given: Refresh, address: Address) -> Tokens:
    """Change a refresh token for new tokens; one that was used before ends the whole log-in."""
    return _shown(sessions.refresh(given.refresh_token, address))


@router.post("/link", summary="Come in by a one-time link", responses=answers(429))
def use_link(given: LinkUse, address: Address) -> Tokens:
    """Set a password with a one-time link and log in; the user's other log-ins end."""
    return _shown(links.use(given.token, given.password, address))


@router.post("/logout", status_code=204, summary="Log out", responses=answers(409))
def log_out(caller: Known) -> None:
    """End the log-in whose token is shown, at once."""
    sessions.end(caller)


@router.post("/password", status_code=204, summary="Change your password", responses=answers(409, 429))
def change_password(given: PasswordChange, caller: Known, address: Address) -> None:
    """Set another password; your other log-ins end."""
    login.change_password(caller, given.old_password, given.new_password, address)


@router.get("/me", summary="Who you are")
def who_am_i(caller: Known) -> Me:
    """Say who calls and what they may do."""
    user = users.get(caller.tenant_id, caller.user_id)
    return Me(
        user_id=caller.user_id,
        tenant_id=caller.tenant_id,
        email=user["email"],
        name=user["name"],
        role=user["role"],
        scopes=[scope for scope in SCOPES if scope in caller.scopes],
        is_operator=caller.is_operator,
        api_key_id=caller.api_key_id,
    )


def _shown(made: sessions.Tokens) -> Tokens:
    return Tokens(access_token=made.access_token, expires_in=made.expires_in, refresh_token=made.refresh_token)
