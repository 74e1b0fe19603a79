"""What nobody sends by accident: every page answers with one sentence, never with a fault of its own."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from tests.dashboard.asking import Told, ask, form_of, path_of, query_of
from tests.dashboard.browsers import Browser
from tests.dashboard.forms import Furnished
from tests.dashboard.markup import wrong_in
from tests.dashboard.routes import ROUTES, UNSAFE, Route
from tests.dashboard.test_open import OPEN
from tests.dashboard.test_roles import LAST

KNOWN = [route for route in ROUTES if str(route) not in OPEN | {LAST} and not route.is_stream]
WITH_ID = [route for route in ROUTES if route.parameters and str(route) not in OPEN]
WORDS = {
    "NUL": ("a\x00b",),
    "markup": ("1' OR \u202e\"'><script>hacked()</script><img src=x onerror=hacked()>{{7*7}}日本",),
    # By turns, from field to field.
    "no value": ("-1", str(2**64), "NaN", "[]", "", "x" * 5000, "1e999", "0x10"),
}
ODD_IDS = ("0", str(2**63), "9" * 40, "1.5", "%00", "%2e%2e", "<script>%F0%9F%98%80")
UNREADABLE: dict[str, tuple[str, bytes]] = {
    "bad UTF-8": ("application/x-www-form-urlencoded", b"csrf=%ff%fe&status=%c3%28"),
    "many fields": ("application/x-www-form-urlencoded", b"&".join(b"ids=%d" % n for n in range(100_000))),
    "no parts": ("multipart/form-data; boundary=x", b"--x\r\nnonsense"),
    "no boundary": ("multipart/form-data", b"nonsense"),
    "JSON": ("application/json", b'{"csrf": "x"}'),
    "something": ("text/plain", b"\xff\xfe"),
}
FILE_PART = b'--x\r\nContent-Disposition: form-data; name="%s"; filename="a.csv"\r\n\r\n\x00\xff\r\n'
TEXT_PART = b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n+2AA-\r\n'


@pytest.fixture
def own(admin: Browser, db: str) -> Iterator[Furnished]:
    made = Furnished(db, admin.person.tenant_id, admin.person.user_id)
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
def test_hostile_words_in_every_query_and_field(admin: Browser, own: Furnished, kind: str) -> None:
    """Whatever may be stored is stored as it is; whatever may not is refused."""
    wrong, words = {}, itertools.cycle(WORDS[kind])
    for route in KNOWN:
        path, csrf = path_of(route, own), None if route.is_safe else admin.csrf
        for name, query, form in spoilt(route, own, words):
            told = ask(admin.client, route, path, query=query, form=form, csrf=csrf)
            if said := faults(told):
                wrong[f"{route} {name}"] = said
    assert wrong == {}


def spoilt(route: Route, own: Furnished, words: Iterator[str]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Give query and form with one value after the other replaced."""
    query, form = query_of(route, own), form_of(route, own)
    for name in route.queries:
        yield f"?{name}", query | {name: next(words)}, form
    for name in route.fields:
        if name not in form.get("files", {}):
            yield name, query, form | {name: next(words)}


def test_what_is_given_twice_or_unknown_is_no_fault_of_ours(admin: Browser, own: Furnished) -> None:
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
def test_odd_ids_are_refused(admin: Browser, own: Furnished, odd: str) -> None:
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
def test_a_form_that_cannot_be_read_is_refused(admin: Browser, own: Furnished, kind: str) -> None:
    content_type, content = UNREADABLE[kind]
    headers = {"Content-Type": content_type, "X-CSRF-Token": admin.csrf}
    wrong = {}
    for route in UNSAFE:
        if str(route) != LAST:
            answer = admin.client.request(route.method, path_of(route, own), content=content, headers=headers)
            told = Told(answer.status_code, answer.text, answer.headers, str(answer.url))
            if said := faults(told):
                wrong[str(route)] = said
    assert wrong == {}


@pytest.mark.parametrize("alphabet", ["utf-7", "undefined"])
def test_texts_in_odd_alphabets_and_files_in_place_of_texts(admin: Browser, own: Furnished, alphabet: str) -> None:
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
