"""Invite: the one-time link of the first start, shown where the person is who started it.

It is a plain line on the stderr of the command that was typed, never a log line: what collects logs keeps them for
long. The processes below `scrapersky up` and `scrapersky run`, whose output may go to a file, say nothing. Where stderr
is kept all the same, the link in it is worth nothing once it was used, or after LOGIN_LINK_HOURS.
"""

from __future__ import annotations

import structlog

from accounts import first_admin
from cli.text import note
from cli.web_address import web_url
from errors import UserError
from pipeline.database import DRIVER_FAULTS
from settings import settings

log = structlog.get_logger("web")


def invite() -> None:
    """Show a link to come in by when nobody can yet; a database that cannot be asked is no reason not to start."""
    try:
        link = first_admin.invite()
    except (UserError, *DRIVER_FAULTS) as fault:
        log.warning("first-admin-not-checked", error=str(fault))
        return
    if link is not None:
        hours = settings().login_link_hours
        note(f"Nobody has a password yet. Set one for {first_admin.EMAIL}, once, within {hours} hours, at")
        note(f"{web_url()}{link.path}")
