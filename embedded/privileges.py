"""Whom PostgreSQL runs as: ourselves or, because it refuses root, an account without privileges."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
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
    seen_as: int | None = None  # the number under which such an account sees us, where that is not our own

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
        for account, owner in _accounts(directories[0]):
            for directory in directories:
                os.chown(directory, *owner)
            if _reaches(account, program, directories[0]):
                return account
    except (OSError, KeyError):
        raise _no_account(directories[0]) from None
    raise _no_account(directories[0])


def _accounts(directory: Path) -> Iterator[tuple[Account, tuple[int, int]]]:
    """Give the accounts to try, the least privileged first, each with the owner its files need."""
    import pwd  # not on Windows

    found, data = directory.stat(), directory / "data"
    if found.st_uid != 0:  # data of a normal user stays theirs when root starts it
        uid, gid = found.st_uid, found.st_gid
    else:
        uid, gid = pwd.getpwnam("nobody").pw_uid, pwd.getpwnam("nobody").pw_gid
    ours_already = data.exists() and data.stat().st_uid == 0
    if not ours_already:
        yield Account(uid, gid, extra_groups=()), (uid, gid)
    if found.st_uid == 0:
        yield _renamed_root(uid, gid), (0, 0)
    if not ours_already:
        yield _past_closed_parents(uid, gid), (uid, gid)


def _renamed_root(uid: int, gid: int) -> Account:
    """Root under another number, in a user namespace: reaches a checkout below a 0700 directory such as /root or one of
    `mktemp -d`, and has no capability outside. Opening those directories up is not ours to do."""
    return Account(prefix=("unshare", "--user", f"--map-user={uid}", f"--map-group={gid}"), seen_as=uid)


def _past_closed_parents(uid: int, gid: int) -> Account:
    """For containers that forbid namespaces; helps when the data is out of reach, not when the programs are."""
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
