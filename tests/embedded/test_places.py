"""Paths that are too long, closed to others, or planted; platforms without programs."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import psutil
import pytest

import embedded
from embedded import programs
from embedded.paths import Places
from embedded.privileges import Account
from errors import NoEmbeddedServer, ServerDown
from tests.embedded.observe import broker, pid_of, processes_of, query, run_python

PRETEND_WINDOWS = """
import os, platform, psycopg, psutil, signal, socket, sys
from pathlib import Path
for module, name in ((os, "geteuid"), (os, "getuid"), (socket, "AF_UNIX"), (signal, "SIGKILL"), (signal, "SIGQUIT")):
    delattr(module, name)
sys.modules |= {"fcntl": None, "pwd": None}
platform.system = lambda: "Windows"
sys.path = [path for path in sys.path if "site-packages" not in path]

import embedded, errors
try:
    assert not embedded.is_running(Path(sys.argv[1]))
    embedded.start(Path(sys.argv[1]))
except errors.NoEmbeddedServer as sentence:
    print(sentence)
"""

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives its privileges up")


def test_a_path_no_socket_can_have_gets_a_short_private_one(tmp_path: Path) -> None:
    place = tmp_path / ("long" * 40) / 'it\'s, 100% "odd" $HOME: [é]'
    short = Places.of(place).sockets

    with embedded.temporary(root=place, delete=False) as servers:
        assert servers == embedded.urls(place)
        assert short.parent == Path("/tmp")
        assert short.lstat().st_uid == os.geteuid()
        assert query(place, "SELECT 1") == [(1,)]
        with broker(place) as client:
            assert client.ping()

    assert not short.exists()
    assert place.exists()
    embedded.delete(place)


def test_urls_depend_on_the_root_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / ("long" * 40)
    first = embedded.urls(place)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    assert embedded.urls(Path("long" * 40)) == first
    assert embedded.urls(tmp_path / ("long" * 39)) != first


@pytest.mark.parametrize("name", ["a space", "a:colon", "a,comma", "100%", "é"])
def test_urls_never_need_quoting(tmp_path: Path, name: str) -> None:
    assert Places.of(tmp_path / name).sockets.parent == Path("/tmp")


def test_a_planted_socket_directory_is_refused(tmp_path: Path) -> None:
    place = tmp_path / ("long" * 40)
    short = Places.of(place).sockets
    short.symlink_to(tmp_path)

    try:
        with pytest.raises(ServerDown, match="belongs to somebody else"):
            embedded.start(place, ["valkey"])
    finally:
        short.unlink()


@as_root
@pytest.mark.skipif(
    any(not parent.stat().st_mode & 0o001 for parent in programs.postgres().parents),
    reason="below a closed directory no other account reaches the programs: see the test of that",
)
def test_root_runs_postgres_as_nobody_or_as_whoever_owns_the_data() -> None:
    with embedded.temporary(parts=["postgres"]) as servers:
        postmaster = _postmaster_at(servers)

        assert postmaster.username() == "nobody"
        assert _effective_capabilities(postmaster) == 0

        # Data that a normal user made stays theirs.
        home = Path(postmaster.cmdline()[2]).parent
        embedded.stop(home.parent)
        for path in (home, *home.rglob("*")):
            os.chown(path, 12345, 12345)
        embedded.start(home.parent, ["postgres"])
        assert _postmaster_at(servers).uids().effective == 12345


@as_root
def test_root_runs_postgres_below_a_closed_directory(root: Path) -> None:
    root.parent.chmod(0o700)
    embedded.start(root, ["postgres"])
    postmaster = psutil.Process(pid_of(root, "postgres"))

    namespaces = {Path(f"/proc/{pid}/ns/user").readlink() for pid in (postmaster.pid, os.getpid())}
    assert len(namespaces) == 2, "root only under another number, in a namespace where it has no capability outside"
    assert _effective_capabilities(postmaster) == 0
    assert root.parent.stat().st_mode & 0o777 == 0o700
    assert query(root, "SELECT 1") == [(1,)]


@as_root
def test_root_without_a_way_to_become_another_is_told_what_to_do(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh.parent.chmod(0o700)
    for other in ("_renamed_root", "_past_closed_parents"):
        monkeypatch.setattr(f"embedded.privileges.{other}", lambda *ids: Account(prefix=("no-such-program",)))

    with pytest.raises(NoEmbeddedServer, match="run this as a normal user, or set DATABASE_URL"):
        embedded.start(fresh, ["postgres"])


def test_a_missing_program_is_one_sentence() -> None:
    with pytest.raises(NoEmbeddedServer, match=r"^There is no embedded PostgreSQL for .*: set DATABASE_URL to .*\.$"):
        programs.postgres(locate=lambda _: None)
    with pytest.raises(NoEmbeddedServer, match=r"^There is no embedded Valkey for .*: set REDIS_URL to .*\.$"):
        programs.valkey(locate=lambda _: None)


def test_a_platform_without_programs_creates_nothing(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setattr("platform.machine", lambda: "vax")

    for part in embedded.PARTS:
        with pytest.raises(NoEmbeddedServer):
            embedded.start(fresh, [part])
    assert not fresh.exists()


def test_windows_is_told_in_one_sentence(fresh: Path) -> None:
    """Take away what Windows lacks; the package must load without it and say what to do."""
    with run_python(PRETEND_WINDOWS, fresh) as windows:
        said = windows.communicate(timeout=30)[0]

    assert said.startswith("There is no embedded PostgreSQL for windows-")
    assert said.count("\n") == 1
    assert not fresh.exists()


@pytest.mark.parametrize("name", ["short", "long" * 40])
def test_a_root_deleted_under_its_server_can_be_started_afresh(tmp_path: Path, name: str) -> None:
    place = tmp_path / name
    embedded.start(place, ["valkey"])
    shutil.rmtree(place)

    embedded.start(place, ["valkey"])

    assert embedded.is_running(place, ["valkey"])
    assert len(processes_of(place)) == 1
    embedded.delete(place)


def _postmaster_at(servers: embedded.Servers) -> psutil.Process:
    home = Path(servers.database_url.split("host=")[1].split("&")[0])
    return psutil.Process(pid_of(home.parent, "postgres"))


def _effective_capabilities(process: psutil.Process) -> int:
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1], 16) for line in lines if line.startswith("CapEff"))
