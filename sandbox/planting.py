"""Which contacts stand on which page of a site, and in which disguise."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from sandbox.business import Business
from sandbox.chance import chance
from sandbox.contacts import Decoy, PagePlan, Planted
from sandbox.decoys import decoys_of
from sandbox.kinds import BY_NAME
from sandbox.layout import HOMEPAGE_COUNTS, Layout
from sandbox.names import person, plain, slug, title
from sandbox.phones import phone
from sandbox.world import World

# The kinds that show their email in one disguise only.
DISGUISED = {
    "cloudflare-email": "cloudflare",
    "at-spelling": "at-spelling",
    "entities": "entities",
    "json-ld": "json-ld",
    "microdata": "microdata",
    "script-email": "script",
    "attribute-email": "attribute",
    "hidden-address": "hidden",
}
_ROLES = {
    "en": ("info", "info", "office", "hello", "contact"),
    "de": ("info", "info", "kontakt", "office"),
    "fr": ("contact", "contact", "info"),
    "es": ("info", "contacto"),
    "it": ("info", "info", "contatti"),
    "nl": ("info", "info", "contact"),
    "pt": ("info", "geral"),
    "pl": ("kontakt", "biuro", "info"),
}
_FREE_MAIL = ("gmail.com", "gmail.com", "outlook.com", "yahoo.com", "hotmail.com")
_CHARSETS = {"wrong-charset": "ascii", "latin-1": "latin-1"}  # what the people's names must fit into
_FAX, _SECOND, _BRANCHES = 1, 2, 3  # lines of sandbox.phones
_NO_EMAIL = frozenset({"placeholder-address", "robots-deny-contact"})
_NOT_VISITED = frozenset({"closed-business", "robots-deny"})


def plant(world: World, site: Layout) -> tuple[tuple[Planted, ...], tuple[Decoy, ...]]:
    """Put contacts and decoys on the pages of a site."""
    kind = site.business.site_kind
    decoys = decoys_of(world, site)
    if BY_NAME[kind].outcome is None:
        return tuple(dict.fromkeys(_contacts(world, site))), decoys
    if kind in _NOT_VISITED:
        what = "closed" if kind == "closed-business" else "robots-denied"
        # Not the main line: the provider gives it, so it is known whether or not the site is read.
        known = {
            site.business.phone,
            *(planted.value for planted in _contacts(world, site) if planted.kind == "person"),
        }
        real = (Decoy(each.value, each.page, what) for each in _contacts(world, site) if each.value not in known)
        return (), (*dict.fromkeys(real), *decoys)
    return (), ()


def main_email(world: World, site: Layout) -> tuple[str, str]:
    """Choose the business's first address and its label."""
    dice = chance(world.seed, site.business.index, "email")
    role = f"{dice.choice(_ROLES[site.business.town.language])}@{site.host}"
    free = f"{slug(site.business.name).replace('-', '')[:24]}{site.business.index}@{dice.choice(_FREE_MAIL)}"
    return (free, "free-mail") if dice.random() < 0.12 else (role, "role")


def _contacts(world: World, site: Layout) -> Iterator[Planted]:
    dice = chance(world.seed, site.business.index, "contacts")
    contact = [page for page in site.pages if page.kind == "contact"] or [site.pages[0]]
    yield from _emails(world, site, contact, dice)
    yield from _phones(world, site, contact, dice)
    yield from _socials(site.business, dice)
    yield from _people(site, dice)
    yield from _branches(world, site)


def _emails(world: World, site: Layout, contact: list[PagePlan], dice: Random) -> Iterator[Planted]:
    kind = site.business.site_kind
    if kind in _NO_EMAIL:
        return
    address, label = main_email(world, site)
    disguise = DISGUISED.get(kind) or dice.choice(("mailto", "mailto", "text"))
    for page in contact:
        yield Planted("email", address, page.path, disguise, label)
    if kind in HOMEPAGE_COUNTS or (kind not in DISGUISED and dice.random() < 0.3):
        yield Planted("email", address, "/", "mailto", label)
    if kind not in DISGUISED and (legal := site.first("legal")):
        yield Planted("email", address, legal.path, "text", label)


def _phones(world: World, site: Layout, contact: list[PagePlan], dice: Random) -> Iterator[Planted]:
    business = site.business
    yield Planted("phone", business.phone, "/", dice.choice(("tel", "tel", "text")))
    if business.site_kind == "robots-deny-contact":
        return
    for page in contact:
        yield Planted("phone", business.phone, page.path, dice.choice(("text", "tel", "json-ld")))
    where = site.first("legal") or contact[0]
    if business.site_kind in HOMEPAGE_COUNTS:
        where = site.pages[0]
    if dice.random() < (0.6 if business.town.language == "de" else 0.3):
        yield Planted("phone", _line(world, business, _FAX), where.path, "text", "fax")
    if dice.random() < 0.15:
        yield Planted("phone", _line(world, business, _SECOND), where.path, dice.choice(("tel", "text")))


def _line(world: World, business: Business, line: int) -> str:
    return phone(business.town, world.seed, business.index, line)[0]


def _socials(business: Business, dice: Random) -> Iterator[Planted]:
    name = slug(business.name)
    handle = f"{name.replace('-', '')[:30]}{business.index}"
    profiles = (
        (0.7, f"https://www.facebook.com/{handle}"),
        (0.5, f"https://www.instagram.com/{handle}"),
        (0.25, f"https://www.linkedin.com/company/{name}-{business.index}"),
    )
    for likelihood, profile in profiles:
        if dice.random() < likelihood:
            yield Planted("social", profile, "/", "link")


def _people(site: Layout, dice: Random) -> Iterator[Planted]:
    team, business = site.first("team"), site.business
    if team is None or business.site_kind in HOMEPAGE_COUNTS:
        return
    disguise = dice.choice(("card", "card", "json-ld", "hcard"))
    met: set[str] = set()
    for _ in range(dice.randint(1, 4)):
        first, last, does = _somebody(business, dice)
        name = f"{first} {last}"
        if name in met:
            continue
        met.add(name)
        yield Planted("person", name, team.path, disguise, "", name, does)
        if dice.random() < 0.6:
            address = f"{slug(first)}.{plain(last).replace(chr(39), '')}@{site.host}"
            yield Planted(
                "email", address, team.path, "json-ld" if disguise == "json-ld" else "mailto", "personal", name, does
            )


def _somebody(business: Business, dice: Random) -> tuple[str, str, str]:
    """Make up a person whose name and title can be written in the site's charset."""
    charset = _CHARSETS.get(business.site_kind, "utf-8")
    language = "en" if charset == "ascii" else business.town.language
    while True:
        somebody = (*person(language, dice), title(language, dice))
        if "?" not in "".join(somebody).encode(charset, "replace").decode(charset):
            return somebody


def _branches(world: World, site: Layout) -> Iterator[Planted]:
    """Give each location's page its phone: the branch's own in a chain, another line otherwise."""
    pages = [page for page in site.pages if page.kind == "location"][1:]
    if site.business.site_kind == "shared-domain":
        numbers = [branch.phone for branch in world.branches(site.business)]
    else:
        numbers = [_line(world, site.business, _BRANCHES + place) for place in range(len(pages))]
    for page, number in zip(pages, numbers, strict=True):
        yield Planted("phone", number, page.path, "tel")
