"""Servers that end with a block of code, even when its process is killed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from embedded import pair
from embedded.paths import Places
from embedded.server import Part

PROJECT = Path(__file__).resolve().parent.parent


@contextmanager
def temporary(
    *, delete: bool = True, root: Path | None = None, parts: Collection[Part] = pair.PARTS
) -> Iterator[pair.Servers]:
    """Run servers for the length of the block, in `root` or a fresh directory; then stop them and delete it."""
    place = root or Path(mkdtemp(prefix="scrapersky-"))
    with kept(place, delete=delete, parts=parts):
        yield pair.start(place, parts)


@contextmanager
def kept(root: Path, *, delete: bool = False, parts: Collection[Part] = pair.PARTS) -> Iterator[None]:
    """Stop these servers of `root` when the block ends or this process dies, however it dies."""
    places = Places.of(root)
    with places.faults_in_words():
        places.create()
    with _keeper(places.root, delete=delete, parts=parts) as keeper:
        try:
            yield
        finally:
            # A byte, because a forked child may hold the pipe open and keep its end from being seen.
            keeper.communicate(b".")
    if keeper.returncode != 0:  # it was killed, or could not do it
        finish(places.root, delete=delete, parts=parts)


def finish(root: Path, *, delete: bool, parts: Collection[Part]) -> None:
    """Stop these servers of `root` or, if asked, all of them, and delete it."""
    if delete:
        pair.delete(root)
    else:
        pair.stop(root, parts)


def _keeper(root: Path, *, delete: bool, parts: Collection[Part]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "embedded.keeper", str(root), *(["--delete"] if delete else []), *parts]
    with (root / "keeper.log").open("ab") as log:
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=log, stderr=log, cwd=PROJECT, start_new_session=True
        )
