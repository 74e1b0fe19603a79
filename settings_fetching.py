"""Settings of fetching: how long, how large, how fast, and who we say we are. Read by `settings`."""

from __future__ import annotations

import re
from ipaddress import IPv4Address
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, field_validator

PROXY_SCHEMES = ("http", "socks5", "socks5h")
MIB = 1024 * 1024


class FetchingSettings(BaseModel):
    """A part of Settings, in a file of its own."""

    lane_gap_max_seconds: float = Field(
        60.0, gt=0, le=3600, description="most time between two visits to a host that is slow or in trouble"
    )
    robots_hours: float = Field(
        24.0, ge=1, le=24, description="how long a robots.txt is believed before it is read anew"
    )
    robots_retry_seconds: float = Field(
        300.0, ge=1, le=3600, description="least time before a robots.txt that could not be read is asked for again"
    )

    crawler_contact: str | None = Field(
        None, description="an email address or URL that site owners can reach you at, sent with every request"
    )
    fetch_connect_seconds: float = Field(5.0, gt=0, le=60, description="how long a site may take to accept us")
    fetch_read_seconds: float = Field(10.0, gt=0, le=120, description="how long a site may be silent")
    fetch_total_seconds: float = Field(20.0, gt=0, le=300, description="how long a whole page may take")
    page_max_bytes: int = Field(5 * MIB, ge=64 * 1024, le=64 * MIB, description="largest page, after decompression")
    domain_stale_days: int = Field(
        30, ge=1, le=3650, description="how long a domain that is found again is not read again"
    )
    sitemap_max_urls: int = Field(
        2_000_000, ge=1, le=50_000_000, description="addresses that are read from one sitemap; the rest is left out"
    )
    sitemap_max_bytes: int = Field(
        256 * MIB, ge=64 * 1024, le=4096 * MIB, description="how much of one sitemap is read, after decompression"
    )
    sitemap_max_seconds: float = Field(600.0, gt=0, le=3000, description="how long a whole sitemap may take to arrive")
    sitemap_max_files: int = Field(
        500, ge=1, le=50_000, description="sitemaps that are followed for one domain; further ones are left out"
    )
    pages_per_domain: int = Field(
        25, ge=1, le=10_000, description="pages of a domain that are visited, the best of all its sitemaps"
    )
    page_score_floor: float = Field(
        0.15, ge=0, le=1, description="least score of a page to be visited; the rest is stored and can be selected"
    )
    proxy_url: str | None = Field(
        None, description="http or socks5 proxy that sites are asked through; it is given checked addresses, not names"
    )
    sandbox_address: str | None = Field(
        None, description="host:port of `scrapersky sandbox serve`, which then answers for every name under .example"
    )

    @field_validator("proxy_url")
    @classmethod
    def _known_proxy(cls, value: str | None) -> str | None:
        expected = "a URL such as http://host:3128 or socks5://user:password@host:1080"
        if value and not _is_proxy(value):
            raise ValueError(f"expected {expected}")
        return value

    @field_validator("crawler_contact")
    @classmethod
    def _fits_a_header(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"[!-~]{3,200}", value):
            raise ValueError("expected an email address or URL of plain characters, without spaces")
        return value

    @field_validator("sandbox_address")
    @classmethod
    def _on_this_machine(cls, value: str | None) -> str | None:
        return value and _loopback(value)


def _is_proxy(value: str) -> bool:
    try:
        parts = urlsplit(value)
        return parts.scheme in PROXY_SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _loopback(value: str) -> str:
    host, _, port = value.rpartition(":")
    try:
        is_fine = IPv4Address(host).is_loopback and port.isascii() and 0 < int(port) < 65536
    except ValueError:
        is_fine = False
    if not is_fine:
        raise ValueError("expected an address on this machine such as 127.0.0.1:8089")
    return value
