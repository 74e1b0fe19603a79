"""`scrapersky erase`: count what is known of a value, ask, and remove every copy of it."""

from __future__ import annotations

from dataclasses import dataclass

from cli.agree import is_agreed
from cli.ready import ready
from cli.text import print_table, safe, say
from errors import BadInput
from leads import erasure
from leads.erasure import Erased, Target
from leads.subjects import subject_named
from pipeline.stage import load_stages
from settings import settings

LONGEST = 100


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was typed: a value, or a person's name and the domain it was found at."""

    value: str | None
    person: str | None
    domain: str | None
    region: str

    def target(self) -> Target:
        """Read it, or say what is missing."""
        if self.person is None and self.domain is None and self.value is not None:
            return Target(subject_named(self.value, region=self.region))
        name = " ".join((self.person or "").split()).strip(" ,")
        if self.value is not None or not name or self.domain is None:
            raise BadInput("Name one email, phone or domain; or a person with --person NAME --domain DOMAIN.")
        return Target(subject_named(self.domain, "domain"), name)


def run(wanted: Wanted, *, dry_run: bool, yes: bool) -> None:
    """Erase and say what was removed, or only count."""
    target = wanted.target()
    load_stages()
    ready(broker=not dry_run)
    shown = f"{target.subject.kind} {safe(target.subject.value, LONGEST)}"
    if target.person is not None:
        shown = f"person {safe(target.person, LONGEST)} at {target.subject.value}"
    found = erasure.preview(settings().default_tenant_id, target)
    if found.is_nothing and not (yes and found.hashes):
        hint = "add --yes to put it on the list all the same"
        raise BadInput(f"Nothing is known about {shown}, so nothing is to be erased; {hint}.")
    _print(found)
    if dry_run:
        say(f"This would erase {shown} for good.")
    elif yes or is_agreed(f"erase {shown} for good"):
        erased = erasure.erase(settings().default_tenant_id, target)
        say(_done(shown, erased))
    else:
        say("Nothing was removed.")


def _print(found: Erased) -> None:
    if not found.is_nothing:
        print_table(("table", "rows"), sorted(found.counts.items()), title="Would be removed or cleared")
    if found.along:
        print_table(("kind", "value"), found.along, title="Of the same person, and would be removed too")


def _done(shown: str, erased: Erased) -> str:
    if erased.is_nothing:
        return f"Nothing was known about {shown}; it is on the list as erased and will not be stored when it is found."
    rows = sum(erased.counts.values())
    listed = len(erased.hashes)
    kept = f"; {listed} {'hash keeps' if listed == 1 else 'hashes keep'} it from being stored again" if listed else ""
    return f"Erased {shown}: {rows} {'row' if rows == 1 else 'rows'} removed or cleared{kept}."
