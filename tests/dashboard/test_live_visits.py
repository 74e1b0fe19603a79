"""Who may look on: a live part ends with the log-in, and one person's many windows leave room for colleagues."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import psycopg
import pytest

from accounts import sessions
from api import stream
from dashboard import live
from embedded.processes import wait_until
from tests.dashboard.browsers import Browser, browse

PATH = "/flow/events"


@pytest.fixture(autouse=True)
def asked_often(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ASK_SECONDS", "LOOK_SECONDS", "BEAT_SECONDS"):
        monkeypatch.setattr(live, name, 0.2)


@contextmanager
def looking(browser: Browser) -> Iterator[Iterator[str]]:
    """Open a live part, and wait until it was drawn."""
    with browser.client.stream("GET", PATH, timeout=httpx.Timeout(20)) as answer:
        assert answer.status_code == 200
        lines = answer.iter_lines()
        assert any(line == "event: drawn" for line in lines)
        yield lines


def leave(_admin: Browser, watched: Browser) -> None:
    again = httpx.Client(base_url=watched.client.base_url, cookies=dict(watched.client.cookies))
    with again:
        assert again.post("/logout", data={"csrf": watched.csrf}).status_code == 303


def let_go(admin: Browser, watched: Browser) -> None:
    assert admin.send(f"/people/users/{watched.person.user_id}/let-go").status_code == 303


def make_viewer(admin: Browser, watched: Browser) -> None:
    assert admin.send(f"/people/users/{watched.person.user_id}", role="viewer").status_code == 303


def set_password(admin: Browser, watched: Browser) -> None:
    """Made anew by a link, a password ends every log-in."""
    page = admin.send(f"/people/users/{watched.person.user_id}/link").text
    token = page.partition("/login#")[2].partition('"')[0]
    with httpx.Client(base_url=watched.client.base_url) as guest:
        form = guest.get("/login/link").text
        csrf = form.partition('name="csrf" value="')[2].partition('"')[0]
        words = {"password": "a password that is long", "again": "a password that is long"}
        answer = guest.post("/login/link", data={"csrf": csrf, "token": token, **words})
        assert answer.status_code == 303, answer.text


@pytest.mark.parametrize("end", [leave, let_go, make_viewer, set_password])
def test_a_live_part_ends_with_what_let_somebody_look(
    admin: Browser, curator: Browser, end: Callable[[Browser, Browser], None]
) -> None:
    with looking(curator) as lines:
        end(admin, curator)
        for _ in lines:  # until the server ends it
            pass
    again = curator.client.get(PATH) if end is not make_viewer else None
    assert again is None or again.headers["location"].startswith("/login")


def test_another_log_in_of_the_same_person_goes_on(curator: Browser, url: str) -> None:
    """Nobody is thrown out for what somebody else, or another browser, does."""
    other = browse(url, curator.person)
    with looking(curator) as lines:
        leave(other, other)
        assert any(line == "event: beat" for line in lines)
    other.client.close()


def test_while_the_database_is_away_nobody_is_thrown_out(curator: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    with looking(curator) as lines:
        with monkeypatch.context() as away:
            away.setattr(sessions, "goes_on", _raise)
            assert any(line == "event: beat" for line in lines)
        assert any(line == "event: beat" for line in lines)


def _raise(_caller: object) -> bool:
    raise psycopg.OperationalError("the server closed the connection")


def test_somebody_with_many_windows_leaves_room_for_colleagues(
    curator: Browser, viewer: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "MOST_OF_A_USER", 1)
    with looking(curator):
        assert curator.client.get(PATH).status_code == 503
        with looking(viewer):
            pass
    assert wait_until(lambda: not stream._open, 20)
    with looking(curator):
        pass
