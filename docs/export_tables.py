"""Write the reference of exports from the code: columns, what CRMs get, fields of conditions, reasons for blanks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from leads.lead_where import CONTACT_FIELDS, LEAD_FIELDS
from services.export_columns import CONTACT, LEAD, Column
from services.export_crm import CRMS
from services.lead_blank import MEANINGS
from services.where import EXPORTS, Field

HEADS = ("column", "what it holds")


def exports_page(note: str) -> str:
    """Draw every table of exports."""
    parts = [
        f"# Exports\n\n{note}\nHow to use them: [exports.md](../exports.md).\n",
        f"## Leads\n\n{_columns(LEAD)}",
        f"## Contacts\n\n{_columns(CONTACT)}",
        *(f"## For {name}\n\n{crm.rule}\n\n{_columns(crm.columns)}" for name, crm in CRMS.items()),
        f"## Fields of `--where`\n\n{_fields()}",
        "## Why a lead has no email\n\nOne of these, or a [reason of its work](reasons.md).\n\n"
        + _table(("reason", "meaning"), [(f"`{word}`", meaning) for word, meaning in MEANINGS.items()]),
    ]
    return "\n".join(parts)


def _columns(columns: Sequence[Column[Any]]) -> str:
    return _table(HEADS, [(f"`{column.name}`", column.says) for column in columns])


def _fields() -> str:
    names = sorted(LEAD_FIELDS.keys() | CONTACT_FIELDS.keys())
    return _table(("field", "leads", "contacts", "comparisons", "values"), [_field(name) for name in names])


def _field(name: str) -> tuple[str, ...]:
    field: Field = LEAD_FIELDS.get(name) or CONTACT_FIELDS[name]
    there = ["yes" if name in fields else "" for fields in (LEAD_FIELDS, CONTACT_FIELDS)]
    return (f"`{name}`", *there, f"`{' '.join(EXPORTS.operators[field.kind])}`", ", ".join(field.choices) or field.kind)


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
