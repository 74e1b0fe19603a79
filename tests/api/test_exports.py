"""`/api/v3/exports` over real HTTP: whole files, in bounded memory, and never a half that looks whole."""

from __future__ import annotations

import csv
import gc
import io
import json
import subprocess
import types
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from embedded import Servers
from embedded.processes import wait_until
from pipeline.database import database
from services.xlsx_rows import sheet_rows
from tests.api.doors import audited, execute, many_contacts, rows
from tests.api.people import People, Person
from tests.cli.terminal import PROGRAM, environment, free_port

LEADS, CONTACTS = "/api/v3/exports/leads", "/api/v3/exports/contacts"
LONG = 70  # 2,240 characters of proof: twenty thousand rows are 45 MB


def lines(answer: httpx.Response) -> list[dict[str, str]]:
    assert answer.status_code == 200, answer.text
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def _business(person: Person, name: str, domain: str) -> None:
    execute(
        "WITH place AS (INSERT INTO places (tenant_id, provider, provider_place_id) VALUES (%s, 'list', %s)"
        " RETURNING id, tenant_id), own AS (INSERT INTO local_businesses (tenant_id, place_id, name, city)"
        " SELECT tenant_id, id, %s, 'Austin' FROM place RETURNING id, tenant_id)"
        " INSERT INTO local_business_domains (tenant_id, local_business_id, domain_id)"
        " SELECT own.tenant_id, own.id, domains.id FROM own JOIN domains ON domains.tenant_id = own.tenant_id"
        " AND domains.name = %s",
        person.tenant_id, name, name, domain,
    )  # fmt: skip


@pytest.mark.parametrize("format_", ["csv", "xlsx", "jsonl", "vcard"])
def test_every_format_holds_the_same_contacts(curator: Person, format_: str) -> None:
    many_contacts(curator.tenant_id, 1200)
    answer = curator.client.get(CONTACTS, params={"format": format_})
    assert answer.status_code == 200
    ending = {"vcard": "vcf"}.get(format_, format_)
    assert answer.headers["content-disposition"].endswith(f'.{ending}"')
    assert answer.headers["cache-control"] == "no-store"
    expected = {row["value"] for row in rows("SELECT value FROM contacts")}
    assert _values(format_, answer.content) == expected
    assert audited(curator.tenant_id) == [("export", "contacts"), ("exported", "contacts")]
    assert rows("SELECT detail -> 'rows' AS rows FROM audit_entries ORDER BY id DESC LIMIT 1") == [{"rows": 1200}]


def _values(format_: str, content: bytes) -> set[str]:
    if format_ == "csv":
        return {row["value"] for row in csv.DictReader(io.StringIO(content.decode("utf-8-sig")))}
    if format_ == "jsonl":
        return {json.loads(line)["value"] for line in content.splitlines()}
    if format_ == "vcard":
        text = content.decode().replace("\r\n ", "")
        return {line.partition(":")[2] for line in text.splitlines() if line.startswith("EMAIL")}
    found = [cells for _, cells in sheet_rows(io.BytesIO(content))]
    return {cells[found[0].index("value")] for cells in found[1:]}


def test_leads_are_filtered_limited_and_shaped_for_a_crm(curator: Person) -> None:
    many_contacts(curator.tenant_id, 100)
    for nth in range(1, 4):
        _business(curator, f"Firm {nth}", f"site-{nth}.example")
    assert [row["name"] for row in lines(curator.client.get(LEADS))] == ["Firm 1", "Firm 2", "Firm 3"]
    assert [row["name"] for row in lines(curator.client.get(LEADS, params={"where": ["name~2", "city=Austin"]}))] == [
        "Firm 2"
    ]
    assert len(lines(curator.client.get(LEADS, params={"limit": 2}))) == 2
    assert "Email" in lines(curator.client.get(LEADS, params={"columns": "hubspot"}))[0]


def test_who_is_suppressed_leaves_in_no_format(curator: Person) -> None:
    many_contacts(curator.tenant_id, 300)
    values = ["mail-5@site-6.example", "site-9.example"]
    assert curator.client.post("/api/v3/suppressions", json={"values": values}).status_code == 201
    for format_ in ("csv", "xlsx", "jsonl", "vcard"):
        found = _values(format_, curator.client.get(CONTACTS, params={"format": format_}).content)
        assert len(found) == 296
        assert not {value for value in found if value == values[0] or value.endswith("@site-9.example")}


