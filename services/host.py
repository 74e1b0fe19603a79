"""Host: the registrable domain a host name belongs to, by the public suffix list that came with the program."""

from __future__ import annotations

from functools import cache, lru_cache

from tldextract import TLDExtract

from services.shared_hosts import BUILDERS


@cache
def _suffix_list() -> TLDExtract:
    # No network and no cache directory: the snapshot inside the package is the list.
    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True, extra_suffixes=BUILDERS)


@lru_cache(maxsize=10_000)
def is_suffix(host: str) -> bool:
    """Tell whether a name, given in lower case, is one below which others register theirs: `co.uk`, `wixsite.com`."""
    return not _suffix_list().extract_str(host).domain


@lru_cache(maxsize=10_000)
def has_known_suffix(host: str) -> bool:
    """Tell whether the list knows what a host name, given in lower case, ends in."""
    return bool(_suffix_list().extract_str(host).suffix)


@lru_cache(maxsize=10_000)
def registrable_domain(host: str) -> str:
    """Give the part of a host name that its owner registered; an address or a bare suffix stays as it is.

    Private suffixes count, so two customers of one site builder are two sites. Under a suffix that the list does not
    know the last two labels are it, as the list's own algorithm says.
    """
    host = host.lower().rstrip(".")
    found = _suffix_list().extract_str(host)
    if found.suffix:
        return f"{found.domain}.{found.suffix}" if found.domain else host
    labels = host.split(".")
    if found.ipv4 or ":" in host or len(labels) < 2:
        return host
    return ".".join(labels[-2:])
