"""`scrapersky contacts list | show | add | set | delete`."""

from __future__ import annotations

import json

import pytest

from errors import BadInput
from tests.cli.conftest import NASTY
from tests.cli.terminal import run_here
from tests.pipeline.doors import add_domain

pytestmark = pytest.mark.usefixtures("configured")


def test_a_contact_lives_and_dies_in_the_terminal() -> None:
    add_domain("acme.example")
    assert run_here("contacts", "list") == "No contact is like that.\n"
    said = run_here("contacts", "add", "email", "Ann@ACME.example", "--domain", "acme.example", "--person", NASTY)
    assert said.endswith(": email ann@acme.example of acme.example.\n")
    row = json.loads(run_here("contacts", "list", "--json"))
    contact = str(row["id"])
    changed = run_here("contacts", "set", contact, "--as", "selected", "--note", "met at a fair")
    assert changed == f"Contact {contact} is changed: note met at a fair, curation_status Selected.\n"
    for said in (run_here("contacts", "show", contact), run_here("contacts", "list")):
        assert "ann@acme.example" in said
        assert "\x1b" not in said
    with pytest.raises(BadInput, match=r"This would delete email ann@acme\.example and its 1 sightings: add --yes"):
        run_here("contacts", "delete", contact)
    assert run_here("contacts", "delete", contact, "--yes") == "Deleted email ann@acme.example.\n"
    with pytest.raises(BadInput, match="There is no contact"):
        run_here("contacts", "show", contact)


def test_a_domain_that_is_not_there_is_said() -> None:
    with pytest.raises(BadInput, match=r"There is no domain 'nowhere\.example'"):
        run_here("contacts", "add", "email", "a@b.example", "--domain", "nowhere.example")


def test_there_may_be_more_than_are_shown() -> None:
    add_domain("acme.example")
    for name in ("ann", "bob"):
        run_here("contacts", "add", "email", f"{name}@acme.example", "--domain", "acme.example")
    assert "There are more than these 1" in run_here("contacts", "list", "--limit", "1")
