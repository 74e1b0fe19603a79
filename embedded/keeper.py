"""A process that outlives its parent to stop its servers: `python -m embedded.keeper ROOT [--delete] PART…`."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from embedded.lifetime import finish
from embedded.pair import PARTS


def main(arguments: list[str]) -> None:
    """Wait until the parent releases us or is gone, then stop the servers."""
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)
    sys.stdin.buffer.read(1)
    parts = [part for part in PARTS if part in arguments[1:]]
    finish(Path(arguments[0]), delete="--delete" in arguments[1:], parts=parts)


if __name__ == "__main__":
    main(sys.argv[1:])
