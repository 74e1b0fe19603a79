"""Website: the addresses in a text that people typed, pasted and mangled. Nothing here raises."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from urllib.parse import parse_qs, quote, unquote

import idna

# What matters of a website stands at its beginning, and reading stays quick whatever comes.
MOST_CHARACTERS = 2048
MOST_PIECES = 40
MOST_SCHEMES = 3
LONGEST_LABEL = 63

# Marks that are not seen: zero-width, soft hyphen, direction, byte order, variation, control.
UNSEEN = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")  # fmt: skip  # noqa: E501
BETWEEN = re.compile(r"[\s,;|<>\"'`(){}\[\]*\u2018-\u201f\u00ab\u00bb\u2022\u00b7]+")
# http as it is typed: htp, hhtp, ttp, http//, http:/, http;//, https//:, http:\\ and twice in a row.
SCHEME = re.compile(r"(?:h{0,2}t{1,3}p{1,2}(s{0,2})|ftp)(?:[:;.]*[/\\]+[:/\\]*|[:;]+[/\\]*)")
AGAIN = re.compile(r"h?ttps?[:;.]*[/\\]")
ESCAPED_SCHEME = re.compile(r"(?i)https?%3a")
LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
AUTHORITY_END = re.compile(r"[/?#\\]")
DOTS = re.compile(r"[.\u3002\uff61]+")
# Somebody who is reached by these is no host.
NOT_A_HOST = re.compile(r"(?:mailto|e-?mail|mail|tel|phone|fax|sip|skype|sms|callto|javascript|data|file|about|blob):")
EDGES = ".,;:!?-_~^=+$%&@'\"…)("
# Pages that only lead on to the address in their query.
REDIRECTS = {"url": ("q", "url"), "l.php": ("u",), "redirect": ("q", "url"), "biz_redir": ("url",)}


@dataclass(frozen=True, slots=True)
class Address:
    """Where a website would be. `is_certain`: it was written as an address, or there is nothing else in the text."""

    scheme: str
    host: str  # lower-case ASCII
    path: str
    query: str
    is_certain: bool


@dataclass(frozen=True, slots=True)
class Candidates:
    """A text as it can be read, and the addresses in it, likeliest first."""

    text: str
    addresses: Iterator[Address]


def candidates(given: str) -> Candidates:
    """Find the addresses in a text."""
    text = _readable(given)
    return Candidates(text, _addresses(text))


def redirect_target(address: Address) -> str:
    """Give the address that a redirecting page of a shared host leads to; nothing when it is none."""
    names = REDIRECTS.get(address.path.rsplit("/", 1)[-1], ())
    if not names or address.query.count("&") > MOST_PIECES:
        return ""
    query = parse_qs(address.query)
    return next((query[name][0] for name in names if name in query), "")


def _readable(given: str) -> str:
    text = unicodedata.normalize("NFKC", UNSEEN.sub("", given[:MOST_CHARACTERS]))[:MOST_CHARACTERS]
    text = UNSEEN.sub("", html.unescape(text))
    if ESCAPED_SCHEME.search(text):
        text = unquote(text, errors="replace")
    return " ".join(text.split())


def _addresses(text: str) -> Iterator[Address]:
    pieces = [piece for piece in BETWEEN.split(text, maxsplit=MOST_PIECES)[:MOST_PIECES] if piece]
    joined = text.replace(" ", "").replace(",", ".")
    is_alone = len(pieces) == 1
    for number, piece in enumerate(pieces):
        found = [*_read(piece, is_alone=is_alone)]
        yield from found
        # A space inside an address leaves a beginning that is none: `http:// smith.com`, `www.smith .com`.
        if number == 0 and not is_alone and _begins_an_address(piece):
            yield from _read(joined, is_alone=False)
    if 1 < len(pieces) <= 3:
        yield from _read(joined, is_alone=False)


def _begins_an_address(piece: str) -> bool:
    lower = piece.lower()
    return bool(SCHEME.match(lower)) or lower.startswith("www")


def _read(piece: str, *, is_alone: bool) -> Iterator[Address]:
    """Read a piece as an address; one that begins with no host is read again from a scheme in its middle."""
    later = islice(AGAIN.finditer(piece.lower(), 1), MOST_SCHEMES)
    for start in (0, *(found.start() for found in later)):
        address = _read_one(piece[start:], is_alone=is_alone)
        if address is not None:
            yield address
            if "." in address.host and not address.host.endswith((".http", ".https")):
                return


def _read_one(piece: str, *, is_alone: bool) -> Address | None:
    rest, scheme = _without_schemes(piece.lstrip(EDGES + "/\\"))
    if NOT_A_HOST.match(rest.lower()):
        return None
    end = AUTHORITY_END.search(rest)
    authority, tail = (rest[: end.start()], rest[end.start() :]) if end else (rest, "")
    user, at, host = authority.rpartition("@")
    if at and not scheme and ":" not in user:
        return None  # an email address
    ascii_host = _ascii_host(_without_port(host))
    if ascii_host is None:
        return None
    path, _, query = tail.partition("#")[0].replace("\\", "/").partition("?")
    is_certain = is_alone or bool(scheme) or ascii_host.startswith("www.")
    return Address(
        scheme or "http", ascii_host, quote(path, safe="/%:@!$&'()*+,;=~", errors="replace"), query, is_certain
    )


def _without_schemes(piece: str) -> tuple[str, str]:
    """Take the schemes off the front; the last one holds."""
    scheme = ""
    while found := SCHEME.match(piece.lower()):
        scheme = "https" if found[1] else "http"
        piece = piece[found.end() :].lstrip("/\\")
    return piece, scheme


def _without_port(host: str) -> str:
    return host if host.startswith("[") else host.partition(":")[0]


def _ascii_host(host: str) -> str | None:
    """Spell a host in lower-case ASCII; None when a label of it cannot be one."""
    if "%" in host:
        host = unquote(host, errors="replace")
    dotted = DOTS.sub(".", host.lower()).strip(EDGES + " ")
    if not dotted or len(dotted) > 4 * LONGEST_LABEL + 4:
        return None
    labels = [_ascii_label(label) for label in dotted.split(".")]
    return ".".join(label for label in labels if label) if all(labels) else None


def _ascii_label(label: str) -> str | None:
    if len(label) > LONGEST_LABEL:
        return None
    if not label.isascii():
        label = _encoded(label)
    elif label.startswith("xn--") and not _is_decodable(label):
        return None
    return label if LABEL.fullmatch(label) else None


def _encoded(label: str) -> str:
    """Encode by IDNA 2008 with the mapping of UTS 46; names of signs, such as hearts, only by IDNA 2003."""
    for encode in (_encode_2008, _encode_2003):
        try:
            encoded = encode(label)
        except UnicodeError:
            continue
        if _is_decodable(encoded):
            return encoded
    return ""


def _is_decodable(label: str) -> bool:
    for decode in (idna.decode, _decode_2003):
        try:
            decode(label)
        except UnicodeError:
            continue
        return True
    return False


def _encode_2008(label: str) -> str:
    return idna.encode(label, uts46=True).decode("ascii")


def _encode_2003(label: str) -> str:
    return label.encode("idna").decode("ascii")


def _decode_2003(label: str) -> str:
    return label.encode("ascii").decode("idna")
