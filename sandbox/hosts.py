"""Host names: real-looking for good sites, named by what they do for the others."""

from __future__ import annotations

from collections.abc import Container, Iterator
from random import Random
from typing import TYPE_CHECKING

from sandbox.kinds import GOOD
from sandbox.names import slug

if TYPE_CHECKING:
    from sandbox.making import Draft

_REAL_LOOKING = frozenset(kind.name for kind in GOOD) | {"closed-business"}
_NONE = frozenset({"no-website", "social-website", "bad-website", "dns"})
_COMPANIONS = {"redirect-elsewhere": "moved-to"}
_BAD_WEBSITES = (
    "http://203.0.113.7/", "http://localhost/", "http://co.uk/", "https://[2001:db8::7]/", "http://intranet/",
    "http://192.168.1.20:8080/", "http://", "http://printer.local/", "0177.0.0.1", "http://127.1/",
)  # fmt: skip
_PROFILES = (
    ("https://www.facebook.com/{}", "https://www.facebook.com/{}/?ref=page_internal"),
    ("https://www.instagram.com/{}", "https://instagram.com/{}/?hl=en"),
    ("https://www.yelp.com/biz/{}", "https://www.yelp.com/biz/{}?utm_source=gmb"),
    ("https://linktr.ee/{}", "https://linktr.ee/{}"),
)

_FORM_WEIGHT = {
    "http://{name}/": 30,
    "http://www.{name}/": 25,
    "https://www.{name}/": 15,
    "https://{name}": 10,
    "http://{name}/?utm_source=google&utm_medium=organic&utm_campaign=gmb": 8,
    "http://www.{name}/?gclid=Cj0KCQ{index}": 3,
    "HTTP://WWW.{capitals}/": 2,
    "www.{name}": 2,
    "http:/{name}/": 1,
    " http://{name}/ ": 1,
    "http://{name}:80/": 1,
    "http://{name}/index.html#top": 1,
    "http://guest@{name}/": 1,
}
_FORMS, _FORM_WEIGHTS = tuple(_FORM_WEIGHT), tuple(_FORM_WEIGHT.values())


def own_host(draft: Draft, taken: Container[str]) -> str | None:
    """Choose the host of a business's own site; None where it has no site of its own."""
    if draft.kind in _NONE:
        return None
    if draft.kind not in _REAL_LOOKING:
        return f"{draft.kind}-{draft.leader}.example"
    return next(host for host in _wishes(draft) if host not in taken)


def _wishes(draft: Draft) -> Iterator[str]:
    name, town = slug(draft.name), slug(draft.town.name)
    yield f"{name}.example"
    if town not in name.split("-"):
        yield f"{name}-{town}.example"
    yield f"{name}-{draft.index}.example"


def companion_host(kind: str, index: int) -> str | None:
    """Name the second host of a site that needs one: where it moved to."""
    return f"{_COMPANIONS[kind]}-{index}.example" if kind in _COMPANIONS else None


def dead_host(kind: str, index: int) -> str | None:
    """Name the host that a `dns` business gives and that nobody answers for."""
    return f"dns-{index}.invalid" if kind == "dns" else None


def profile(name: str, index: int) -> tuple[str, str]:
    """Give a social profile that serves as website: in its canonical form and as the provider gives it."""
    canonical, given = _PROFILES[index % len(_PROFILES)]
    handle = slug(name) if "yelp" in canonical else slug(name).replace("-", "")
    handle += f"-{index}" if "yelp" in canonical else str(index)
    return canonical.format(handle), given.format(handle)


def website(draft: Draft, host: str | None, dice: Random) -> str | None:
    """Write the website as the provider gives it: people type it in many ways."""
    if draft.kind == "social-website":
        return profile(draft.name, draft.index)[1]
    if draft.kind == "bad-website":
        return _BAD_WEBSITES[draft.index % len(_BAD_WEBSITES)]
    name = host or dead_host(draft.kind, draft.index)
    if name is None:
        return None
    return dice.choices(_FORMS, _FORM_WEIGHTS)[0].format(name=name, capitals=name.upper(), index=draft.index)
