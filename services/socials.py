"""Socials: a link to a profile in its canonical form, and no share button, pixel, post or page of the platform."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import parse_qs, quote, unquote, urlsplit

from services.socials_networks import NETWORKS, NOT_THEIRS, Network

LONGEST_URL = 1_000

_BY_HOST: dict[str, list[Network]] = {}
for _each in NETWORKS:
    for _host in _each.hosts:
        _BY_HOST.setdefault(_host, []).append(_each)
# Languages and countries in front: de-de.facebook.com, uk.linkedin.com, m.facebook.com.
_FRONT = re.compile(r"(?:www|web|m|mobile|business|touch|[a-z]{2}(?:-[a-z]{2})?|[a-z]{2}-[a-z]{2})\.")
_EMBEDDED = re.compile(r"/plugins/(?:page|likebox|like|follow)\.php", re.IGNORECASE)


@lru_cache(maxsize=4096)
def profile_of(url: str) -> tuple[str, str] | None:
    """Give the network's name and the canonical URL of the profile that a link leads to, or None."""
    url = url.strip()
    if len(url) > LONGEST_URL or not _networks(_host_of(url)):
        return None
    parts = _split(url)
    if parts is None:
        return None
    host, path, query = parts
    networks = _networks(host)
    if networks and _EMBEDDED.match(path) and query:
        inner = parse_qs(query, max_num_fields=100).get("href", [""])[0] if query.count("&") < 100 else ""
        return profile_of(inner) if inner != url and "plugins" not in inner else None
    for network in networks:
        found = _profile(network, path, query)
        if found:
            return network.name, found
    return None


def _host_of(url: str) -> str:
    """Cut the host out of a URL: quick, since most links of a page lead to no network."""
    rest = url.partition("//")[2] if "//" in url[:10] else url
    host = rest.replace("\\", "/").partition("/")[0].partition("?")[0].partition("#")[0]
    return host.rpartition("@")[2].partition(":")[0].rstrip(".").lower()


def _split(url: str) -> tuple[str, str, str] | None:
    if url.startswith("//"):
        url = "https:" + url
    elif "://" not in url[:12]:
        if url.startswith(("/", "#", "?", ".")) or ":" in url[:12]:
            return None
        url = "https://" + url
    try:
        parts = urlsplit(url.replace("\\", "/"))
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        return None
    path = re.sub(r"/{2,}", "/", parts.path) or "/"
    if parts.fragment.startswith("!/"):
        path = "/" + parts.fragment[2:].partition("?")[0]
    return host, path, parts.query


def _networks(host: str) -> list[Network]:
    front = _FRONT.match(host)
    return _BY_HOST.get(host) or (_BY_HOST.get(host[front.end() :], []) if front else [])


def _profile(network: Network, path: str, query: str) -> str | None:
    needs_query = "\\?" in network.profile.pattern
    found = network.profile.match(f"{path}?{query}" if needs_query else path)
    if found is None:
        return None
    groups = [unquote(group).strip(" .") for group in found.groups()]
    handle = groups[-1]
    if not handle or handle.lower() in network.reserved or handle.lower() in NOT_THEIRS:
        return None
    if len(groups) > 1 and groups[0].lower() in network.reserved:
        return None
    if re.search(r"[\s<>\"'{}|\\^`\x00-\x1f]|\.(?:php|html?|aspx?|js)$", handle):
        return None
    clean = [quote(group if network.keeps_case else group.lower(), safe="@:+._-~") for group in groups]
    return network.written.format(*clean)
