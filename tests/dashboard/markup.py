"""What no page may hold: scripts, styles and handlers of its own, ways to other sites, forms without their proof."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from tests.dashboard.routes import ROUTES

FORBIDDEN = "style, iframe, object, embed, base, meta[http-equiv], link[rel=preload], applet, frame"
# What a browser goes to by itself, or when somebody clicks.
ADDRESSES = {
    "href": "GET", "src": "GET", "action": "GET", "sse-connect": "GET",
    "hx-get": "GET", "hx-post": "POST", "hx-put": "PUT", "hx-patch": "PATCH", "hx-delete": "DELETE",
    "poster": "GET", "data": "GET", "srcset": "GET", "xlink:href": "GET", "ping": "POST", "background": "GET",
}  # fmt: skip
SEALED = {"noopener", "noreferrer"}
KNOWN = [(route.method, re.compile(re.sub(r"\{[^}]+\}", "[^/]+", route.path))) for route in ROUTES]


def wrong_in(html: str, *, is_shared: bool = False) -> Iterator[str]:
    """Give what a page, or a part of one, should not hold; one that several people get holds no proof either."""
    tree = LexborHTMLParser(html)
    yield from (f"forbidden: {node.html:.200}" for node in tree.css(FORBIDDEN))
    for node in tree.css("*"):
        yield from wrong_with(node)
    for form in tree.css("form"):
        yield from wrong_with_form(form, is_shared=is_shared)
    if is_shared and tree.css_first("[name=csrf]"):
        yield "a proof in a drawing that several people get"


def wrong_with(node: LexborNode) -> Iterator[str]:
    """Give what is wrong with an element."""
    given = node.attributes
    for name, value in given.items():
        if name == "style" or name.startswith(("on", "hx-on")) or ("js:" in (value or "") and name.startswith("hx-")):
            yield f"<{node.tag}> runs or paints by {name}={value!r:.100}"
    if node.tag == "script" and (not (given.get("src") or "").startswith("/static/") or (node.text() or "").strip()):
        yield f"a script of its own: {node.html:.200}"
    if node.tag == "form":
        return
    for name, method in ADDRESSES.items():
        if name in given and (said := wrong_address(node, given[name] or "", method)):
            yield f"<{node.tag} {name}={given[name]!r:.150}> {said}"


def wrong_address(node: LexborNode, address: str, method: str) -> str | None:
    """Say what is wrong with a place that a page leads to."""
    parts = urlsplit(address)
    if parts.scheme in ("http", "https") and node.tag == "a":
        rel = set((node.attributes.get("rel") or "").split())
        return None if rel >= SEALED else "tells another site where it was clicked"
    if parts.scheme in ("mailto", "tel") and node.tag == "a":
        return None
    if parts.scheme or parts.netloc or address.startswith(("//", "/\\", "\\")):
        return "leads to another site"
    is_here = not parts.path
    return None if is_here or leads_somewhere(method, parts.path) else f"leads nowhere by {method}"


def leads_somewhere(method: str, path: str) -> bool:
    return any(method == own and pattern.fullmatch(path) for own, pattern in KNOWN)


def wrong_with_form(form: LexborNode, *, is_shared: bool) -> Iterator[str]:
    """Give what is wrong with a form: where it goes, by what, and whether it proves where it came from."""
    given = form.attributes
    method, action = (given.get("method") or "get").upper(), given.get("action") or ""
    if any(each in given for each in ("hx-post", "hx-get")) and "action" not in given:
        return
    if method == "POST" and not is_shared and not any(_value(each) for each in form.css("input[name=csrf]")):
        yield f"a form without proof: {form.html:.200}"
    if method == "GET" and form.css_first("[name=csrf]"):
        yield f"a proof that would be in the address: {form.html:.200}"
    for address in [action, *(each.attributes.get("formaction") or "" for each in form.css("[formaction]"))]:
        if said := wrong_address(form, address, method):
            yield f"a form {address!r} {said}"


def _value(node: LexborNode) -> str:
    return node.attributes.get("value") or ""


def links_in(html: str) -> set[str]:
    """Give the addresses of ours that a page leads to by links."""
    found = {node.attributes.get("href") or "" for node in LexborHTMLParser(html).css("a[href]")}
    return {address.partition("#")[0] for address in found if address.startswith("/")}
