"""Things on a site's pages that look like contacts and must not be found."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from sandbox.chance import chance
from sandbox.contacts import Decoy
from sandbox.layout import Layout
from sandbox.names import slug
from sandbox.world import World

_PLACEHOLDERS = ("user@domain.com", "you@example.com", "name@yourdomain.com", "email@example.com")
_VENDORS = ("support@intercom.io", "help@zendesk.com", "support@mailchimp.com")


def decoys_of(world: World, site: Layout) -> tuple[Decoy, ...]:
    """List the decoys of a site: many for some kinds, the usual few for the others."""
    dice = chance(world.seed, site.business.index, "decoys")
    kind, contact = site.business.site_kind, site.first("contact")
    if kind == "robots-deny-contact" and contact:
        return (Decoy(f"info@{site.host}", contact.path, "robots-denied"),)
    if kind == "robots-redirect":
        return (Decoy(f"internal@{site.host}", "/private/staff", "private-page"),)
    if kind == "placeholder-address" and contact:
        return tuple(Decoy(value, contact.path, "placeholder") for value in _PLACEHOLDERS)
    return tuple(_look_alikes(site, dice) if kind == "look-alikes" else _usual(site, dice))


def _usual(site: Layout, dice: Random) -> Iterator[Decoy]:
    if site.template == "wix":
        yield Decoy(f"{dice.getrandbits(128):032x}@sentry-next.wixpress.com", "/", "error-key")
    if dice.random() < 0.4:
        yield Decoy("logo@2x.png", "/", "image-name")
    if dice.random() < 0.4:
        yield _share_button(site)
    if (contact := site.first("contact")) and dice.random() < 0.2:
        yield Decoy("you@example.com", contact.path, "placeholder")


def _share_button(site: Layout) -> Decoy:
    return Decoy(f"https://www.facebook.com/sharer/sharer.php?u=http://{site.host}/", "/", "share-button")


def _look_alikes(site: Layout, dice: Random) -> Iterator[Decoy]:
    business = site.business
    yield Decoy("logo@2x.png", "/", "image-name")
    yield Decoy("team-photo@3x.webp", "/", "image-name")
    yield Decoy(f"{dice.getrandbits(128):032x}@o{dice.randrange(10**5, 10**6)}.ingest.sentry.io", "/", "error-key")
    yield Decoy(dice.choice(_VENDORS), "/", "vendor-email")
    yield Decoy(f"@{business.latitude:.6f},{business.longitude:.6f},17z", "/", "map-coordinates")
    yield Decoy(f"{business.town.country}{dice.randrange(10**8, 10**9)}", "/", "vat-number")
    yield Decoy(f"2024{dice.randrange(10**11, 10**12)}", "/", "order-number")
    yield Decoy("2019-03-04 - 2024-11-28", "/", "date-range")
    yield _share_button(site)
    yield Decoy(f"https://twitter.com/intent/tweet?url=http://{site.host}/", "/", "share-button")
    yield Decoy(f"https://www.facebook.com/tr?id={dice.randrange(10**14, 10**15)}&ev=PageView", "/", "pixel")
    yield Decoy(f"https://www.instagram.com/p/C{slug(business.name)[:9].replace('-', 'x')}/", "/", "social-post")
    yield Decoy("https://www.facebook.com/policies/cookies/", "/", "platform-page")
