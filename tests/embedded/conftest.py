"""Root directories whose servers never outlive the test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import embedded


@pytest.fixture(scope="session")
def _used(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    place = tmp_path_factory.mktemp("embedded") / "root"
    yield place
    shutil.rmtree(place, ignore_errors=True)


@pytest.fixture
def root(_used: Path) -> Iterator[Path]:
    """A root that has been used before, because creating a cluster is what takes time; nothing runs yet."""
    yield _used
    embedded.stop(_used)
    shutil.rmtree(_used / "valkey", ignore_errors=True)


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Path]:
    """A root that does not exist yet."""
    place = tmp_path / "root"
    yield place
    embedded.stop(place)
    shutil.rmtree(place, ignore_errors=True)
