"""What the plan has planted is on its page, in its disguise, and nowhere else: read back by code of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote

import pytest

from sandbox.contacts import Planted
from sandbox.message import Reply, Request
from sandbox.phones import phone
from sandbox.siteplan import SitePlan, site_plan
from sandbox.sites import answer
from sandbox.world import World

WORLD = World(300)
LATE = 1_000  # a visit by which the sites that fail at first have recovered
CHARSETS = {"utf-16": "utf-16", "latin-1": "latin-1", "wrong-charset": "latin-1"}
EMAIL = re.compile(r"[\w.+'-]+@[\w-]+(?:\.[\w-]+)+")
NOT_SHOWN = re.compile(r"display:\s*none|visibility:\s*hidden")
CONCEALED = {"entities", "cloudflare", "at-spelling", "script", "attribute"}
VOID = {"meta", "link", "img", "input", "br", "hr"}


class Reader(HTMLParser):
    """Reads a page into elements, links, texts and scripts."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.html = html
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.scripts: list[tuple[str, str]] = []
        self.shown: list[str] = []
        self.hidden: list[str] = []
        self.marked: dict[str, list[str]] = {}  # texts by itemprop or class
        self._open: list[tuple[str, dict[str, str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.elements.append((tag, attributes))
        if tag not in VOID:
            self._open.append((tag, attributes))

    def handle_endtag(self, tag: str) -> None:
        for place in range(len(self._open) - 1, -1, -1):
            if self._open[place][0] == tag:
                del self._open[place:]
                return

    def handle_data(self, data: str) -> None:
        tag, attributes = self._open[-1] if self._open else ("", {})
        if tag == "script":
            self.scripts.append((attributes.get("type", ""), data))
        elif tag != "style":
            concealed = any("hidden" in each or NOT_SHOWN.search(each.get("style", "")) for _, each in self._open)
            (self.hidden if concealed else self.shown).append(data)
            for mark in (attributes.get("itemprop", ""), *attributes.get("class", "").split()):
                self.marked.setdefault(mark, []).append(data)

    @property
    def text(self) -> str:
        return " ".join(self.shown)

    def links(self, scheme: str = "") -> list[str]:
        hrefs = (attributes["href"] for tag, attributes in self.elements if tag == "a" and "href" in attributes)
        return [href for href in hrefs if href.startswith(scheme)]

    def facts(self) -> Iterator[dict[str, Any]]:
        for kind, text in self.scripts:
            if kind == "application/ld+json":
                yield from walk(json.loads(text))


def walk(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from walk(inner)


def mailto(page: Reader) -> set[str]:
    return {unquote(href[7:].partition("?")[0]) for href in page.links("mailto:") if f'"{href}"' in page.html}


def entities(page: Reader) -> set[str]:
    """A link that is mailto: once its references are read, and is not before."""
    read = {href[7:] for href in page.links("mailto:") if href not in page.html}
    return {address for address in read if address in page.text}


def cloudflare(page: Reader) -> set[str]:
    codes = [attributes["data-cfemail"] for _, attributes in page.elements if "data-cfemail" in attributes]
    codes += [href.partition("#")[2] for href in page.links("/cdn-cgi/l/email-protection#")]
    return {"".join(chr(byte ^ code[0]) for byte in code[1:]) for code in map(bytes.fromhex, codes)}


def at_spelling(page: Reader) -> set[str]:
    dot = r"(?:\s*[(\[]dot[)\]]\s*|\s+dot\s+|\s+DOT\s+|\.)"
    at = r"(?:\s*[(\[]at[)\]]\s*|\s+at\s+|\s+AT\s+)"
    spelled = re.compile(rf"^([\w.'-]+){at}([\w-]+){dot}(example|com)$")
    matches = (spelled.match(text.strip()) for text in page.shown)
    return {f"{match[1]}@{match[2]}.{match[3]}" for match in matches if match}


def script(page: Reader) -> set[str]:
    found = set()
    for kind, code in page.scripts:
        if kind:
            continue
        values = dict(re.findall(r"var (\w+) = '([^']*)'", code))
        for name, value in values.items():
            code = re.sub(rf"\b{name}\b(?= \+|\))|(?<=\+ )\b{name}\b", f"'{value}'", code)
        found |= set(EMAIL.findall(re.sub(r"""["'] \+ ["']""", "", code)))
    return {address for address in found if "sentry" not in address}


def attribute(page: Reader) -> set[str]:
    found = set()
    for _, attributes in page.elements:
        data = [value for name, value in attributes.items() if name.startswith("data-")]
        if len(data) == 2 and attributes.get("class") == "js-mail":
            found.add("@".join(data))
    return found


def microdata(page: Reader) -> set[str]:
    metas = {attributes.get("content", "") for _, attributes in page.elements if attributes.get("itemprop") == "email"}
    return (metas | set(page.marked.get("email", ()))) & set(EMAIL.findall(page.html))


READERS: dict[str, Callable[[Reader], set[str]]] = {
    "mailto": mailto,
    "text": lambda page: set(EMAIL.findall(page.text)),
    "entities": entities,
    "cloudflare": cloudflare,
    "at-spelling": at_spelling,
    "json-ld": lambda page: {fact["email"].removeprefix("mailto:") for fact in page.facts() if "email" in fact},
    "microdata": microdata,
    "script": script,
    "attribute": attribute,
    "hidden": lambda page: set(EMAIL.findall(" ".join(page.hidden))),
}


def is_number(written: str, value: str) -> bool:
    """Whether digits, with the country's code or dialled at home, mean this number."""
    digits = re.sub(r"\D", "", written)
    return len(digits) >= 7 and (value[1:] == digits or value.endswith((digits, digits.lstrip("0"))))


def has_phone(page: Reader, planted: Planted) -> bool:
    if planted.disguise == "tel":
        return any(is_number(href[4:], planted.value) for href in page.links("tel:"))
    if planted.disguise == "json-ld":
        return any(fact.get("telephone") == planted.value for fact in page.facts())
    linked = {re.sub(r"\D", "", href) for href in page.links("tel:")}
    return any(is_number(text, planted.value) and text not in linked for text in page.shown)


def has_person(page: Reader, planted: Planted) -> bool:
    if planted.disguise == "json-ld":
        wanted = {"@type": "Person", "name": planted.value, "jobTitle": planted.title}
        return any(wanted.items() <= fact.items() for fact in page.facts())
    name, title = {"card": ("team-name", "team-role"), "hcard": ("fn", "title")}[planted.disguise]
    pairs = list(zip(page.marked.get(name, []), page.marked.get(title, []), strict=True))
    return (planted.value, planted.title) in pairs


def has(page: Reader, planted: Planted) -> bool:
    if planted.kind == "email":
        return planted.value in READERS[planted.disguise](page)
    if planted.kind == "phone":
        return has_phone(page, planted)
    if planted.kind == "social":
        return planted.value in {href.rstrip("/") for href in page.links("https://")}
    return has_person(page, planted)


def read(plan: SitePlan, path: str) -> Reader:
    return _read(plan.host, path, CHARSETS.get(plan.business.site_kind, "utf-8"))


@cache
def _read(host: str, path: str, charset: str) -> Reader:
    for _ in range(3):  # some fail twice
        reply = answer(WORLD, Request("GET", host, path, visit=LATE))
        if isinstance(reply, Reply) and reply.status == 200 and not reply.resets:
            break
    assert isinstance(reply, Reply)
    assert reply.status == 200, (host, path, reply.status)
    assert isinstance(reply.body, bytes)
    return Reader(reply.body.decode(charset, errors="replace"))


PLANS = {plan.host: plan for plan in (site_plan(WORLD, business) for business in WORLD if business.host)}


@pytest.fixture(params=sorted({plan.business.site_kind for plan in PLANS.values()}))
def plans(request: pytest.FixtureRequest) -> list[SitePlan]:
    return [plan for plan in PLANS.values() if plan.business.site_kind == request.param]


def test_every_planted_contact_is_on_its_page_in_its_disguise(plans: list[SitePlan]) -> None:
    missing = [
        (plan.host, planted)
        for plan in plans
        for path in {planted.page for planted in plan.planted}
        for page in [read(plan, path)]
        for planted in plan.on(path)
        if not has(page, planted)
    ]
    assert missing == []


def test_no_email_is_where_the_plan_has_none(plans: list[SitePlan]) -> None:
    wrong = []
    for plan in plans:
        for path in (page.path for page in plan.pages if plan.planted):
            planted = {each.value for each in plan.on(path)} | {decoy.value for decoy in plan.decoys_on(path)}
            found = set[str]().union(*(find(read(plan, path)) for find in READERS.values()))
            wrong += [(plan.host, path, address) for address in found - planted]
    assert wrong == []


def test_no_phone_is_where_the_plan_has_none(plans: list[SitePlan]) -> None:
    wrong = []
    for plan in plans:
        lines = [phone(plan.business.town, WORLD.seed, plan.business.index, line)[0] for line in range(8)]
        for path in (page.path for page in plan.pages if plan.planted):
            page, planted = read(plan, path), {each.value for each in plan.on(path)}
            texts = [*page.shown, *page.links("tel:")]
            wrong += [
                (plan.host, path, number)
                for number in lines
                if number not in planted and (number in page.html or any(is_number(text, number) for text in texts))
            ]
    assert wrong == []


def test_a_concealed_address_cannot_be_read_from_the_source(plans: list[SitePlan]) -> None:
    concealed = [(plan, each) for plan in plans for each in plan.planted if each.disguise in CONCEALED]
    open_ = [(plan.host, each.page) for plan, each in concealed if each.value in read(plan, each.page).html]
    assert open_ == []
    for plan, each in concealed:
        if each.disguise == "entities":
            assert re.search(rf"(?:&#x?[0-9a-f]+;){{{len(each.value)}}}", read(plan, each.page).html)


def test_hidden_and_structured_addresses_are_not_in_sight(plans: list[SitePlan]) -> None:
    unseen = [(plan, each) for plan in plans for each in plan.planted if each.disguise in ("hidden", "json-ld")]
    seen = [(plan.host, each) for plan, each in unseen if each.value in read(plan, each.page).text]
    assert [entry for entry in seen if entry[1].kind == "email"] == []


def test_a_fax_says_so(plans: list[SitePlan]) -> None:
    for plan in plans:
        for fax in (each for each in plan.planted if each.label == "fax"):
            text = read(plan, fax.page).text
            number = next(shown for shown in read(plan, fax.page).shown if is_number(shown, fax.value))
            assert re.search(r"(?:Fax|Faks):\s+" + re.escape(number), text)


def test_people_are_joined_to_their_addresses(plans: list[SitePlan]) -> None:
    for plan in plans:
        for each in (each for each in plan.planted if each.kind == "email" and each.name):
            source = unescape(read(plan, each.page).html)
            after = source[source.index(f"{each.name}<" if each.disguise == "mailto" else f'"{each.name}"') :]
            assert after.index(each.value) < after.index("</div>" if each.disguise == "mailto" else "}")


def test_decoys_are_on_their_pages(plans: list[SitePlan]) -> None:
    missing = []
    for plan in plans:
        for decoy in plan.decoys:
            page = read(plan, decoy.page)
            attributes = {value.rstrip("/") for _, each in page.elements for value in each.values()}
            source = " ".join([page.html, page.text, *attributes])
            as_phone = decoy.value.startswith("+") and any(is_number(link, decoy.value) for link in page.links("tel:"))
            if decoy.value.rstrip("/") not in source and not as_phone:
                missing.append((plan.host, decoy))
    assert missing == []


def test_the_world_holds_every_disguise() -> None:
    planted = {each.disguise for plan in PLANS.values() for each in plan.planted}
    assert planted >= {*READERS, "tel", "link", "card", "hcard"}
