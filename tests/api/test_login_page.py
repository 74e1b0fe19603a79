"""The page of a one-time link: a look changes nothing, and the form sets a password."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.accounts.residents import PASSWORD, guest, value


@pytest.fixture
def browser(url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=url, timeout=60) as client:
        yield client


def send(browser: httpx.Client, **typed: str) -> httpx.Response:
    return browser.post("/login", data=typed)


def test_a_look_uses_nothing_up(browser: httpx.Client) -> None:
    user, token = guest()
    for path in ("/login", f"/login#{token}", f"/login?token={token}"):
        answer = browser.get(path)
        assert answer.status_code == 200
        assert token not in answer.text
    assert value("SELECT used_at FROM login_links WHERE user_id = %s", user["id"]) is None


def test_the_page_runs_no_script_but_ours_and_stays_in_no_frame_or_store(browser: httpx.Client) -> None:
    for path in ("/login", "/login.js"):
        headers = browser.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
    page = browser.get("/login").text
    assert page.count("<script") == page.count('<script src="/login.js"') == 1
    assert " on" not in page.partition("<form")[2]
    assert browser.get("/login.js").headers["content-type"].startswith("text/javascript")


def test_the_form_sets_the_password_once(browser: httpx.Client) -> None:
    user, token = guest()
    done = send(browser, token=token, password=PASSWORD, again=PASSWORD)
    assert done.status_code == 200
    assert "Your password is set" in done.text
    body = {"email": user["email"], "password": PASSWORD}
    assert browser.post("/api/v3/auth/login", json=body).status_code == 200
    again = send(browser, token=token, password=PASSWORD, again=PASSWORD)
    assert again.status_code == 401
    assert "ask an admin for a new one" in again.text


def test_what_is_typed_wrong_is_said_on_the_page_and_uses_nothing_up(browser: httpx.Client) -> None:
    _, token = guest()
    differs = send(browser, token=token, password=PASSWORD, again="something else")
    short = send(browser, token=token, password="short", again="short")
    assert (differs.status_code, short.status_code) == (400, 400)
    assert "type the same one twice" in differs.text
    assert "12 to 256 characters" in short.text
    assert PASSWORD not in differs.text
    assert send(browser, token=token, password=PASSWORD, again=PASSWORD).status_code == 200


@pytest.mark.parametrize("token", ["", "<script>alert(1)</script>", "\x00", "%00", "{said}"])
def test_an_invented_token_is_refused_and_not_shown(browser: httpx.Client, token: str) -> None:
    answer = send(browser, token=token, password=PASSWORD, again=PASSWORD)
    assert answer.status_code == 401
    assert not token or token not in answer.text


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("application/x-www-form-urlencoded", b"token=%ff%fe&password=%00&again=%00"),
        ("application/x-www-form-urlencoded", b"&&&=&=="),
        ("multipart/form-data", b"nonsense"),
        ("multipart/form-data; boundary=x", b"--x\r\nnonsense"),
        ("application/json", b'{"token": "x"}'),
        ("text/plain", b"\xff\xfe"),
    ],
)
def test_a_form_that_cannot_be_read_is_no_fault_of_ours(browser: httpx.Client, kind: str, content: bytes) -> None:
    answer = browser.post("/login", content=content, headers={"Content-Type": kind})
    assert 400 <= answer.status_code < 500
