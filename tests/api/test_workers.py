"""Workers over HTTP: who is alive and what they run, for operators alone."""

from __future__ import annotations

from pipeline.lease import Lease
from tests.api.labour import add_work, execute
from tests.api.people import People, Person


def test_an_operator_sees_every_worker_and_what_it_runs(admin: Person, stranger: Person) -> None:
    worker, dead = Lease(["domain_metadata", "page_curation"]), Lease(["sweeps"])
    worker.renew()
    dead.renew()
    execute("UPDATE workers SET expires_at = clock_timestamp() - interval '1 minute' WHERE id = %s", dead.id)
    work = add_work(stranger.tenant_id, "z.example", "Processing", worker_id=worker.id)
    execute("UPDATE work SET started_at = clock_timestamp() - interval '3 seconds'")
    found = admin.client.get("/api/v3/workers").json()
    assert found["total"] == 2
    alive, gone = found["items"]
    assert (alive["id"], alive["is_alive"], alive["queues"]) == (
        str(worker.id),
        True,
        ["domain_metadata", "page_curation"],
    )
    (running,) = alive["running"]
    assert (running["work_id"], running["stage"]) == (work, "domain_metadata")
    assert running["seconds"] >= 3
    assert (gone["id"], gone["is_alive"], gone["running"]) == (str(dead.id), False, [])


def test_nobody_else_sees_the_workers(people: People, stranger: Person) -> None:
    for person in (stranger, people.person("curator"), people.person("viewer")):
        assert person.client.get("/api/v3/workers").status_code == 403
