"""Find Debian's Chromium, or install it where that is possible: `python -m tests.browser.chromium`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome")
# Without fonts there is nothing to see on the screenshots.
PACKAGES = ("chromium", "fonts-dejavu-core")
HOW = f"run `apt-get install {' '.join(PACKAGES)}` as root"


def program() -> str | None:
    """Give the path of a browser that is there."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def is_needed() -> bool:
    """Tell whether a missing browser is a failure: where nobody reads what was skipped."""
    return bool(os.environ.get("CI"))


def what_is_missing() -> str | None:
    """Install the browser if it is missing and may be installed, and say in one sentence what cannot be had."""
    if program() is not None:
        return None
    become_root = _root()
    if become_root is None:
        return f"Chromium is missing, so the stories in the browser are skipped: {HOW}."
    _install(become_root)
    return None if program() else f"Chromium is missing and could not be installed (the lines above say why): {HOW}."


def _root() -> list[str] | None:
    """Give what stands before a command that only root may run; None where we may not."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return []
    has_sudo = shutil.which("sudo") is not None
    is_free = has_sudo and subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0
    return ["sudo", "-n"] if is_free else None


def _install(become_root: list[str]) -> None:
    print("Installing Chromium for the stories in the browser (first time only) …", flush=True)  # noqa: T201
    quiet = [*become_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--yes", "-qq"]
    for step in (["update"], ["install", "--no-install-recommends", *PACKAGES]):
        subprocess.run([*quiet, *step], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)


if __name__ == "__main__":
    missing = what_is_missing()
    if missing:
        print(missing, file=sys.stderr)  # noqa: T201
    sys.exit(1 if missing and is_needed() else 0)