@pytest.mark.parametrize(
    ("params", "status", "sentence"),
    [
        ({"where": "colour=red"}, 400, "There is no field 'colour'"),
        ({"where": "city"}, 400, "'city' is no condition"),
        ({"where": "value=\x00"}, 400, "value needs a value"),
        ({"format": "pdf"}, 422, "query.format"),
        ({"format": "vcard", "columns": "brevo"}, 400, "A vCard has fields of its own"),
        ({"search": 2**62}, 404, "There is no search"),
        ({"limit": 0}, 422, "query.limit"),
    ],
)
def test_what_cannot_be_exported_is_refused_in_words(
    curator: Person, params: dict[str, str], status: int, sentence: str
) -> None:
    answer = curator.client.get(CONTACTS, params=params)
    assert (answer.status_code, sentence in answer.json()["detail"]) == (status, True), answer.text
    assert audited(curator.tenant_id) == []


def test_nobody_exports_anothers_rows(curator: Person, stranger: Person, viewer: Person) -> None:
    many_contacts(curator.tenant_id, 50)
    add = "INSERT INTO searches (tenant_id, what, where_text, provider) VALUES (%s, 'x', 'y', 'list')"
    execute(add, curator.tenant_id)
    (row,) = rows("SELECT id FROM searches")
    for path in (LEADS, CONTACTS):
        assert lines(stranger.client.get(path)) == []
        assert stranger.client.get(path, params={"search": row["id"]}).status_code == 404
        assert viewer.client.get(path).status_code == 403


def test_a_fault_on_the_way_ends_the_connection_so_that_no_half_looks_whole(curator: Person) -> None:
    many_contacts(curator.tenant_id, 20_000, snippet=LONG)
    for format_ in ("csv", "jsonl"):
        with curator.client.stream("GET", CONTACTS, params={"format": format_}) as answer:
            assert answer.status_code == 200
            pieces = answer.iter_raw()
            next(pieces)
            execute("ALTER TABLE sightings RENAME TO gone")
            with pytest.raises(httpx.RemoteProtocolError):
                for _ in pieces:
                    pass
        execute("ALTER TABLE gone RENAME TO sightings")
    assert audited(curator.tenant_id) == [("export", "contacts")] * 2


def test_a_fault_at_once_is_told_as_a_problem(curator: Person) -> None:
    execute("ALTER TABLE sightings RENAME TO gone")
    answer = curator.client.get(CONTACTS)
    assert answer.status_code >= 500


def _running() -> int:
    """Count the exports that are under way in this process."""
    made = (each for each in gc.get_objects() if isinstance(each, types.GeneratorType))
    return sum(1 for each in made if each.gi_code.co_name in ("_in_memory", "_on_disk") and each.gi_frame)


@pytest.mark.parametrize("format_", ["csv", "xlsx"])
def test_a_client_that_goes_away_stops_the_work_and_frees_thread_and_connection(
    people: People, curator: Person, format_: str
) -> None:
    many_contacts(curator.tenant_id, 20_000, snippet=LONG)
    for _ in range(8):
        with curator.client.stream("GET", CONTACTS, params={"format": format_}) as answer:
            assert answer.status_code == 200
            if format_ == "csv":
                next(answer.iter_raw())
    assert wait_until(lambda: _running() == 0, 60)
    assert audited(curator.tenant_id) == [("export", "contacts")] * 8
    pool: Any = database().engine.pool
    places: Any = database()._places
    assert (pool.checkedout(), places._value) == (0, places._initial_value)
    assert people.person("curator").client.get(CONTACTS, params={"limit": 1}).status_code == 200


@pytest.fixture
def web(db: str, servers: Servers, tmp_path: Path) -> Iterator[tuple[psutil.Process, str]]:
    """A web process of its own, and its address."""
    port = free_port()
    given = environment(
        DATABASE_URL=db, REDIS_URL=servers.broker_url, WEB_PORT=port, STAGE_MODULES="actors", JWT_SECRET_KEY="x" * 40
    )
    process = subprocess.Popen(
        [PROGRAM, "serve"], cwd=tmp_path, env=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    url = f"http://127.0.0.1:{port}"
    assert wait_until(lambda: _answers(url), 60)
    yield psutil.Process(process.pid), url
    process.kill()
    process.wait()


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/healthz").status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.parametrize("format_", ["csv", "xlsx"])
def test_twenty_thousand_contacts_leave_in_bounded_memory(
    web: tuple[psutil.Process, str], db: str, format_: str
) -> None:
    process, url = web
    people = People(url, db)
    curator = people.person("curator")
    many_contacts(curator.tenant_id, 20_000, snippet=LONG)
    curator.client.get(CONTACTS, params={"format": format_, "limit": 600})
    before, most, size = process.memory_info().rss, 0, 0
    file = io.BytesIO()
    with curator.client.stream("GET", CONTACTS, params={"format": format_}) as answer:
        for piece in answer.iter_raw():
            size += len(piece)
            most = max(most, process.memory_info().rss)
            file.write(piece)
    if format_ == "csv":
        assert size > 40_000_000
    else:
        assert zipfile.ZipFile(file).testzip() is None
    assert most - before < 30_000_000
    assert len(_values(format_, file.getvalue())) == 20_000
    people.close()
