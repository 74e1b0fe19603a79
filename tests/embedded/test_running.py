"""Start, stop, status, and data that stays."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import psutil
import psycopg
import pytest
from sqlalchemy import create_engine, text

import embedded
from embedded import PARTS
from errors import BadInput
from tests.embedded.observe import broker, pid_of, processes_of, query, run_python

START = "import sys, embedded; from pathlib import Path; embedded.start(Path(sys.argv[1]))"


def test_started_servers_answer_at_the_urls_known_beforehand(root: Path) -> None:
    promised = embedded.urls(root)

    assert embedded.start(root) == promised
    assert query(root, "SELECT current_user, current_database()") == [("scrapersky", "scrapersky")]
    with broker(root) as client:
        assert client.ping()


def test_the_database_is_durable_utf8_and_without_tcp(root: Path) -> None:
    embedded.start(root, ["postgres"])

    shown = {name: query(root, f"SHOW {name}")[0][0] for name in ("fsync", "listen_addresses", "server_encoding")}
    assert shown == {"fsync": "on", "listen_addresses": "", "server_encoding": "UTF8"}
    listening = psutil.Process(pid_of(root, "postgres")).net_connections(kind="inet")
    assert listening == []


def test_sqlalchemy_reads_the_database_url_even_with_another_pgport(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPORT", "6543")
    url = embedded.start(root, ["postgres"]).database_url

    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        assert connection.execute(text("SELECT 1")).scalar() == 1
    engine.dispose()


def test_status_tells_a_running_server_from_a_stopped_one(root: Path) -> None:
    before = embedded.status(root)
    embedded.start(root)
    during = embedded.status(root)
    embedded.stop(root)
    after = embedded.status(root)

    assert [s.running for s in (*before, *during, *after)] == [False, False, True, True, False, False]
    assert [s.pid is not None for s in (*before, *during, *after)] == [False, False, True, True, False, False]
    assert [s.name for s in during] == list(PARTS)
    assert during[0].version.startswith("18.")
    assert during[1].version.startswith("9.")
    assert during[0].size_bytes > 10_000_000


def test_stop_leaves_no_process_and_no_socket(root: Path) -> None:
    embedded.start(root)
    embedded.stop(root)

    assert not embedded.is_running(root, ["postgres"])
    assert not embedded.is_running(root, ["valkey"])
    assert processes_of(root) == []
    assert [path for path in root.rglob("*") if path.is_socket()] == []


def test_stop_where_nothing_ever_ran_creates_nothing(fresh: Path) -> None:
    embedded.stop(fresh)

    assert not fresh.exists()


def test_stop_ends_a_server_that_has_clients(root: Path) -> None:
    url = embedded.start(root, ["postgres"]).database_url

    with psycopg.connect(url):
        embedded.stop(root)
    assert not embedded.is_running(root, ["postgres"])


def test_data_is_kept_between_runs(root: Path) -> None:
    embedded.start(root)
    query(root, "CREATE TABLE kept AS SELECT 'yes' AS answer")
    with broker(root) as client:
        client.set("kept", "yes")
    embedded.stop(root)

    embedded.start(root)

    assert query(root, "SELECT answer FROM kept") == [("yes",)]
    with broker(root) as client:
        assert client.get("kept") == "yes"


def test_starting_twice_changes_nothing(root: Path) -> None:
    embedded.start(root)
    first = [s.pid for s in embedded.status(root)]

    embedded.start(root)

    assert [s.pid for s in embedded.status(root)] == first


def test_each_server_can_be_handled_alone(root: Path) -> None:
    embedded.start(root)
    embedded.stop(root, ["postgres"])

    assert [s.running for s in embedded.status(root)] == [False, True]


def test_two_roots_run_side_by_side(root: Path, tmp_path: Path) -> None:
    with embedded.temporary(root=tmp_path / "other"):
        embedded.start(root)
        query(root, "CREATE TABLE mine ()")

        assert query(tmp_path / "other", "SELECT to_regclass('mine')") == [(None,)]
    assert embedded.is_running(root)


def test_two_processes_starting_one_root_at_once_share_its_servers(fresh: Path) -> None:
    starters = [run_python(START, fresh) for _ in range(3)]
    for starter in starters:
        starter.communicate(timeout=30)

    assert [starter.returncode for starter in starters] == [0, 0, 0]
    postmasters = [p for p in processes_of(fresh) if p.name() == "postgres"]
    brokers = [p for p in processes_of(fresh) if p.name() == "valkey-server"]
    assert (len(postmasters), len(brokers)) == (1, 1)


def test_the_root_is_private_and_ignored_by_git(fresh: Path) -> None:
    embedded.start(fresh, ["valkey"])

    others = stat.S_IRWXG | stat.S_IRWXO
    passing_through = stat.S_IXGRP | stat.S_IXOTH if os.geteuid() == 0 else 0
    assert fresh.stat().st_mode & others == passing_through
    assert (fresh / "valkey").stat().st_mode & others == 0
    assert (fresh / ".gitignore").read_text() == "*\n"


def test_a_directory_that_holds_other_files_is_neither_ignored_nor_deleted(fresh: Path) -> None:
    fresh.mkdir()
    (fresh / "thesis.txt").write_text("years of work")
    embedded.start(fresh, ["valkey"])

    with pytest.raises(BadInput, match="holds more than the embedded servers"):
        embedded.delete(fresh)
    assert (fresh / "thesis.txt").exists()
    assert not (fresh / ".gitignore").exists()


def test_delete_leaves_nothing(fresh: Path) -> None:
    embedded.start(fresh, ["valkey"])
    embedded.delete(fresh)

    assert not fresh.exists()
    assert processes_of(fresh) == []


def test_servers_are_in_a_session_of_their_own_so_ctrl_c_does_not_reach_them(root: Path) -> None:
    embedded.start(root)

    assert os.getsid(0) not in {os.getsid(pid_of(root, part)) for part in PARTS}
