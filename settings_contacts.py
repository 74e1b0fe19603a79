"""Settings of contacts: when a domain has enough of them, and how they are validated. Read by `settings`."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, FilePath, field_validator

DNS_PORT = 53


class ContactSettings(BaseModel):
    """A part of Settings, in a file of its own."""

    saturated_emails: int = Field(
        10, ge=1, le=10_000, description="good emails after which a domain's remaining pages are not visited"
    )
    saturated_phones: int = Field(
        1, ge=0, le=10_000, description="good phones that a domain must have as well before its pages are left out"
    )
    mx_check: Literal["off", "dns"] = Field(
        "off", description="off, or dns: ask the domain name system whether the domain of an email takes mail"
    )
    mx_nameserver: str | None = Field(
        None, description="address of the name server that is asked, with :port if it is not 53; unset: the machine's"
    )
    mx_seconds: float = Field(5.0, gt=0, le=60, description="how long an answer about a domain's mail may take")
    disposable_domains_file: FilePath | None = Field(
        None, description="a file of further domains of throw-away addresses, one a line"
    )

    @field_validator("mx_nameserver")
    @classmethod
    def _an_address(cls, value: str | None) -> str | None:
        if value is not None:
            _server_of(value)
        return value

    @property
    def mx_server(self) -> tuple[str, int] | None:
        """The address and port of the name server that is asked; None for the machine's own."""
        return None if self.mx_nameserver is None else _server_of(self.mx_nameserver)


def _server_of(text: str) -> tuple[str, int]:
    is_bare_ipv6 = text.count(":") > 1 and "[" not in text
    try:
        parts = urlsplit(f"//[{text}]" if is_bare_ipv6 else f"//{text}")
        address, port = str(ip_address(parts.hostname or "")), parts.port
    except ValueError:
        raise ValueError("expected an IP address such as 9.9.9.9, 127.0.0.1:5353 or [::1]:5353") from None
    if parts.path or parts.username is not None or port == 0:
        raise ValueError("expected an IP address such as 9.9.9.9, 127.0.0.1:5353 or [::1]:5353")
    return address, port or DNS_PORT
