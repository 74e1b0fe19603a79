"""Erasure of what a person had deleted by hand before: it lives on in audit entries, with the name it had."""

from __future__ import annotations

import pytest

from leads import contacts, erasure
from tests.pipeline.doors import add_domain
from tests.pipeline.test_erasure import ACME, ANN, _empty, add_contact, dump, rows, target, tenant

__all__ = ["_empty"]

OTHER = "ann.low@home.example"


@pytest.mark.parametrize("value", [ANN, OTHER])
def test_a_deleted_contact_is_erased_with_its_name_and_the_rest_of_its_person(value: str) -> None:
    domain = add_domain(ACME)
    for address in (ANN, OTHER):
        deleted = add_contact(domain, "email", address, person_name="Ann Low", note="met Ann Low")
        contacts.update(tenant(), deleted, {"note": f"Ann Low is {address}"})
        contacts.delete(tenant(), deleted)
    bert = add_contact(domain, "email", "bert@acme.example", person_name="Bert Low")
    contacts.delete(tenant(), bert)
    assert "Ann Low" in dump()
    looked, erased = erasure.preview(tenant(), target(value)), erasure.erase(tenant(), target(value))
    assert looked.counts == erased.counts == {"audit_entries": 4}
    assert not [word for word in ("Ann Low", ANN, OTHER) if word in dump()]
    assert "Bert Low" in dump()
    assert len(rows("SELECT 1 FROM suppressions WHERE is_erased AND kind = 'email'")) == 2
