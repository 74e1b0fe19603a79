"""Up: everything on one machine, from private servers to workers, until told to stop."""

from __future__ import annotations

import logs
from cli.invite import invite
from cli.listening import listen
from cli.machine import check_before_start, interrupt_on_signals, processes, servers
from cli.text import note
from cli.web_address import web_url
from errors import UserError


def up() -> None:
    """Start what is needed, run the Procfile until told to stop, and stop what was started."""
    logs.configure()
    check_before_start()
    listen().close()
    interrupt_on_signals()
    try:
        with servers() as parts:
            note(f"ScraperSky starts at {web_url()}. Ctrl-C stops it.")
            invite()
            with processes(parts) as procfile:
                code = procfile.wait()
    except KeyboardInterrupt:
        note("Stopped.")
    else:
        raise UserError(f"The processes ended by themselves with exit code {code}: the lines above say why.")
