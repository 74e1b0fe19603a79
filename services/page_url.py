"""Page URL: one spelling for each address, absolute http(s), or none. Any text can be read; nothing here raises."""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import IPv6Address
from urllib.parse import quote, unquote_to_bytes, urljoin

import idna

LONGEST_BYTES = 2048
LONGEST_GIVEN = 16 * 1024  # what is longer even before it is tidied is not looked at
LONGEST_HOST = 253
HIGHEST_PORT = 65535
DEFAULT_PORTS = {"http": 80, "https": 443}

# They say where a visitor came from or who he is, never which page it is.
TRACKING = frozenset(
    (  # noqa: SIM905
        "_ga _gl _gac _hsenc _hsmi __hssc __hstc __hsfp hsctatracking _kx _openstat aspsessionid cfid cftoken dclid "
        "epik fb_action_ids fb_action_types fb_source fbclid gad_source gbraid gclid gclsrc hsa_acc hsa_ad hsa_cam "
        "hsa_grp hsa_kw hsa_mt hsa_net hsa_src hsa_tgt hsa_ver icid igsh igshid jsessionid li_fat_id mc_cid mc_eid "
        "mkt_tok ml_subscriber ml_subscriber_hash msclkid oly_anon_id oly_enc_id phpsessid piwik_campaign s_cid "
        "s_kwcid sc_campaign sc_channel srsltid trk_contact trk_msg trk_module trk_sid ttclid twclid vero_conv "
        "vero_id wbraid wickedid yclid zanpid"
    ).split()
)
TRACKING_STARTS = ("utm_", "mtm_", "pk_", "matomo_")

# An address that is as it should be: no escapes, no empty parameters, nothing to lower.
_TIDY = re.compile(
    r"(https?://[a-z0-9.-]++)/[A-Za-z0-9_~!$'()*+,:@/.-]*+"
    r"(?:\?([A-Za-z0-9_~!$'()*+,:@/.=;?-]++(?:&[A-Za-z0-9_~!$'()*+,:@/.=;?-]++)*+))?+"
)
_ABSOLUTE = re.compile(r"(?i)(https?):[/\\]{2}([^/\\?#]*)([^?#]*)(?:\?([^#]*))?")
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]*)(?::([0-9]{0,5}))?")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})?")
_SESSION = re.compile(r"(?i);(?:jsessionid|phpsessid)=[^/;]*")
# A tab or line end inside an address is a layout accident, and browsers drop it.
_ACCIDENTS = dict.fromkeys(map(ord, "\t\r\n\u200b\ufeff"))
_EDGES = "".join(map(chr, range(33))) + "\x7f\x85\xa0\u200b\ufeff\u2028\u2029"
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PATH_SAFE = "!$&'()*+,;=:@/%"
_QUERY_SAFE = "!$&'()*+,;=:@/?%[]|"


def normalise(url: str, base: str = "") -> str | None:
    """Spell an address the one way it is stored; None when it is not, even beside `base`, an http(s) address.

    The fragment, tracking parameters, credentials, default ports and dot segments go; the host is lower-case ASCII;
    escapes stand only where they must and in capitals. Doing it twice changes nothing.
    """
    tidy = _TIDY.fullmatch(url)
    if tidy is None or len(url) > LONGEST_BYTES or "/." in url:
        return _tidied(url, base)
    origin, query = tidy.groups()
    if _is_origin(origin) and (query is None or not any(map(_is_tracking, query.split("&")))):
        return url
    return _tidied(url, base)


def _tidied(url: str, base: str) -> str | None:
    if len(url) > LONGEST_GIVEN:
        return None
    url = url.strip(_EDGES).translate(_ACCIDENTS)
    found = _ABSOLUTE.match(url) or _ABSOLUTE.match(_beside(base, url))
    # A character that was lost on the way here makes it an address that nobody gave.
    if found is None or not url or "\ufffd" in url:
        return None
    scheme, authority, path, query = found[1].lower(), found[2], found[3], found[4]
    host = _authority(authority, DEFAULT_PORTS[scheme])
    if host is None:
        return None
    whole = f"{scheme}://{host}{_path(path)}{_query(query) if query else ''}"
    return whole if len(whole) <= LONGEST_BYTES else None


def _beside(base: str, url: str) -> str:
    """Resolve what has no scheme; what has another one, or ours without its slashes, leads nowhere."""
    if not base or _SCHEME.match(url):
        return ""
    try:
        return urljoin(base, url)
    except ValueError:
        return ""


def _authority(authority: str, default_port: int) -> str | None:
    found = _AUTHORITY.fullmatch(authority.rpartition("@")[2])
    if found is None:
        return None
    host, port = _host(found[1]), int(found[2] or default_port)
    if host is None or not 0 < port <= HIGHEST_PORT:
        return None
    return host if port == default_port else f"{host}:{port}"


@lru_cache(maxsize=256)
def _host(host: str) -> str | None:
    if host.startswith("["):
        return _bracketed(host[1:-1])
    if len(host) > LONGEST_HOST * 3:
        return None
    if "%" in host:
        host = unquote_to_bytes(host).decode("utf-8", "replace")
    name = host.lower().rstrip(".") if host.isascii() else _ascii(host)
    return name if name is not None and _is_name(name) else None


def _bracketed(address: str) -> str | None:
    try:
        return f"[{IPv6Address(address).compressed}]"
    except ValueError:
        return None


def _ascii(host: str) -> str | None:
    try:
        return idna.encode(host, uts46=True).decode("ascii").lower().rstrip(".")
    except UnicodeError:
        return None


def _is_name(host: str) -> bool:
    labels = host.split(".")
    if len(host) > LONGEST_HOST or not all(map(_LABEL.fullmatch, labels)):
        return False
    # Where the last label is a number the whole is an IPv4 address, and in any other spelling a trick.
    if _NUMBER.fullmatch(labels[-1]):
        return (
            len(labels) == 4
            and all(label.isdigit() and str(int(label)) == label for label in labels)
            and (max(map(int, labels)) < 256)
        )
    return True


@lru_cache(maxsize=256)
def _is_origin(origin: str) -> bool:
    """Tell whether scheme and host are already spelt right."""
    host = origin.partition("://")[2]
    return _host(host) == host


def _path(path: str) -> str:
    path = _escapes(path.replace("\\", "/"), _PATH_SAFE)
    if ";" in path:
        path = _SESSION.sub("", path)
    return _without_dots(path) if "/." in path else path or "/"


def _without_dots(path: str) -> str:
    kept: list[str] = []
    *folders, last = path.split("/")[1:]
    for segment in folders:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if last == "..":
        del kept[-1:]
    return "/".join(["", *kept, "" if last in (".", "..") else last])


def _query(query: str) -> str:
    kept = [part for part in query.split("&") if part and not _is_tracking(part)]
    return f"?{_escapes('&'.join(kept), _QUERY_SAFE)}" if kept else ""


def _is_tracking(part: str) -> bool:
    name = part.partition("=")[0].lower()
    if "%" in name:
        name = unquote_to_bytes(name).decode("utf-8", "replace").lower()
    return name in TRACKING or name.startswith(TRACKING_STARTS)


def _escapes(text: str, safe: str) -> str:
    """Escape what must be, spell escapes in capitals, and take back those that need not be."""
    if "%" in text:
        text = _ESCAPE.sub(_escape, text)
    return quote(text, safe=safe, errors="replace")


def _escape(found: re.Match[str]) -> str:
    if found[1] is None:
        return "%25"
    code = int(found[1], 16)
    return chr(code) if code in _UNRESERVED else f"%{found[1].upper()}"
