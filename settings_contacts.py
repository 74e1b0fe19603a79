"""Settings of contacts: when a domain has enough of them, and how they are validated. Read by `settings`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field


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
    disposable_domains_file: Path | None = Field(
        None, description="a file of further domains of throw-away addresses, one a line"
    )
