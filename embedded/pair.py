"""The two servers of a root directory, handled together or one by one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from embedded import processes, programs
from embedded.paths import Places, bytes_under
from embedded.postgres import Postgres
from embedded.server import Part, Server
from embedded.valkey import Valkey
from errors import BadInput

PARTS: tuple[Part, ...] = ("postgres", "valkey")


@dataclass(frozen=True)
class Servers:
    """How to reach the servers of a root."""

    database_url: str
    broker_url: str


@dataclass(frozen=True)
class ServerStatus:
    """What there is to know about one server."""

    name: Part
    title: str
    running: bool
    pid: int | None
    version: str
    url: str
    directory: Path
    size_bytes: int


def urls(root: Path) -> Servers:
    """Say how the servers of `root` are reached, whether or not they run."""
    places = Places.of(root)
    return Servers(database_url=Postgres(places).url, broker_url=Valkey(places).url)


def start(root: Path, parts: Collection[Part] = PARTS) -> Servers:
    """Start what does not run yet; returns when everything accepts connections."""
    places = Places.of(root)
    servers = _servers(places, parts)
    for server in servers:
        server.find_program()
    with places.faults_in_words():
        places.create()
        with places.locked():
            for server in servers:
                server.start()
    return urls(root)


def stop(root: Path, parts: Collection[Part] = PARTS) -> None:
    """Stop what runs; data stays."""
    places = Places.of(root)
    if not places.lock.exists():
        return
    with places.faults_in_words(), places.locked():
        for server in _servers(places, parts):
            server.stop()
        if not any(server.accepts() for server in _servers(places, PARTS)):
            places.remove_distant_sockets()


def status(root: Path, parts: Collection[Part] = PARTS) -> list[ServerStatus]:
    """Describe the servers of `root`, running or not."""
    places = Places.of(root)
    with places.faults_in_words():
        return [_status(server) for server in _servers(places, parts)]


def is_running(root: Path, parts: Collection[Part] = PARTS) -> bool:
    """Whether all the servers accept connections."""
    places = Places.of(root)
    with places.faults_in_words():
        return all(server.accepts() for server in _servers(places, parts))


def delete(root: Path) -> None:
    """Stop the servers of `root` and remove it with everything in it."""
    places = Places.of(root)
    stop(root)
    if not places.is_ours():
        raise BadInput(f"{places.root} holds more than the embedded servers: remove it yourself.")
    processes.remove_tree(places.root)


def _servers(places: Places, parts: Collection[Part]) -> list[Server]:
    known: dict[Part, Server] = {"postgres": Postgres(places), "valkey": Valkey(places)}
    return [server for part, server in known.items() if part in parts]


def _status(server: Server) -> ServerStatus:
    process = server.process()
    return ServerStatus(
        name=server.name,
        title=server.title,
        running=server.accepts(),
        pid=process.pid if process else None,
        version=programs.version(server.find_program()),
        url=server.url,
        directory=server.directory,
        size_bytes=bytes_under(server.directory),
    )
