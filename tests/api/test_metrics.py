"""`GET /api/v3/metrics`: what Prometheus reads, for operators alone."""

from __future__ import annotations

import httpx
from prometheus_client.parser import text_string_to_metric_families

from operations.catalogue import METRICS
from pipeline.stage import all_stages
from tests.api.people import People, Person


def test_an_operator_is_given_every_metric(admin: Person) -> None:
    answer = admin.client.get("/api/v3/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    families = {family.name: family for family in text_string_to_metric_families(answer.text)}
    assert len(families) == len(METRICS)
    stages = {sample.labels["stage"] for sample in families["scrapersky_run_seconds"].samples}
    assert stages == {stage.name for stage in all_stages()}
    assert len(stages) > 5


def test_a_key_that_may_only_operate_is_enough(people: People) -> None:
    assert people.person("admin", scopes=["operate"]).client.get("/api/v3/metrics").status_code == 200


def test_nobody_else_is(url: str, people: People, curator: Person, viewer: Person, stranger: Person) -> None:
    limited = people.person("admin", scopes=["read", "administer"])
    for person in (curator, viewer, stranger, limited):
        assert person.client.get("/api/v3/metrics").status_code == 403
    assert httpx.get(f"{url}/api/v3/metrics").status_code == 401
