"""`scrapersky suppress | erase | find`: said in one sentence, counted first, and asked before anything goes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from embedded import Servers
from errors import BadInput
from pipeline.database import statement
from tests.cli.conftest import NASTY
from tests.cli.terminal import PROGRAM, assert_one_sentence, environment, run_here, scrapersky
from tests.cli.test_work import _at_a_terminal
from tests.pipeline.doors import add_business, add_domain, add_place, insert

ANN = "ann@acme.example"

pytestmark = pytest.mark.usefixtures("configured")


def add_contact(domain: int, kind: str, value: str, snippet: str = "Write to us", **columns: Any) -> int:
    contact = insert("contacts", domain_id=domain, owner_key=f"domain:{domain}", kind=kind, value=value, **columns)
    insert("sightings", contact_id=contact, url="https://acme.example/team", method="mailto", snippet=snippet)
    return contact


def many(table: str) -> int:
    with statement() as connection:
        row = connection.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()
    return int(row[0]) if row else 0


def found(value: str) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(run_here("find", value, "--json"))
    return facts


def test_suppress_add_check_list_and_remove() -> None:
    assert run_here("suppress", "add", "Ann@ACME.example", "(512) 555-0100", "--reason", "asked") == (
        "email ann@acme.example is on the list.\nphone +15125550100 is on the list.\n"
    )
    assert run_here("suppress", "add", ANN) == "email ann@acme.example is on the list already.\n"
    assert "suppressed" in run_here("suppress", "check", "ANN@acme.example", "+1 512 555 0100")
    listed = run_here("suppress", "list")
    assert "asked" in listed
    assert "acme" not in listed
    assert "5125550100" not in listed
    assert len(run_here("suppress", "list", "--kind", "phone", "--json").splitlines()) == 1
    assert run_here("suppress", "remove", ANN) == "email ann@acme.example is off the list.\n"
    with pytest.raises(BadInput, match="none of this is on the list"):
        run_here("suppress", "remove", ANN)


def test_an_address_is_covered_by_its_domain(tmp_path: Path, db: str, servers: Servers) -> None:
    run_here("suppress", "add", "acme.example")
    assert "suppressed by its domain" in run_here("suppress", "check", "bob@mail.acme.example")
    result = scrapersky(tmp_path, "suppress", "check", "x@other.example", DATABASE_URL=db, REDIS_URL=servers.broker_url)
    assert result.returncode == 1
    assert "not listed" in result.stdout


def test_a_file_is_put_on_the_list_with_what_became_of_each_row(tmp_path: Path) -> None:
    file = tmp_path / "stop.csv"
    file.write_text(
        f"who;unsubscribed address\nAnn;{ANN}\nAnn;ANN@acme.example\nBob;{NASTY.splitlines()[0]}\n;acme.example\n"
    )
    said = run_here("suppress", "import", str(file), "--column", "unsubscribed address")
    assert said.startswith("2 added to the list, 1 known or repeated, 1 rejected.\n")
    assert "\x1b" not in said
    assert many("suppressions") == 2
    assert run_here("suppress", "import", str(file), "--column", "2").startswith("0 added to the list, 3 known or")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["suppress", "add", "Bob Smith"], "'Bob Smith' is no email, phone number or domain"),
        (["suppress", "add", "acme.example", "--kind", "emial"], "Did you mean email?"),
        (["suppress", "add", "5125550100", "--region", "XX"], "There is no region 'XX'"),
        (["suppress", "import", "/nowhere.csv"], "cannot be read"),
        (["erase"], "Name one email, phone or domain"),
        (["erase", ANN, "--person", "Ann"], "Name one email, phone or domain"),
        (["erase", "--person", "Ann"], "Name one email, phone or domain"),
        (["erase", ANN], "Nothing is known about email ann@acme.example"),
        (["find", ANN], "Nothing is known about email 'ann@acme.example'."),
        (["find", " "], "Say what to find"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: list[str], sentence: str) -> None:
    with pytest.raises(BadInput) as fault:
        run_here(*arguments)
    assert sentence in str(fault.value)
    assert many("suppressions") == 0


def test_erase_counts_first_and_asks(tmp_path: Path, db: str, servers: Servers) -> None:
    domain = add_domain("acme.example")
    add_contact(domain, "email", ANN, person_name="Ann Low", label="personal")
    add_contact(domain, "phone", "+15125550100", person_name="Ann Low")
    said = run_here("erase", ANN, "--dry-run")
    assert "This would erase email ann@acme.example for good." in said
    assert "+15125550100" in said
    with pytest.raises(BadInput, match="add --yes"):
        run_here("erase", ANN)
    where = {"DATABASE_URL": db, "REDIS_URL": servers.broker_url}
    asked = _at_a_terminal(tmp_path, "n", "erase", ANN, **where)
    assert "Would be removed or cleared" in asked.partition("Go on?")[0]
    assert "Removed" not in asked
    assert asked.rstrip().endswith("Nothing was removed.")
    assert many("contacts") == 2
    assert "Erased email ann@acme.example" in _at_a_terminal(tmp_path, "y", "erase", ANN, **where)
    assert many("contacts") == 0
    assert found(ANN)["suppression"] == "erased"
    with pytest.raises(BadInput, match="say `erased`"):
        run_here("suppress", "remove", ANN)


def test_erase_of_what_is_not_known_is_put_on_the_list_with_yes() -> None:
    said = run_here("erase", ANN, "--yes")
    assert said == (
        "Nothing was known about email ann@acme.example;"
        " it is on the list as erased and will not be stored when it is found.\n"
    )
    assert many("suppressions") == 1


def test_a_list_may_come_through_a_pipe(tmp_path: Path, db: str, servers: Servers) -> None:
    command = [PROGRAM, "suppress", "import", "-"]
    given = environment(DATABASE_URL=db, REDIS_URL=servers.broker_url)
    result = subprocess.run(
        command, cwd=tmp_path, env=given, input=f"{ANN}\n", capture_output=True, text=True, timeout=60
    )
    assert result.stdout.startswith("1 added to the list"), result.stderr
    binary = tmp_path / "list.xlsx"
    binary.write_bytes(b"PK\x03\x04rest")
    with pytest.raises(BadInput, match="cannot be read as a spreadsheet"):
        run_here("suppress", "import", str(binary))


def test_a_person_is_erased_by_name_and_stays_on_the_list() -> None:
    add_contact(add_domain("acme.example"), "person", "Ann Low", person_name="Ann Low")
    said = run_here("erase", "--person", "ann  LOW", "--domain", "www.acme.example", "--yes")
    assert "Erased person ann LOW at acme.example" in said
    assert "1 hash keeps it from being stored again" in said
    assert "erased" in run_here("suppress", "check", "--kind", "person", "Ann Low at acme.example")
    with pytest.raises(BadInput, match="no kind 'person'"):
        run_here("suppress", "add", "--kind", "person", "Ann Low at acme.example")
    run_here("suppress", "remove", "--kind", "person", "Low, Ann at acme.example", "--erased")
    assert many("suppressions") == 0
    assert many("contacts") == 0


def test_erase_refuses_in_one_sentence(tmp_path: Path, db: str, servers: Servers) -> None:
    result = scrapersky(tmp_path, "erase", ANN, DATABASE_URL=db, REDIS_URL=servers.broker_url)
    assert_one_sentence(result.returncode, result.stdout, result.stderr, 2)


def test_find_shows_contacts_owners_proof_and_the_list() -> None:
    business = add_business(add_place("a"), "Acme Dental")
    domain = add_domain("acme.example", business)
    add_contact(domain, "email", ANN, NASTY, person_name="Ann Low", verdict="valid", verdict_reasons='["role"]')
    add_contact(domain, "phone", "+15125550100")
    with statement() as connection:
        connection.execute("UPDATE local_businesses SET phone = '+15125550199' WHERE id = %s", (business,))
    run_here("suppress", "add", "acme.example")
    (contact,) = found("Ann@ACME.example")["contacts"]
    assert (contact["verdict"], contact["domain"], contact["businesses"]) == ("valid", "acme.example", ["Acme Dental"])
    assert contact["sightings"][0]["url"] == "https://acme.example/team"
    assert found(ANN)["suppression"] == "suppressed by its domain"
    assert found("512.555.0100")["contacts"][0]["value"] == "+15125550100"
    assert found("(512) 555-0199")["businesses"][0]["name"] == "Acme Dental"
    assert len(found("https://www.acme.example/")["contacts"]) == 2
    assert found("acme dent")["businesses"][0]["domains"] == ["acme.example"]
    assert found("ann low")["contacts"][0]["value"] == ANN
    with pytest.raises(BadInput, match="Nothing is known"):
        run_here("find", "100%")
    said = run_here("find", ANN)
    assert "valid (role)" in said
    assert "\x1b" not in said
