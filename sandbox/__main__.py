"""`python -m sandbox PLAN`: serve a plan given as JSON, say where in one line, and end with whoever started it."""

from __future__ import annotations

import json
import sys

from sandbox.plan import Plan


def main() -> None:
    """Serve until told to stop or left alone."""
    plan = Plan(**json.loads(sys.argv[1]))
    server, (address, port) = plan.server(plan.world())
    server.stop_on_signals()
    server.stop_with_parent()
    sys.stdout.write(json.dumps({"address": address, "port": port}) + "\n")
    sys.stdout.flush()
    server.run()


if __name__ == "__main__":
    main()
