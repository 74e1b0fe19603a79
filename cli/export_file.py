"""A file that is there whole or not at all: written under another name beside it, and renamed at the end."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR
from pathlib import Path
from tempfile import TemporaryFile
from types import FrameType
from typing import BinaryIO

import psutil

from cli.text import safe
from errors import BadInput

LONGEST_SHOWN = 200
TERMINATED = 128 + signal.SIGTERM


@contextmanager
def whole_file(name: str) -> Iterator[BinaryIO]:
    """Lend a stream to write to; when the body ends well, the file is there under its name."""
    path = _path(name)
    write = _straight if is_special(name) else _beside
    with _refusals(name), write(path) as stream:
        yield stream


def check(name: str) -> None:
    """Refuse a file that cannot be written, before there is anything to write."""
    path = _path(name)
    with _refusals(name):
        if path.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        if not is_special(name):
            TemporaryFile(dir=path.parent).close()


def is_special(name: str) -> bool:
    """Tell whether a name is that of a device, a pipe or a directory."""
    path = _path(name)
    with _refusals(name):
        return path.exists() and not path.is_file()


@contextmanager
def _refusals(name: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as fault:
        raise _unwritable(name, fault) from fault


def _path(name: str) -> Path:
    try:
        return Path(name).expanduser().resolve()
    except (OSError, ValueError, RuntimeError) as fault:  # a NUL in it, or the home of a user who does not exist
        raise _unwritable(name, fault) from fault


def _unwritable(name: str, fault: Exception) -> BadInput:
    why = getattr(fault, "strerror", None) or str(fault)
    return BadInput(f"{safe(name, LONGEST_SHOWN)!r} cannot be written: {safe(why, LONGEST_SHOWN)}.")


@contextmanager
def _straight(path: Path) -> Iterator[BinaryIO]:
    """Write to a device or a pipe, which cannot be renamed; a directory is refused."""
    with path.open("wb") as stream:
        yield stream


@contextmanager
def _beside(path: Path) -> Iterator[BinaryIO]:
    _clear_away(path)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with _heeding_sigterm(), part.open("wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _clear_away(path: Path) -> None:
    """Remove what exports to the same file left that were killed before they could tidy up."""
    pattern = re.compile(rf"\.{re.escape(path.name)}\.(\d+)\.part")
    for other in path.parent.iterdir():
        left = pattern.fullmatch(other.name)
        if left and not psutil.pid_exists(int(left[1])):
            with suppress(OSError):
                other.unlink()


@contextmanager
def _heeding_sigterm() -> Iterator[None]:
    """Let a polite end tidy up as Ctrl-C does."""
    before = signal.signal(signal.SIGTERM, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _leave(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(TERMINATED)
