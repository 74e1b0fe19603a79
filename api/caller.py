"""Who calls: the dependencies by which a route says what its caller must be allowed to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyHeader, HTTPBearer

from accounts.caller import Caller, Scope
from accounts.identify import identify

_bearer = HTTPBearer(auto_error=False, description="an access token from /auth/login, or an API key")
_key = APIKeyHeader(name="X-API-Key", auto_error=False, description="an API key")


def caller(
    request: Request,
    bearer: Annotated[object, Security(_bearer)] = None,
    key: Annotated[str | None, Security(_key)] = None,
) -> Caller:
    """Find out who calls; a request that proves nothing is refused."""
    token = getattr(bearer, "credentials", None) or key
    found = identify(token)
    request.state.caller = found
    return found


def need(scope: Scope, who: Callable[..., Caller] = caller) -> Callable[[Caller], Caller]:
    """Make the dependency that lets only those in who may do this; `who` finds out who asks."""

    def allowed(found: Caller = Depends(who)) -> Caller:  # noqa: B008 - as the framework wants it
        found.check(scope)
        return found

    allowed.scope = scope  # type: ignore[attr-defined]
    return allowed


def need_operator(who: Callable[..., Caller] = caller) -> Callable[[Caller], Caller]:
    """Make the dependency that lets only those in who answer for the whole installation."""

    def allowed(found: Caller = Depends(who)) -> Caller:  # noqa: B008 - as the framework wants it
        found.check_operator()
        return found

    return allowed


operator = need_operator()


Known = Annotated[Caller, Depends(caller)]
Reader = Annotated[Caller, Depends(need("read"))]
Exporter = Annotated[Caller, Depends(need("export"))]
Curator = Annotated[Caller, Depends(need("curate"))]
Submitter = Annotated[Caller, Depends(need("submit"))]
TenantOperator = Annotated[Caller, Depends(need("operate"))]
Administrator = Annotated[Caller, Depends(need("administer"))]
Operator = Annotated[Caller, Depends(operator)]
