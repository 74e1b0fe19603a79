"""`scrapersky services`: the embedded PostgreSQL and Valkey servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    import embedded

app = typer.Typer(help="Start, stop and inspect the embedded PostgreSQL and Valkey servers.", no_args_is_help=True)


@app.command()
def start() -> None:
    """Start the embedded servers; they go on running when this command ends."""
    import embedded
    from settings import settings

    root, parts = settings().scrapersky_dir, _ours()
    if parts:
        embedded.start(root, parts)
    for server in embedded.status(root, parts):
        _say(f"{server.title} {server.version} is running: {server.url}")


@app.command()
def stop() -> None:
    """Stop the embedded servers; their data stays."""
    import embedded
    from settings import settings

    parts = _ours()
    was_running = [s.title for s in embedded.status(settings().scrapersky_dir, parts) if s.running or s.pid]
    embedded.stop(settings().scrapersky_dir, parts)
    if parts:
        _say(f"Stopped {' and '.join(was_running)}." if was_running else "Nothing was running.")


@app.command()
def status() -> None:
    """Show which embedded servers run, and where they keep their data."""
    import embedded
    from settings import settings

    for server in embedded.status(settings().scrapersky_dir, _ours()):
        state = f"running, pid {server.pid or 'unknown'}" if server.running else "stopped"
        _say(f"{server.title} {server.version}: {state}")
        _say(f"  url   {server.url}")
        _say(f"  data  {server.directory} ({_readable(server.size_bytes)})")


def _ours() -> list[embedded.Part]:
    """The servers that are ours to run; says which are not, and why."""
    from settings import settings

    own: dict[embedded.Part, tuple[str, str | None]] = {
        "postgres": ("DATABASE_URL is set: your own PostgreSQL is used.", settings().database_url),
        "valkey": (
            "BROKER_URL or REDIS_URL is set: your own broker is used.",
            settings().broker_url or settings().redis_url,
        ),
    }
    for sentence, url in own.values():
        if url:
            _say(sentence)
    return [part for part, (_, url) in own.items() if not url]


def _readable(size_bytes: int) -> str:
    return f"{size_bytes / 1_000_000:.1f} MB"


def _say(line: str) -> None:
    from rich.console import Console

    # Paths and URLs are to be copied: no wrapping, and brackets in them are not markup.
    Console().print(line, markup=False, highlight=False, soft_wrap=True)
