"""A process that outlives its parent to stop the parent's servers: `python -m embedded.keeper ROOT [--delete]`."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from embedded.lifetime import finish


def main(arguments: list[str]) -> None:
    """Wait until the parent releases us or is gone, then stop the servers."""
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)
    sys.stdin.buffer.read(1)
    finish(Path(arguments[0]), delete="--delete" in arguments[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
