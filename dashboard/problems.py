"""Problems: every refusal as a page with one sentence, or as a note on the page that htmx has asked from."""

from __future__ import annotations

from http import HTTPStatus
from urllib.parse import quote

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from api.problems import DATABASE_AWAY, STATUSES
from dashboard.page import HEADERS, draw, is_part
from errors import NotLoggedIn, TooManyTries, UserError
from pipeline.database import DRIVER_FAULTS, is_lost

log = structlog.get_logger("dashboard")

NOTHING_HERE = "There is no such page: the menu lists what there is."
OUR_FAULT = "Something went wrong here, and the log says what: try again, and tell who runs this if it stays so."
NOT_SO = "This address cannot be used that way: go back and use the buttons of the page."
LOGIN = "/login"


def install(app: FastAPI) -> None:
    """Have every error of ours, of the framework and of the servers answered as a page."""
    app.add_exception_handler(UserError, _of_user_error)  # type: ignore[arg-type]
    app.add_exception_handler(RequestValidationError, _of_validation)  # type: ignore[arg-type]
    app.add_exception_handler(HTTPException, _of_http)  # type: ignore[arg-type]
    for fault in DRIVER_FAULTS:
        app.add_exception_handler(fault, _of_driver)
    app.add_exception_handler(Exception, _of_fault)


def tell(request: Request, status: int, says: str) -> Response:
    """Say what happened and what to do: as a note for htmx, else as a page of its own."""
    if is_part(request):
        note = draw("parts/note.html", says=says, kind="bad")
        return HTMLResponse(note, status, {**HEADERS, "HX-Retarget": "#notes", "HX-Reswap": "afterbegin"})
    html = draw("problem.html", status=status, title=HTTPStatus(status).phrase, says=says)
    return HTMLResponse(html, status, HEADERS)


def status_of(error: UserError) -> int:
    """Give the status that an error of ours is answered with."""
    return next((status for kind, status in STATUSES.items() if isinstance(error, kind)), HTTPStatus.BAD_REQUEST)


def _of_user_error(request: Request, error: UserError) -> Response:
    if isinstance(error, NotLoggedIn):
        return _log_in(request)
    answer = tell(request, status_of(error), str(error))
    if isinstance(error, TooManyTries):
        answer.headers["Retry-After"] = str(max(1, int(error.retry_after.total_seconds())))
    return answer


def _log_in(request: Request) -> Response:
    """Send to the log-in, and back to the page from there; what was to be changed has to be asked for again."""
    if is_part(request):
        return Response(status_code=401, headers={**HEADERS, "HX-Redirect": LOGIN})
    path = request.url.path if request.method == "GET" else "/"
    query = f"?{request.url.query}" if request.method == "GET" and request.url.query else ""
    return RedirectResponse(f"{LOGIN}?next={quote(path + query, safe='')}", 303, HEADERS)


def _of_validation(request: Request, error: RequestValidationError) -> Response:
    first = next(iter(error.errors()), {"loc": ("form",), "msg": "it cannot be read"})
    # One of several values is known by its number, which says nothing to people.
    field = next((name for name in reversed(first["loc"]) if isinstance(name, str)), "form").replace("_", " ")
    return tell(request, HTTPStatus.UNPROCESSABLE_ENTITY, f"{field}: {str(first['msg'])[:200]}. Correct it and repeat.")


def _of_http(request: Request, error: HTTPException) -> Response:
    says = NOTHING_HERE if error.status_code == HTTPStatus.NOT_FOUND else NOT_SO
    return tell(request, error.status_code, says)


def _of_driver(request: Request, error: Exception) -> Response:
    if is_lost(error):
        log.warning("database-away", error=str(error))
        answer = tell(request, HTTPStatus.SERVICE_UNAVAILABLE, DATABASE_AWAY)
        answer.headers["Retry-After"] = "5"
        return answer
    raise error


def _of_fault(request: Request, _error: Exception) -> Response:
    """Say that it is not the visitor's fault; the server notes it in its log after this."""
    return tell(request, HTTPStatus.INTERNAL_SERVER_ERROR, OUR_FAULT)
