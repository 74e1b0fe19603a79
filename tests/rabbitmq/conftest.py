"""Only collected when asked for by `make test-rabbitmq`: it needs Debian's rabbitmq-server."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.rabbitmq import ASKED_FOR
from tests.rabbitmq.node import Node, running

if ASKED_FOR not in os.environ:
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture
def node() -> Iterator[Node]:
    with running() as started:
        yield started
