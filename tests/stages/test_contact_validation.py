"""contact_validation: a contact in, its verdict and reasons out."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest

import reasons
import settings
from pipeline import run
from pipeline.curation import curate
from pipeline.stage import stage_named
from tests.fetching.nameserver import NameServer, Zone, name_server, silence, zone
from tests.stages.scene import Scene

STAGE = "contact_validation"
Set = Callable[..., None]


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Set:
    """Set variables for the rest of the test."""

    def change(**values: object) -> None:
        for name, value in values.items():
            monkeypatch.setenv(name.upper(), str(value))
        settings.settings.cache_clear()

    return change


def add_contact(scene: Scene, kind: str, value: str, **columns: Any) -> int:
    tenant = settings.settings().default_tenant_id
    domain = scene.one(
        "INSERT INTO domains (tenant_id, name) VALUES (%s, 'smith.example')"
        " ON CONFLICT (tenant_id, name) DO UPDATE SET name = EXCLUDED.name RETURNING id",
        tenant,
    )["id"]
    given = {"tenant_id": tenant, "domain_id": domain, "owner_key": f"domain:{domain}", "kind": kind, "value": value}
    given |= columns
    names, marks = ", ".join(given), ", ".join(["%s"] * len(given))
    return int(scene.one(f"INSERT INTO contacts ({names}) VALUES ({marks}) RETURNING id", *given.values())["id"])


def check(scene: Scene, *contacts: int) -> None:
    scene.start(STAGE, *contacts)
    scene.play(STAGE)


def verdict(scene: Scene, contact: int) -> tuple[str | None, list[str]]:
    row = scene.one("SELECT verdict, verdict_reasons, validated_at FROM contacts WHERE id = %s", contact)
    assert (row["verdict"] is None) == (row["validated_at"] is None)
    return row["verdict"], row["verdict_reasons"]


def ask_at(server: NameServer, environment: Set, seconds: float = 20) -> None:
    environment(mx_check="dns", mx_nameserver=server, mx_seconds=seconds)


@pytest.mark.parametrize(
    ("kind", "value", "label", "judged"),
    [
        ("email", "anna@smith.example", "personal", ("valid", ["well-formed"])),
        ("email", "info@smith.example", "role", ("valid", ["role"])),
        ("email", "no-reply@hotmial.com", None, ("risky", ["typo-domain", "no-reply", "role"])),
        ("email", "anna@example.com", None, ("invalid", ["placeholder", "example-like"])),
        ("phone", "+15125550100", None, ("valid", ["well-formed"])),
        ("phone", "+15125550100", "fax", ("risky", ["fax"])),
        ("social", "https://www.facebook.com/smith", "facebook", ("unknown", ["not-checked"])),
        ("person", "Anna Smith'); DROP TABLE contacts; --", None, ("unknown", ["not-checked"])),
    ],
)
def test_a_contact_gets_its_verdict(
    scene: Scene, kind: str, value: str, label: str | None, judged: tuple[str, list[str]]
) -> None:
    contact = add_contact(scene, kind, value, label=label)
    check(scene, contact)
    assert verdict(scene, contact) == judged
    assert scene.endings(STAGE) == {f"Completed {judged[1][0]}": 1}
    assert judged[1][0] in reasons.MEANINGS


def test_running_twice_says_the_same_and_touches_nothing_else(scene: Scene) -> None:
    contact = add_contact(
        scene, "email", "info@smith.example", note="met in May", curation_status="Maybe", person_name="Anna"
    )
    check(scene, contact)
    first = scene.one("SELECT * FROM contacts")
    check(scene, contact)
    second = scene.one("SELECT * FROM contacts")
    changed = {name for name in first if first[name] != second[name]}
    assert changed <= {"validated_at", "updated_at"}
    assert second["validated_at"] > first["validated_at"]
    assert (second["note"], second["curation_status"], second["person_name"]) == ("met in May", "Maybe", "Anna")
    assert scene.many("work") == 1


def test_several_at_the_same_moment(scene: Scene) -> None:
    contacts = [add_contact(scene, "email", f"anna{nth}@smith.example") for nth in range(6)]
    scene.start(STAGE, *contacts)
    scene.answer(*scene.bells.take())
    assert scene.endings(STAGE) == {"Completed well-formed": 6}
    assert [verdict(scene, contact)[0] for contact in contacts] == ["valid"] * 6


def test_a_person_selects_a_contact_and_it_is_judged(scene: Scene) -> None:
    chosen, other = (add_contact(scene, "email", f"{name}@smith.example") for name in ("anna", "berta"))
    curate(stage_named(STAGE), [other], "Maybe")
    curate(stage_named(STAGE), [chosen], "Selected")
    scene.play(STAGE)
    assert verdict(scene, chosen) == ("valid", ["well-formed"])
    assert verdict(scene, other) == (None, [])
    assert scene.many("work") == 1


def test_a_value_that_changed_meanwhile_is_not_judged_by_the_old_one(scene: Scene) -> None:
    contact = add_contact(scene, "email", "anna@smith.example")
    scene.start(STAGE, contact)
    turn = scene.claim(scene.bells.take()[0].work_id, stage_named(STAGE))
    outcome = run.perform(turn)
    scene.execute("UPDATE contacts SET value = 'anna@example.com'")
    assert run.end(turn, outcome)
    assert verdict(scene, contact) == (None, [])
    check(scene, contact)
    assert verdict(scene, contact)[0] == "invalid"


def test_a_contact_erased_meanwhile_stays_erased(scene: Scene) -> None:
    contact = add_contact(scene, "email", "anna@smith.example")
    scene.start(STAGE, contact)
    turn = scene.claim(scene.bells.take()[0].work_id, stage_named(STAGE))
    outcome = run.perform(turn)
    scene.execute("DELETE FROM contacts")
    assert run.end(turn, outcome)
    assert scene.many("contacts") == 0
    assert scene.endings(STAGE) == {"Completed well-formed": 1}


class TestMail:
    """What the domain says of mail, only when a setting asks for it."""

    NAMES: ClassVar[Zone] = {"smith.example": {"MX": ["10 mx.smith.example."]}, "null.example": {"MX": ["0 ."]}}

    def test_nobody_is_asked_by_default(self, scene: Scene, environment: Set) -> None:
        with name_server(zone(self.NAMES)) as server:
            environment(mx_nameserver=server)
            check(scene, add_contact(scene, "email", "anna@nobody.example"))
        assert server.asked == []
        assert scene.endings(STAGE) == {"Completed well-formed": 1}

    @pytest.mark.parametrize(
        ("address", "judged"),
        [
            ("info@smith.example", ("valid", ["role", "takes-mail"])),
            ("anna@null.example", ("invalid", ["refuses-mail"])),
            ("anna@nobody.example", ("invalid", ["no-such-domain"])),
        ],
    )
    def test_the_answer_is_part_of_the_verdict(
        self, scene: Scene, environment: Set, address: str, judged: tuple[str, list[str]]
    ) -> None:
        contact = add_contact(scene, "email", address)
        with name_server(zone(self.NAMES)) as server:
            ask_at(server, environment)
            check(scene, contact)
        assert verdict(scene, contact) == judged

    def test_only_emails_that_could_work_are_asked_about(self, scene: Scene, environment: Set) -> None:
        contacts = [("email", "anna@example.com"), ("email", "anna@x"), ("phone", "+15125550100"), ("person", "Anna")]
        with name_server(zone(self.NAMES)) as server:
            ask_at(server, environment)
            check(scene, *(add_contact(scene, kind, value) for kind, value in contacts))
        assert server.asked == []

    def test_contacts_of_one_domain_ask_once(self, scene: Scene, environment: Set) -> None:
        with name_server(zone(self.NAMES)) as server:
            ask_at(server, environment)
            check(scene, *(add_contact(scene, "email", f"anna{nth}@smith.example") for nth in range(5)))
        assert server.asked == ["smith.example. MX"]
        assert scene.endings(STAGE) == {"Completed takes-mail": 5}

    def test_no_answer_is_tried_again_and_judges_nobody(self, scene: Scene, environment: Set) -> None:
        contact = add_contact(scene, "email", "anna@smith.example")
        with name_server(silence) as server:
            ask_at(server, environment, seconds=0.2)
            check(scene, contact)
        assert scene.endings(STAGE) == {"Queued mail-unanswered": 1}
        assert verdict(scene, contact) == (None, [])
        with name_server(zone(self.NAMES)) as server:
            ask_at(server, environment)
            scene.hurry(STAGE)
        assert verdict(scene, contact) == ("valid", ["takes-mail"])
        assert scene.endings(STAGE) == {"Completed takes-mail": 1}

    @pytest.mark.parametrize("before", [None, "valid"])
    def test_no_answer_ever_is_said_and_leaves_a_former_verdict(
        self, scene: Scene, environment: Set, before: str | None
    ) -> None:
        contact = add_contact(scene, "email", "info@smith.example")
        if before:
            check(scene, contact)
        with name_server(silence) as server:
            ask_at(server, environment, seconds=0.05)
            check(scene, contact)
            for _ in range(stage_named(STAGE).attempts):
                scene.hurry(STAGE)
        assert scene.endings(STAGE) == {"Error mail-unanswered": 1}
        expected = ("valid", ["role"]) if before else ("unknown", ["mail-unanswered", "role"])
        assert verdict(scene, contact) == expected


class TestOwnList:
    """A person's own list of throw-away domains."""

    def test_it_counts_and_is_read_again_when_it_changes(self, scene: Scene, environment: Set, tmp_path: Path) -> None:
        own = tmp_path / "own.txt"
        own.write_bytes(b"\xff broken line\nsmith.example\n")
        environment(disposable_domains_file=own)
        contact = add_contact(scene, "email", "anna@smith.example")
        check(scene, contact)
        assert verdict(scene, contact) == ("risky", ["disposable"])
        own.write_text("other.example\n")
        os.utime(own, (1, 1))
        check(scene, contact)
        assert verdict(scene, contact) == ("valid", ["well-formed"])

    def test_one_that_vanished_is_waited_for(self, scene: Scene, environment: Set, tmp_path: Path) -> None:
        own = tmp_path / "own.txt"
        own.write_text("smith.example\n")
        environment(disposable_domains_file=own)
        settings.settings()
        own.unlink()
        contact = add_contact(scene, "email", "anna@smith.example")
        check(scene, contact)
        assert scene.endings(STAGE) == {f"Queued {reasons.LIST_UNREADABLE}": 1}
        own.write_text("smith.example\n")
        scene.hurry(STAGE)
        assert verdict(scene, contact) == ("risky", ["disposable"])
