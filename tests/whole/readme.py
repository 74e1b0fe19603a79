"""The README's commands, each with names that exist in the world it is run in."""

from __future__ import annotations

import csv
import re
import shlex
from pathlib import Path

from settings import PROJECT_ROOT

# A line of a block: the command, and after two blanks what it does.
LINE = re.compile(r"^scrapersky (.+?)(?:  .*)?$", re.MULTILINE)
BLOCK = re.compile(r"```\n(.*?)```", re.DOTALL)
# The main job, run on its own; what rightly complains when no worker runs; and what needs the admin that `up` makes.
NOT_HERE = ("run", "doctor", "key")


def commands(leads: Path) -> list[list[str]]:
    """List what the README tells people to type, for the first lead of a file that has an email."""
    with leads.open(newline="", encoding="utf-8-sig") as file:
        lead = next(row for row in csv.DictReader(file) if row["email"] and row["domain"])
    names = {"info@acme-dental.com": lead["email"], "jane@acme-dental.com": lead["email"]}
    names |= {"acme-dental.com": lead["domain"], "do-not-contact.csv": str(_list_beside(leads))}
    blocks = "\n".join(BLOCK.findall((PROJECT_ROOT / "README.md").read_text(encoding="utf-8")))
    return [words for line in LINE.findall(blocks) if (words := _named(line, names))[0] not in NOT_HERE]


def _named(line: str, names: dict[str, str]) -> list[str]:
    words = [names.get(word, word) for word in shlex.split(line)]
    return [*words, "--yes"] if words[0] == "erase" else words


def _list_beside(leads: Path) -> Path:
    made = leads.with_name("do-not-contact.csv")
    made.write_text("email\nnobody@elsewhere.example\n", encoding="utf-8")
    return made
