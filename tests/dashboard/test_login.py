"""Log-in: a look changes nothing, a password or a one-time link lets in, and a form from elsewhere does nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import httpx
import pytest

from dashboard.visitor import COOKIE
from tests.accounts.residents import PASSWORD, guest, value
from tests.dashboard.browsers import Browser


@pytest.fixture
def browser(url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=url, timeout=60) as client:
        yield client


def send(browser: httpx.Client, path: str, **typed: str) -> httpx.Response:
    found = re.search(r'name="csrf" value="(\w+)"', browser.get(path).text)
    assert found is not None
    return browser.post(path, data={"csrf": found[1], **typed})


def test_a_look_uses_nothing_up(browser: httpx.Client) -> None:
    user, token = guest()
    for path in ("/login", f"/login#{token}", f"/login/link?token={token}"):
        answer = browser.get(path)
        assert answer.status_code == 200
        assert token not in answer.text
    assert value("SELECT used_at FROM login_links WHERE user_id = %s", user["id"]) is None


@pytest.mark.parametrize("path", ["/login", "/login/link", "/nowhere"])
def test_a_page_runs_no_script_but_ours_and_stays_in_no_frame_or_store(browser: httpx.Client, path: str) -> None:
    answer = browser.get(path)
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.text.count("<script") == answer.text.count('<script src="/static/')
    assert not re.search(r"<[^>]+\s(on\w+|style)=", answer.text)


def test_a_link_sets_the_password_once_and_lets_in(browser: httpx.Client) -> None:
    user, token = guest()
    done = send(browser, "/login/link", token=token, password=PASSWORD, again=PASSWORD)
    assert (done.status_code, done.headers["location"]) == (303, "/")
    assert browser.get("/account").status_code == 200
    browser.cookies.clear()
    assert send(browser, "/login", email=user["email"], password=PASSWORD).status_code == 303
    browser.cookies.clear()
    again = send(browser, "/login/link", token=token, password=PASSWORD, again=PASSWORD)
    assert again.status_code == 401
    assert "ask an admin for a new one" in again.text


def test_what_is_typed_wrong_is_said_on_the_page_and_uses_nothing_up(browser: httpx.Client) -> None:
    _, token = guest()
    differs = send(browser, "/login/link", token=token, password=PASSWORD, again="something else")
    short = send(browser, "/login/link", token=token, password="short", again="short")
    assert (differs.status_code, short.status_code) == (400, 400)
    assert "type the same one twice" in differs.text
    assert "12 to 256 characters" in short.text
    assert PASSWORD not in differs.text
    assert f'value="{token}"' in differs.text, "the link need not be opened again"
    assert send(browser, "/login/link", token=token, password=PASSWORD, again=PASSWORD).status_code == 303


@pytest.mark.parametrize("token", ["", "<script>alert(1)</script>", "\x00", "%00", "{said}"])
def test_an_invented_token_is_refused_and_not_shown(browser: httpx.Client, token: str) -> None:
    answer = send(browser, "/login/link", token=token, password=PASSWORD, again=PASSWORD)
    assert answer.status_code == 401
    assert not token or token not in answer.text


def test_a_wrong_password_is_refused_with_what_to_do(browser: httpx.Client) -> None:
    answer = send(browser, "/login", email='"><script>x</script>', password="wrong")
    assert answer.status_code == 401
    assert "ask an admin for a new link" in answer.text
    assert "<script>x" not in answer.text


@pytest.mark.parametrize("path", ["/login", "/login/link"])
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
def test_a_form_that_cannot_be_read_is_no_fault_of_ours(
    browser: httpx.Client, path: str, kind: str, content: bytes
) -> None:
    answer = browser.post(path, content=content, headers={"Content-Type": kind})
    assert 400 <= answer.status_code < 500


def test_a_form_of_another_site_logs_nobody_in(browser: httpx.Client, url: str) -> None:
    """Another site knows neither our cookie nor what goes with it; what it got itself goes with its own cookie."""
    user, token = guest()
    send(browser, "/login/link", token=token, password=PASSWORD, again=PASSWORD)
    with httpx.Client(base_url=url, timeout=60) as other:
        found = re.search(r'name="csrf" value="(\w+)"', other.get("/login").text)
        assert found is not None
        typed = {"email": user["email"], "password": PASSWORD}
        browser.cookies.clear()
        browser.get("/login")
        for proof in ("", "x", found[1]):
            answer = browser.post("/login", data={**typed, "csrf": proof})
            assert answer.status_code == 403
            assert COOKIE not in answer.cookies


def test_the_cookie_is_kept_from_scripts_and_other_sites(browser: httpx.Client) -> None:
    _, token = guest()
    done = send(browser, "/login/link", token=token, password=PASSWORD, again=PASSWORD)
    (kept,) = (each for each in done.headers.get_list("set-cookie") if each.startswith(COOKIE))
    assert "HttpOnly" in kept
    assert "SameSite=lax" in kept
    assert "Path=/" in kept


def test_over_https_the_cookie_never_travels_without(browser: httpx.Client) -> None:
    browser.headers["X-Forwarded-Proto"] = "https"
    answer = browser.get("/login")
    assert "Secure" in answer.headers["set-cookie"]


def test_who_is_not_logged_in_is_sent_to_log_in_and_back(browser: httpx.Client) -> None:
    sent = browser.get("/account?x=1")
    assert (sent.status_code, sent.headers["location"]) == (303, "/login?next=%2Faccount%3Fx%3D1")
    part = browser.get("/account", headers={"HX-Request": "true"})
    assert (part.status_code, part.headers["HX-Redirect"]) == (401, "/login")


@pytest.mark.parametrize(
    "wanted", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "/\tx", "/\r\nX: y"]
)
def test_nobody_is_sent_to_another_site_after_log_in(browser: httpx.Client, wanted: str) -> None:
    user, token = guest()
    send(browser, "/login/link", token=token, password=PASSWORD, again=PASSWORD)
    browser.cookies.clear()
    answer = send(browser, "/login", email=user["email"], password=PASSWORD, next=wanted)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


def test_out_is_out(visit: Callable[..., Browser]) -> None:
    browser = visit("viewer")
    kept = browser.client.cookies[COOKIE]
    assert browser.send("/logout").headers["location"] == "/login"
    browser.client.cookies.set(COOKIE, kept)
    assert browser.client.get("/account").status_code == 303


def test_a_browsers_cookie_is_no_key_to_the_api_and_no_token_opens_pages(visit: Callable[..., Browser]) -> None:
    browser = visit("admin")
    cookie = browser.client.cookies[COOKIE]
    assert browser.client.get("/api/v3/auth/me").status_code == 401
    with httpx.Client(base_url=browser.client.base_url, timeout=60) as bare:
        assert bare.get("/api/v3/auth/me", headers={"Authorization": f"Bearer {cookie}"}).status_code == 401
        assert bare.get("/account", headers={"Authorization": f"Bearer {browser.person.key}"}).status_code == 303
        bare.cookies.set(COOKIE, browser.person.key)
        assert bare.get("/account").status_code == 303
