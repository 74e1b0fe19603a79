"""Versions: of the program, of Python, of the packages it is made of, and of the database's schema."""

from __future__ import annotations

import platform
import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version

import migrations
from pipeline.database import database_url

PROGRAM = "scrapersky"
NAME = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Versions:
    """What runs here."""

    program: str
    python: str
    schema: str | None
    schema_needed: str
    packages: tuple[tuple[str, str], ...]


def versions() -> Versions:
    """Look at what this process runs, and at which revision its database is."""
    return Versions(
        version(PROGRAM), platform.python_version(), migrations.current(database_url()), migrations.head(), packages()
    )


@cache
def packages() -> tuple[tuple[str, str], ...]:
    """Give every package that the program asks for and that is installed, by name."""
    asked = [line for line in requires(PROGRAM) or () if "extra ==" not in line]
    names = {found.group() for line in asked if (found := NAME.match(line))}
    return tuple((name, known) for name in sorted(names) if (known := _version(name)) is not None)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:  # one that this version of Python does not need
        return None
