"""The compose file and the systemd units run the Procfile's commands, drain before they kill, and hold no secret."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from cli.supervise import STOP_GRACE_SECONDS
from settings import PROJECT_ROOT, Settings

DEPLOY = PROJECT_ROOT / "deploy"
COMPOSE = (DEPLOY / "compose.yaml").read_text()
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
PROCESSES = dict(line.split(": ", 1) for line in (PROJECT_ROOT / "Procfile").read_text().splitlines())
NOT_OF_THE_PROCFILE = {"postgres", "valkey", "migrate"}
SHELL = re.compile(r"/bin/sh -c 'exec env ([^']+)'")


def services() -> dict[str, str]:
    """Split the services of the compose file, which keeps to two spaces a level."""
    section = re.split(r"^services:\n", COMPOSE, flags=re.MULTILINE)[1]
    section = re.split(r"^\S", section, flags=re.MULTILINE)[0]
    parts = re.split(r"^  (\w+):\n", section, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def values(text: str, key: str) -> list[str]:
    """Give every value of a key, whether written as `key: value` or `key=value`."""
    return re.findall(rf"^\s*{key}(?:: |=)(.*)$", text, flags=re.MULTILINE)


def name_of(unit: Path) -> str:
    return unit.stem.removeprefix("scrapersky-").removesuffix("@")


def seconds_to_drain(text: str) -> float:
    (drain,) = re.findall(r"DRAIN_SECONDS[:=] ?(?:\$\{DRAIN_SECONDS:-)?(\d+)", text)
    return float(drain) + STOP_GRACE_SECONDS


def test_compose_runs_the_lines_of_the_procfile() -> None:
    commands = {name: values(text, "command") for name, text in services().items() if name not in NOT_OF_THE_PROCFILE}
    assert commands == {name: [line] for name, line in PROCESSES.items()}
    assert '\nENTRYPOINT ["env"]\n' in (DEPLOY / "Dockerfile").read_text(), "a line may begin with an assignment"


def test_units_run_the_lines_of_the_procfile() -> None:
    lines = {}
    for unit in UNITS:
        (command,) = values(unit.read_text(), "ExecStart")
        found = SHELL.fullmatch(command)
        assert found, command
        assert "$" not in found[1].replace("$$", ""), "systemd would fill in variables its own way"
        lines[name_of(unit)] = found[1].replace("$$", "$")
    assert lines == PROCESSES
    assert [unit.name for unit in UNITS if "@" in unit.name] == ["scrapersky-worker@.service"]


@pytest.mark.parametrize("unit", UNITS, ids=name_of)
def test_a_unit_drains_is_shut_in_and_belongs_to_the_target(unit: Path) -> None:
    text = unit.read_text()
    (patience,) = values(text, "TimeoutStopSec")
    assert float(patience) > seconds_to_drain(text)
    assert values(text, "KillMode") == ["mixed"], "a worker that hears a signal twice dies mid-work"
    assert values(text, "User") == ["scrapersky"]
    assert values(text, "EnvironmentFile") == ["/etc/scrapersky/env"]
    assert values(text, "NoNewPrivileges") == ["yes"]
    assert values(text, "ProtectSystem") == ["strict"]
    assert values(text, "PartOf") == values(text, "WantedBy") == ["scrapersky.target"]


def test_compose_drains_and_runs_without_rights() -> None:
    program = COMPOSE.partition("services:\n")[0]
    (patience,) = values(program, "stop_grace_period")
    assert float(patience.removesuffix("s")) > seconds_to_drain(program)
    assert values(program, "cap_drop") == ["[ALL]"]
    assert values(program, "read_only") == ["true"]
    users = re.findall(r"^USER (\w+)$", (DEPLOY / "Dockerfile").read_text(), flags=re.MULTILINE)
    assert users == ["scrapersky"]
    for name, text in services().items():
        assert ("<<: *program" in text) == (name not in {"postgres", "valkey"})
        assert "healthcheck:" in text or name == "migrate"


def test_only_the_web_is_published_and_only_to_this_machine() -> None:
    assert re.findall(r"^ +- \"?([\w.:${}-]+:\d+)\"?$", COMPOSE, flags=re.MULTILINE) == [
        "127.0.0.1:${WEB_PORT:-8000}:8000"
    ]


def test_secrets_are_asked_for_and_not_written_down() -> None:
    written = re.findall(r"(\w+(?:PASSWORD|KEY|SECRET|CONTACT|AUTH)): (.*)", COMPOSE)
    assert [value for _, value in written if not re.fullmatch(r"\$\{\w+:\?[^}]+\}", value)] == []
    for address in re.findall(r"\w+://\w*:(.*)@", COMPOSE):
        assert re.fullmatch(r"\$\{\w+:\?[^}]+\}", address), address
    assert {name for name, _ in written} >= {"POSTGRES_PASSWORD", "CRAWLER_CONTACT"}


def test_settings_that_are_given_exist() -> None:
    block = COMPOSE.partition("environment: &settings\n")[2].partition("  init:")[0]
    given = set(re.findall(r"^    (\w+):", block, flags=re.MULTILINE))
    for unit in UNITS:
        given |= set(re.findall(r"(\w+)=", " ".join(values(unit.read_text(), "Environment")))) - {"PATH", "Environment"}
    assert {name for name in given if name.lower() not in Settings.model_fields} == set()
    assert "DATABASE_URL" in given


def test_the_image_gets_every_package_and_nothing_private() -> None:
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    assert lines[0] == "*", "nothing is sent but what is named"
    packages = tomllib.loads((PROJECT_ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    named = {line.removeprefix("!") for line in lines if line.startswith("!")}
    assert {package.partition(".")[0] for package in packages} <= named
    assert {"Procfile", "*.py", "pyproject.toml", "requirements.lock"} <= named


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    for file in (DEPLOY / "systemd").iterdir():
        shutil.copy(file, tmp_path / file.name.replace("@.", "@1."))
    files = sorted(str(file) for file in tmp_path.iterdir())
    said = subprocess.run(["systemd-analyze", "verify", "--man=no", *files], capture_output=True, text=True)
    assert [line for line in said.stderr.splitlines() if "scrapersky" in line] == []
