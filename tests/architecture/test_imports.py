"""Imports point one way: from the edges to the core, never back."""

from __future__ import annotations

import pytest

from tests.architecture.source import PACKAGES, Module, product

# What each part may import of ours, besides itself.
CORE = {"errors", "reasons", "redact", "settings"}
ENGINE = CORE | {"models", "pipeline", "logs", "embedded"}
ROOMS = ENGINE | {"accounts", "leads", "entities", "operations", "notices", "actors", "scheduling", "migrations"}
ROOMS |= {"dramatiq_config"}
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "reasons": set(),
    "redact": set(),
    "settings_accounts": set(),
    "settings_alarms": set(),
    "settings_contacts": set(),
    "settings_fetching": set(),
    "settings_providers": set(),
    "settings": {
        "errors",
        "redact",
        "settings_accounts",
        "settings_alarms",
        "settings_contacts",
        "settings_fetching",
        "settings_providers",
    },
    "logs": {"errors", "redact", "settings"},
    "services": set(),
    "sandbox": set(),
    "embedded": {"errors", "settings"},
    "models": CORE,
    "fetching": CORE | {"services", "logs"},
    "migrations": CORE | {"models", "embedded"},
    "pipeline": CORE | {"models", "embedded", "logs", "services"},
    "accounts": ENGINE,
    "leads": ENGINE | {"services", "accounts"},
    "entities": ENGINE | {"services", "accounts", "leads"},
    "operations": ENGINE | {"services", "accounts", "migrations"},
    "notices": ENGINE | {"services", "accounts", "leads", "operations"},
    "dramatiq_config": ENGINE,
    "actors": ENGINE | {"services", "fetching", "notices"},
    "scheduling": ENGINE | {"accounts", "actors", "dramatiq_config", "notices", "operations"},
    # They change rows and ring doorbells; they never fetch or parse.
    "api": ROOMS,
    "dashboard": ROOMS | {"api"},
    "cli": ROOMS | {"api", "dashboard", "sandbox"},
}
OURS = MAY_IMPORT.keys() | {"tests", "benchmarks", "docs"}


def test_every_part_has_its_place() -> None:
    assert {module.package for module in product()} <= MAY_IMPORT.keys()
    assert set(PACKAGES) <= MAY_IMPORT.keys()


@pytest.mark.parametrize("package", sorted(MAY_IMPORT))
def test_imports_point_one_way(package: str) -> None:
    allowed = MAY_IMPORT[package] | {package}
    wrong = [
        f"{module.name}:{line} imports {name}"
        for module in product()
        if module.package == package
        for name, line in module.imports()
        if name.split(".")[0] in OURS - allowed
    ]
    assert wrong == []


def test_nothing_is_imported_relatively() -> None:
    wrong = [f"{module.name}:{line}" for module in product() for name, line in module.imports() if name.startswith(".")]
    assert wrong == []


def test_actors_never_import_one_another() -> None:
    """Only the package itself names them all, in pipeline order."""
    actors = [module for module in product() if module.package == "actors" and module.path.name != "__init__.py"]
    wrong = [
        f"{module.name}:{line} imports {name}"
        for module in actors
        for name, line in module.imports()
        if name.split(".")[0] == "actors"
    ]
    assert wrong == []


def test_the_pure_core_opens_nothing() -> None:
    """services: text and bytes in, frozen dataclasses out."""
    forbidden = {"socket", "httpx", "requests", "urllib.request", "http.client", "sqlalchemy", "psycopg", "redis", "os"}
    wrong = [
        f"{module.name}:{line} imports {name}"
        for module in product()
        if module.package == "services"
        for name, line in module.imports()
        if name in forbidden or name.split(".")[0] in forbidden
    ]
    assert wrong == []


def test_only_fetching_talks_to_strangers() -> None:
    web = {"httpx", "httpcore", "requests", "aiohttp", "urllib3", "urllib.request"}
    wrong = [
        f"{module.name}:{line} imports {name}"
        for module in product()
        if module.package not in ("fetching", "sandbox")
        for name, line in module.imports()
        if name in web or name.split(".")[0] in web
    ]
    assert wrong == []


def of(package: str) -> list[Module]:
    return [module for module in product() if module.package == package]


def test_there_is_something_to_check() -> None:
    assert of("pipeline")
    assert any(name == "models.base" for module in of("pipeline") for name, _ in module.imports())
