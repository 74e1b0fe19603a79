"""Migrations run from zero, once, whoever else is running them, and say plainly what is wrong."""

from __future__ import annotations

import importlib
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy.engine import make_url

import migrations
from errors import BadInput, SchemaBehind, ServerDown
from migrations.runner import ONE_AT_A_TIME
from settings import settings


def read(url: str, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute(query.encode()).fetchall()


def change(url: str, statement: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(statement.encode())


def with_parts(url: str, **parts: str) -> str:
    return make_url(url).set(**parts).render_as_string(hide_password=False)  # type: ignore[arg-type]


def test_an_empty_database_gets_everything(database_url: str) -> None:
    assert migrations.current(database_url) is None

    applied = migrations.upgrade(database_url)

    assert applied[0] == "0001"
    assert applied[-1] == migrations.head() == migrations.current(database_url)
    migrations.check(database_url)


def test_upgrading_twice_changes_nothing(migrated_url: str) -> None:
    assert migrations.upgrade(migrated_url) == []


def test_two_upgrades_at_once_apply_everything_once(database_url: str) -> None:
    waiting = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    with ThreadPoolExecutor(2) as pool, psycopg.connect(database_url) as gate:
        gate.execute(str(ONE_AT_A_TIME).encode())
        both = [pool.submit(migrations.upgrade, database_url) for _ in range(2)]
        deadline = time.monotonic() + 20
        while len(read(database_url, waiting)) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        gate.commit()
        applied = sorted(upgrade.result() for upgrade in both)

    assert applied[0] == []
    assert applied[1][-1] == migrations.head()


def test_a_failed_upgrade_leaves_nothing_behind(database_url: str) -> None:
    change(database_url, "CREATE TABLE work (id int)")

    with pytest.raises(BadInput, match=r"tables of another program \(relation \"work\" already exists\)"):
        migrations.upgrade(database_url)

    assert read(database_url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'") == [("work",)]


def test_the_system_tenant_and_user_exist_and_cannot_log_in(database_url: str) -> None:
    migrations.upgrade(database_url)

    rows = read(database_url, "SELECT tenant_id, id, role, password_hash FROM users")
    assert rows == [(settings().default_tenant_id, settings().scheduler_system_user_id, "admin", None)]


def test_changed_settings_add_their_tenant_and_user(migrated_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tenant, user = uuid4(), uuid4()
    monkeypatch.setenv("DEFAULT_TENANT_ID", str(tenant))
    monkeypatch.setenv("SCHEDULER_SYSTEM_USER_ID", str(user))
    settings.cache_clear()

    migrations.upgrade(migrated_url)

    users = read(migrated_url, "SELECT tenant_id, id FROM users")
    assert len(users) == 2
    assert (tenant, user) in users


def test_what_a_person_changed_on_the_system_rows_stays(migrated_url: str) -> None:
    change(migrated_url, "UPDATE tenants SET name = 'Acme'")

    migrations.upgrade(migrated_url)

    assert read(migrated_url, "SELECT name FROM tenants") == [("Acme",)]


def test_a_database_behind_the_code_says_what_to_run(database_url: str) -> None:
    with pytest.raises(SchemaBehind) as caught:
        migrations.check(database_url)

    assert str(caught.value) == (
        f"The database is at revision none but this version needs {migrations.head()}: run `scrapersky db upgrade`."
    )


@pytest.mark.parametrize("action", [migrations.check, migrations.upgrade])
def test_a_database_ahead_of_the_code_asks_for_an_update(
    migrated_url: str, action: Callable[[str], list[str] | None]
) -> None:
    change(migrated_url, "UPDATE alembic_version SET version_num = '9999'")

    with pytest.raises(SchemaBehind, match=r"revision 9999, which this version does not know .* update the program"):
        action(migrated_url)


def test_a_database_that_is_down_is_named_without_its_password() -> None:
    with pytest.raises(ServerDown) as caught:
        migrations.upgrade("postgresql://anna:hunter2@127.0.0.1:1/leads")

    sentence = str(caught.value)
    assert sentence.startswith("PostgreSQL at 127.0.0.1:1/leads cannot be used (")
    assert sentence.endswith("start it or correct DATABASE_URL.")
    assert "hunter2" not in sentence
    assert "\n" not in sentence


def test_a_database_that_does_not_exist_is_said_so(postgres_url: str) -> None:
    with pytest.raises(ServerDown, match='database "nowhere" does not exist'):
        migrations.check(with_parts(postgres_url, database="nowhere"))


def test_a_user_without_rights_is_told_so(database_url: str, postgres_url: str) -> None:
    change(postgres_url, "DROP ROLE IF EXISTS guest")
    change(postgres_url, "CREATE ROLE guest LOGIN")
    change(database_url, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")

    with pytest.raises(BadInput, match=r"may not do this \(permission denied for schema public\)"):
        migrations.upgrade(with_parts(database_url, username="guest"))


def test_a_new_migration_is_written_from_the_models(
    migrated_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(Path(migrations.__file__).parent, tmp_path / "migrations")
    monkeypatch.setattr(migrations.runner, "HERE", folder)
    before, after = migrations.head(), f"{int(migrations.head()) + 1:04d}"
    change(migrated_url, "ALTER TABLE pages DROP COLUMN title")

    written = migrations.write_revision(migrated_url, "Add titles")

    assert written == folder / "versions" / f"{after}_add_titles.py"
    assert "op.add_column('pages', sa.Column('title', sa.Text(), nullable=True))" in written.read_text()
    with pytest.raises(SchemaBehind, match=f"at revision {before} but this version needs {after}"):
        migrations.check(migrated_url)
    assert migrations.upgrade(migrated_url) == [after]
    assert migrations.differences(migrated_url) == []


def test_there_is_no_way_back() -> None:
    files = (Path(migrations.__file__).parent / "versions").glob("0*.py")
    modules = [importlib.import_module(f"migrations.versions.{file.stem}") for file in files]

    assert modules
    assert [module for module in [migrations, *modules] if hasattr(module, "downgrade")] == []
