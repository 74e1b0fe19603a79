"""What a killed run leaves behind never keeps the next one from starting."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

import embedded
from embedded import processes
from errors import ServerDown
from tests.embedded.observe import broker, pid_of, processes_of, query, run_python, sigkill, wait_for


def test_a_killed_postgres_recovers_what_was_committed(root: Path) -> None:
    embedded.start(root, ["postgres"])
    query(root, "CREATE TABLE committed AS SELECT 'yes' AS answer")
    sigkill(pid_of(root, "postgres"))

    embedded.start(root, ["postgres"])

    assert query(root, "SELECT answer FROM committed") == [("yes",)]


def test_a_start_waits_for_the_children_of_a_killed_postgres(root: Path) -> None:
    embedded.start(root, ["postgres"])
    postmaster = psutil.Process(pid_of(root, "postgres"))
    straggler = next(child for child in postmaster.children() if "checkpointer" in " ".join(child.cmdline()))
    straggler.suspend()
    sigkill(postmaster.pid)

    starting = run_python("import sys, embedded; from pathlib import Path; embedded.start(Path(sys.argv[1]))", root)
    log = root / "postgres" / "postgres.log"
    wait_for(lambda: "pre-existing shared memory block" in log.read_text())
    straggler.resume()
    starting.communicate(timeout=30)

    assert starting.returncode == 0
    assert embedded.is_running(root)


def test_a_killed_valkey_starts_again(root: Path) -> None:
    embedded.start(root, ["valkey"])
    sigkill(pid_of(root, "valkey"))

    embedded.start(root, ["valkey"])

    assert embedded.is_running(root, ["valkey"])


@pytest.mark.parametrize("content", ["{stranger}\n", ""])
def test_a_misleading_pid_file_is_seen_through(root: Path, content: str) -> None:
    embedded.start(root)
    stale = root / "postgres" / "data" / "postmaster.pid"
    rest_of_file = stale.read_text().split("\n", 1)[1]
    for part in embedded.PARTS:
        sigkill(pid_of(root, part))
    with run_python("input()") as stranger:
        text = content.format(stranger=stranger.pid)
        stale.write_text(text + rest_of_file if "stranger" in content else text)
        (root / "postgres" / ".s.PGSQL.5432.lock").write_text(text)
        (root / "valkey" / "valkey.pid").write_text(text)

        embedded.stop(root)
        embedded.start(root)

        assert stranger.poll() is None
        assert embedded.is_running(root)


def test_a_server_whose_socket_was_deleted_is_started_again(root: Path) -> None:
    embedded.start(root, ["postgres"])
    for socket in [path for path in root.rglob("*") if path.is_socket()]:
        socket.unlink()

    embedded.start(root, ["postgres"])

    assert embedded.is_running(root, ["postgres"])
    assert len(processes_of(root)) == 1


@pytest.mark.parametrize("damage", [b"", b"not a dump at all", None])
def test_an_unreadable_dump_is_put_aside(root: Path, damage: bytes | None) -> None:
    embedded.start(root, ["valkey"])
    with broker(root) as client:
        client.set("message", "x" * 1000)
    embedded.stop(root)
    dump = root / "valkey" / "dump.rdb"
    whole = dump.read_bytes()
    dump.write_bytes(whole[: len(whole) // 2] if damage is None else damage)

    embedded.start(root, ["valkey"])

    assert (root / "valkey" / "dump.rdb.unreadable").exists()
    with broker(root) as client:
        assert client.get("message") is None


def test_an_interrupted_creation_of_the_cluster_is_begun_again(fresh: Path) -> None:
    """The killed starter's initdb goes on writing for a while, where the next one has to write."""
    starter = run_python("import sys, embedded; from pathlib import Path; embedded.start(Path(sys.argv[1]))", fresh)
    wait_for((fresh / "postgres" / "data.unfinished").exists)
    starter.kill()
    starter.communicate()

    embedded.start(fresh, ["postgres"])

    assert query(fresh, "SELECT 1") == [(1,)]
    assert not (fresh / "postgres" / "data.unfinished").exists()


def test_a_failed_start_says_why_in_one_sentence(root: Path) -> None:
    embedded.start(root, ["postgres"])
    embedded.stop(root)
    version = root / "postgres" / "data" / "PG_VERSION"
    version.write_text("9.6\n")

    with pytest.raises(ServerDown) as failure:
        embedded.start(root, ["postgres"])
    version.write_text("18\n")

    assert "PostgreSQL did not start: " in str(failure.value)
    assert "incompatible with server" in str(failure.value)
    assert f"(log: {root}/postgres/postgres.log)" in str(failure.value)
    assert "\n" not in str(failure.value)


def test_a_server_that_ignores_a_clean_stop_is_killed(root: Path) -> None:
    embedded.start(root, ["valkey"])
    valkey = psutil.Process(pid_of(root, "valkey"))
    valkey.suspend()

    processes.end(valkey, [("SIGTERM", 0.1), ("SIGKILL", 10)])

    assert not processes.is_alive(valkey.pid)


def test_only_verified_processes_are_signalled(root: Path) -> None:
    embedded.start(root, ["valkey"])
    program, pid_file = Path("valkey-server"), root / "valkey" / "valkey.pid"

    assert processes.find(pid_file, program, root / "valkey") is not None
    assert processes.find(pid_file, program, root / "other") is None
    assert processes.find(pid_file, Path("postgres"), root / "valkey") is None


def test_a_directory_nobody_can_write_is_explained(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")

    with pytest.raises(ServerDown, match="set SCRAPERSKY_DIR to another directory"):
        embedded.start(blocked / "root")
