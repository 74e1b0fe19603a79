"""Settings shown: what is in force in this process and where each value came from; never a secret."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import SecretStr, ValidationError
from pydantic_settings import BaseSettings, DotEnvSettingsSource, EnvSettingsSource

from errors import BadSetting
from pipeline.stage import Stage, all_stages
from redact import hide_password
from settings import Settings, SweeperSettings, load, settings

Source = Literal["environment", ".env", "default"]

# By the part of Settings that declares the field, in the order in which they are shown.
GROUPS = {
    "Settings": "Installation",
    "FetchingSettings": "Fetching",
    "ProviderSettings": "Place providers",
    "ContactSettings": "Contacts",
    "AccountSettings": "Accounts",
    "AlarmSettings": "Alarms",
}
SWEEPERS = "Sweepers"


@dataclass(frozen=True, slots=True)
class Shown:
    """A setting as people may see it."""

    name: str
    value: str
    default: str
    source: Source
    says: str
    is_stale: bool

    def fits(self, text: str) -> bool:
        """Tell whether a text occurs in it."""
        return text.lower() in f"{self.name} {self.says} {self.value} {self.source}".lower()


def groups() -> list[tuple[str, list[Shown]]]:
    """Give every setting of this process by its part, then the sweeper of every stage."""
    found: dict[str, list[Shown]] = {title: [] for title in GROUPS.values()}
    for name, shown in _installation():
        found[GROUPS[_part(name)]].append(shown)
    return [*found.items(), (SWEEPERS, [shown for stage in all_stages() for shown in _sweeper(stage)])]


def trouble() -> str | None:
    """Say what would keep a process from starting with what is set now; None when nothing would."""
    try:
        load()
    except BadSetting as fault:
        return str(fault)
    return None


@dataclass(frozen=True, slots=True)
class Read:
    """Settings in force, the same as a process that starts now would read them, and what each source gives."""

    in_force: BaseSettings
    fresh: BaseSettings | None
    environment: Mapping[str, Any]
    file: Mapping[str, Any]

    def shown(self, variable: str, name: str, default: object, says: str | None) -> Shown:
        """Show one field."""
        value = getattr(self.in_force, name)
        source: Source = "environment" if name in self.environment else ".env" if name in self.file else "default"
        is_stale = self.fresh is not None and getattr(self.fresh, name) != value
        return Shown(variable, _text(value), _text(default), source, says or "", is_stale)


def _installation() -> Iterator[tuple[str, Shown]]:
    read = Read(settings(), _fresh(load), *_given(Settings))
    for name, field in Settings.model_fields.items():
        yield name, read.shown(name.upper(), name, field.default, field.description)


def _sweeper(stage: Stage) -> Iterator[Shown]:
    variables = f"{stage.settings_prefix or stage.name.upper()}_SCHEDULER_"
    model: Any = type(stage.sweeper)
    fresh = _fresh(lambda: model(_env_prefix=variables, _env_file=".env", _env_ignore_empty=True))
    read = Read(stage.sweeper, fresh, *_given(model, variables))
    for name, field in SweeperSettings.model_fields.items():
        yield read.shown(variables + name.upper(), name, stage.sweep_defaults[name], field.description)


def _text(value: object) -> str:
    """Write a value; of a secret only whether there is one."""
    if isinstance(value, SecretStr):
        return "set"
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return str(value).lower()
    text = hide_password(str(value))
    if "://" in text:
        for secret in settings().secrets:
            text = text.replace(secret, "***")
    return text


def _part(name: str) -> str:
    return next(part.__name__ for part in Settings.__mro__ if name in inspect.get_annotations(part))


def _given(model: type[BaseSettings], prefix: str = "") -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Read the environment and `.env` as the settings themselves do."""
    how: Mapping[str, Any] = {"env_prefix": prefix, "env_ignore_empty": True}
    return EnvSettingsSource(model, **how)(), DotEnvSettingsSource(model, env_file=".env", **how)()


def _fresh(read: Callable[[], BaseSettings]) -> BaseSettings | None:
    """Read settings as a process that starts now would; None when it could not."""
    try:
        return read()
    except (BadSetting, ValidationError):
        return None
