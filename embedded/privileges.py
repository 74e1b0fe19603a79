"""Whom PostgreSQL runs as: ourselves or, because it refuses root, an account without privileges."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from errors import NoEmbeddedServer

# Nothing of ours leaks in: PGPORT, PGDATA or a locale would change what the server does.
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}


@dataclass(frozen=True)
class Account:
    """How to run a command as somebody; without values, as ourselves."""

    user: int | None = None
    group: int | None = None
    extra_groups: tuple[int, ...] | None = None
    prefix: tuple[str, ...] = ()

    def run(self, command: Sequence[str | Path], *, text: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command to its end in a session of its own, away from our terminal and our directory."""
        return subprocess.run(
            [*self.prefix, *command],
            input=text,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            cwd="/",
            env=ENVIRONMENT,
            start_new_session=True,
            user=self.user,
            group=self.group,
            extra_groups=self.extra_groups,
        )


def account_for(program: Path, directories: Sequence[Path]) -> Account:
    """Choose the account for `program`; as root, hand `directories` over to it."""
    if os.geteuid() != 0:
        return Account()
    try:
        uid, gid = _owner(directories[0])
        for directory in directories:
            os.chown(directory, uid, gid)
    except (OSError, KeyError):
        raise _no_account(directories[0]) from None
    return _one_that_reaches(program, directories[0], uid, gid)


def _owner(directory: Path) -> tuple[int, int]:
    import pwd  # not on Windows

    found = directory.stat()
    if found.st_uid != 0:  # data of a normal user stays theirs when root starts it
        return found.st_uid, found.st_gid
    nobody = pwd.getpwnam("nobody")
    return nobody.pw_uid, nobody.pw_gid


def _one_that_reaches(program: Path, directory: Path, uid: int, gid: int) -> Account:
    for account in (Account(uid, gid, extra_groups=()), _past_closed_parents(uid, gid)):
        if _reaches(account, program, directory):
            return account
    raise _no_account(directory)


def _past_closed_parents(uid: int, gid: int) -> Account:
    # A checkout below a 0700 directory such as /root: opening that up is not ours to do. dac_read_search alone would be
    # less, but is not enough for initdb to start postgres.
    keep = ("--inh-caps=+dac_override", "--ambient-caps=+dac_override")
    return Account(prefix=("setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups", *keep))


def _reaches(account: Account, program: Path, directory: Path) -> bool:
    try:
        return account.run(["sh", "-c", 'cd "$1" && exec "$0" --version', program, directory]).returncode == 0
    except OSError:
        return False


def _no_account(directory: Path) -> NoEmbeddedServer:
    return NoEmbeddedServer(
        f"PostgreSQL refuses to run as root and no other account can use {directory}: "
        "run this as a normal user, or set DATABASE_URL to a server of your own."
    )
