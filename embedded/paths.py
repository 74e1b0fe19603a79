"""Where a root directory keeps its data, its lock and its sockets."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from errors import ServerDown

POSTGRES_PORT = 5432  # only part of the socket's name: nothing listens on TCP
POSTGRES_SOCKET = f"postgres/.s.PGSQL.{POSTGRES_PORT}"
VALKEY_SOCKET = "valkey/valkey.sock"
LONGEST_SOCKET_PATH = 100  # bytes; Linux allows 107, macOS 103
IGNORE_ALL = "*\n"
NEEDS_NO_QUOTING = re.compile(r"[A-Za-z0-9/._+-]+")

# Not tempfile.gettempdir(): processes with another TMPDIR must find the same sockets.
SHORT_PARENT = Path("/tmp")  # noqa: S108


@dataclass(frozen=True)
class Places:
    """The files of one root directory; two roots share none."""

    root: Path

    @classmethod
    def of(cls, root: Path) -> Places:
        """Name the places of `root`, which is relative to the current directory."""
        return cls(root.resolve())

    @property
    def sockets(self) -> Path:
        """The directory above both sockets: the root itself unless its path cannot hold one."""
        longest = os.fsencode(self.root / POSTGRES_SOCKET)
        if len(longest) <= LONGEST_SOCKET_PATH and NEEDS_NO_QUOTING.fullmatch(str(self.root)):
            return self.root
        digest = hashlib.sha256(os.fsencode(self.root)).hexdigest()[:16]
        return SHORT_PARENT / f"scrapersky-{_user()}-{digest}"

    @property
    def lock(self) -> Path:
        return self.root / "lock"

    @property
    def marker(self) -> Path:
        return self.root / ".gitignore"

    def is_ours(self) -> bool:
        """Whether `create` found the root new or empty, so that all of it may be deleted."""
        return self.lock.exists() and self.marker.exists() and self.marker.read_text() == IGNORE_ALL

    def create(self) -> None:
        """Make the root, private and ignored by git; a directory that held something else stays as it is."""
        self.root.mkdir(parents=True, exist_ok=True)
        if not any(self.root.iterdir()):
            self.root.chmod(_private_mode())
            self.marker.write_text(IGNORE_ALL)
        self.lock.touch()

    def create_part(self, name: str) -> None:
        """Make the directories of one server; needs the lock."""
        if self.sockets != self.root:
            _create_private(self.sockets)
        for parent in {self.root, self.sockets}:
            (parent / name).mkdir(mode=0o700, exist_ok=True)

    def remove_distant_sockets(self) -> None:
        """Leave nothing outside the root; needs the lock."""
        if self.sockets != self.root:
            shutil.rmtree(self.sockets, ignore_errors=True)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Let one process at a time start or stop servers here."""
        import fcntl  # not on Windows, where this package must still be importable to say so

        with self.lock.open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    @contextmanager
    def faults_in_words(self) -> Iterator[None]:
        """Turn a full disk or a missing permission into a sentence."""
        try:
            yield
        except OSError as fault:
            raise ServerDown(
                f"The embedded servers cannot use {self.root} ({fault.strerror}: {fault.filename or self.root}): "
                "put that right, or set SCRAPERSKY_DIR to another directory."
            ) from fault


def _user() -> int:
    return os.geteuid() if hasattr(os, "geteuid") else 0  # Windows has no such number


def _private_mode() -> int:
    # Root's PostgreSQL runs as another account, which may pass through but not look around.
    return 0o711 if _user() == 0 else 0o700


def _create_private(directory: Path) -> None:
    with suppress(FileExistsError):
        directory.mkdir(mode=0o700)
    found = directory.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != _user():
        raise ServerDown(f"{directory} belongs to somebody else: remove it, or set SCRAPERSKY_DIR to a shorter path.")
    directory.chmod(_private_mode())


def bytes_under(directory: Path) -> int:
    """How much the files below `directory` hold."""
    return sum(_size(Path(parent) / name) for parent, _, names in os.walk(directory) for name in names)


def _size(file: Path) -> int:
    # A running server deletes files while we count.
    with suppress(OSError):
        return file.lstat().st_size
    return 0
