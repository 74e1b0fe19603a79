"""An email address in the ways that sites show or hide it, each a fragment of HTML."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from html import escape

AT_SPELLINGS = (
    (" (at) ", " (dot) "),
    ("(at)", "(dot)"),
    (" [at] ", " [dot] "),
    ("[at]", "."),
    (" at ", " dot "),
    (" AT ", " DOT "),
    (" (at) ", "."),
)


def choose(value: str, among: int) -> int:
    """Pick one of so many ways, always the same one for the same value."""
    return zlib.crc32(value.encode()) % among


def split(address: str) -> tuple[str, str]:
    """Take an address apart."""
    local, _, domain = address.rpartition("@")
    return local, domain


def mailto(address: str) -> str:
    """Link it, with the address or only a word to click on."""
    shown = (escape(address), "E-mail", '<i class="icon-mail"></i>')[choose(address, 3)]
    subject = ("", "?subject=Website")[choose(address, 2)]
    return f'<a class="mail" href="mailto:{escape(address)}{subject}">{shown}</a>'


def text(address: str) -> str:
    """Write it as people read it."""
    return f'<span class="mail">{escape(address)}</span>'


def entities(address: str) -> str:
    """Write every character as a reference, decimal and hexadecimal in turn."""
    coded = "".join(f"&#{ord(mark)};" if place % 2 else f"&#x{ord(mark):x};" for place, mark in enumerate(address))
    start = "".join(f"&#{ord(mark)};" for mark in "mailto:")
    return f'<a href="{start}{coded}">{coded}</a>'


def cloudflare_code(address: str) -> str:
    """Encode as Cloudflare does: a key byte, then every byte mixed with it, in hexadecimal."""
    key = 1 + choose(address, 254)
    return bytes([key, *(byte ^ key for byte in address.encode())]).hex()


def cloudflare(address: str) -> str:
    """Show "email protected", with the code in an attribute or in the link."""
    code = cloudflare_code(address)
    if choose(address, 2):
        return f'<a href="/cdn-cgi/l/email-protection#{code}"><span>E-mail</span></a>'
    return (
        f'<a href="/cdn-cgi/l/email-protection" class="__cf_email__" data-cfemail="{code}">[email&#160;protected]</a>'
        '<script data-cfasync="false" src="/cdn-cgi/scripts/5c5dd728/cloudflare-static/email-decode.min.js"></script>'
    )


def at_spelling(address: str) -> str:
    """Spell the signs out, in one of the usual ways."""
    at, dot = AT_SPELLINGS[choose(address, len(AT_SPELLINGS))]
    local, domain = split(address)
    return f'<span class="mail">{escape(local)}{at}{escape(domain.replace(".", dot))}</span>'


def microdata(address: str) -> str:
    """Mark it up for search engines, seen or unseen."""
    if choose(address, 2):
        return f'<meta itemprop="email" content="{escape(address)}">'
    return f'<span itemprop="email">{escape(address)}</span>'


def script(address: str) -> str:
    """Put it together in the visitor's browser."""
    local, domain = split(address)
    if choose(address, 2):
        name, _, suffix = domain.rpartition(".")
        return f'<script>document.write("{local}" + "@" + "{name}" + "." + "{suffix}");</script>'
    return (
        f"<script>var user = '{_in_script(local)}'; var site = '{domain}'; "
        "document.write('<a href=\"mailto:' + user + '@' + site + '\">' + user + '@' + site + '</a>');</script>"
    )


def _in_script(value: str) -> str:
    return value.replace("\\", "\\\\").replace("'", "\\'")


def attribute(address: str) -> str:
    """Leave the two halves in attributes for a script to join."""
    local, domain = split(address)
    names = (("data-user", "data-domain"), ("data-name", "data-host"), ("data-local", "data-domain"))
    user, site = names[choose(address, 3)]
    return f'<a class="js-mail" href="#" {user}="{escape(local)}" {site}="{escape(domain)}">E-mail</a>'


def hidden(address: str) -> str:
    """Write it where visitors do not see it; it is real all the same."""
    style = ('style="display:none"', "hidden", 'style="visibility:hidden"')[choose(address, 3)]
    return f"<div {style}><p>{escape(address)}</p></div>"


EMAIL: dict[str, Callable[[str], str]] = {
    "mailto": mailto,
    "text": text,
    "entities": entities,
    "cloudflare": cloudflare,
    "at-spelling": at_spelling,
    "microdata": microdata,
    "script": script,
    "attribute": attribute,
    "hidden": hidden,
}
