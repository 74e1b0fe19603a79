"""What nobody sends by accident: every page answers with one sentence, never with a fault of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.planted import Planted
from tests.dashboard.asking import Told, ask, form_of, path_of, query_of
from tests.dashboard.browsers import Browser
from tests.dashboard.markup import wrong_in
from tests.dashboard.routes import ROUTES, UNSAFE, Route
from tests.dashboard.test_open import OPEN
from tests.dashboard.test_roles import LAST

KNOWN = [route for route in ROUTES if str(route) not in OPEN | {LAST} and not route.is_stream]
WITH_ID = [route for route in ROUTES if route.parameters and str(route) not in OPEN]
WORDS = {
    "NUL": "a\x00b",
    "SQL": "1' OR '1'='1'; --",
    "markup": "\"'><script>hacked()</script><img src=x onerror=hacked()>{{7*7}}",
    "turned": "\u202e\u200b\U000e0001日本",
    "negative": "-1",
    "too large": str(2**64),
    "no number": "NaN",
    "a list": "[]",
    "empty": "",
    "long": "x" * 5000,
}
ODD_IDS = ("0", "-1", str(2**63), "9" * 40, "a", "1.5", "%00", "'", "%2e%2e", "%F0%9F%98%80", "<script>")
UNREADABLE: dict[str, tuple[str, bytes]] = {
    "bad UTF-8": ("application/x-www-form-urlencoded", b"csrf=%ff%fe&status=%c3%28"),
    "no form": ("application/x-www-form-urlencoded", b"&&&=&=="),
    "many fields": ("application/x-www-form-urlencoded", b"&".join(b"ids=%d" % n for n in range(100_000))),
    "no parts": ("multipart/form-data; boundary=x", b"--x\r\nnonsense"),
    "no boundary": ("multipart/form-data", b"nonsense"),
    "another alphabet": ("multipart/form-data; boundary=x; charset=undefined", b""),
    "JSON": ("application/json", b'{"csrf": "x"}'),
    "something": ("text/plain", b"\xff\xfe"),
}
FILE_PART = b'--x\r\nContent-Disposition: form-data; name="%s"; filename="a.csv"\r\n\r\n\x00\xff\r\n'
TEXT_PART = b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n+2AA-\r\n'


@pytest.fixture
def own(admin: Browser, db: str) -> Iterator[Planted]:
    made = Planted(db, admin.person.tenant_id, admin.person.user_id)
    yield made
    made.close()


def faults(told: Told) -> str | None:
    """Say what is wrong with an answer to something hostile; a refusal is a page, or a note, in our words."""
    if told.status >= 500 and told.status != 503:
        return f"{told.status}: {told.text[:200]}"
    if told.status >= 400 and not told.text.strip():
        return f"{told.status} without a word"
    return next(wrong_in(told.text), None) if told.is_page else None


@pytest.mark.parametrize("kind", sorted(WORDS))
def test_hostile_words_in_every_query_and_field(admin: Browser, own: Planted, kind: str) -> None:
    """Whatever may be stored is stored as it is; whatever may not is refused."""
    wrong = {}
    for route in KNOWN:
        path, query, form = path_of(route, own), query_of(route, own), form_of(route, own)
        csrf = None if route.is_safe else admin.csrf
        for name in route.queries:
            told = ask(admin.client, route, path, query=query | {name: WORDS[kind]}, form=form, csrf=csrf)
            if said := faults(told):
                wrong[f"{route} ?{name}"] = said
        for name, spoiled in spoilt(route, form, WORDS[kind]):
            told = ask(admin.client, route, path, query=query, form=spoiled, csrf=csrf)
            if said := faults(told):
                wrong[f"{route} {name}"] = said
    assert wrong == {}


def spoilt(route: Route, form: dict[str, Any], word: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give a form with one field after the other replaced."""
    for name in route.fields:
        if name not in form.get("files", {}):
            yield name, form | {name: word}


def test_what_is_given_twice_or_unknown_is_no_fault_of_ours(admin: Browser, own: Planted) -> None:
    wrong = {}
    for route in KNOWN:
        path, form = path_of(route, own), form_of(route, own)
        twice = {name: ["1", "x", "<script>"] for name in route.queries} | {"no_such_query": "1"}
        fields = form | {name: ["1", "x"] for name in route.fields if name not in form.get("files", {})}
        told = ask(admin.client, route, path, query=twice, form=fields, csrf=None if route.is_safe else admin.csrf)
        if said := faults(told):
            wrong[str(route)] = said
    assert wrong == {}


@pytest.mark.parametrize("odd", ODD_IDS)
def test_odd_ids_are_refused(admin: Browser, own: Planted, odd: str) -> None:
    wrong = {}
    for route in WITH_ID:
        path = route.path
        for name in route.parameters:
            path = path.replace(f"{{{name}}}", odd)
        told = ask(
            admin.client, route, path, query=query_of(route, own), form=form_of(route, own),
            csrf=None if route.is_safe else admin.csrf,
        )  # fmt: skip
        if said := faults(told) or (f"{told.status}" if not 400 <= told.status < 500 else None):
            wrong[str(route)] = said
    assert wrong == {}


@pytest.mark.parametrize("kind", sorted(UNREADABLE))
def test_a_form_that_cannot_be_read_is_refused(admin: Browser, own: Planted, kind: str) -> None:
    content_type, content = UNREADABLE[kind]
    headers = {"Content-Type": content_type, "X-CSRF-Token": admin.csrf}
    wrong = {}
    for route in UNSAFE:
        if str(route) not in {LAST} and (route.fields or kind != "no form"):
            answer = admin.client.request(route.method, path_of(route, own), content=content, headers=headers)
            told = Told(answer.status_code, answer.text, answer.headers, str(answer.url))
            if said := faults(told):
                wrong[str(route)] = said
    assert wrong == {}


@pytest.mark.parametrize("alphabet", ["utf-7", "idna", "undefined", "rot13", "utf-16"])
def test_texts_in_odd_alphabets_and_files_in_place_of_texts(admin: Browser, own: Planted, alphabet: str) -> None:
    wrong = {}
    for route in UNSAFE:
        if str(route) == LAST:
            continue
        for part in (TEXT_PART, FILE_PART):
            parts = b"".join(part % name.encode() for name in [*route.fields, "csrf"]) + b"--x--\r\n"
            answer = admin.client.request(
                route.method, path_of(route, own), content=parts,
                headers={
                    "Content-Type": f"multipart/form-data; boundary=x; charset={alphabet}", "X-CSRF-Token": admin.csrf
                },
            )  # fmt: skip
            told = Told(answer.status_code, answer.text, answer.headers, str(answer.url))
            if said := faults(told):
                wrong[str(route)] = said
    assert wrong == {}
