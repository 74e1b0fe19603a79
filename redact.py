"""Redact: blank what nobody should read in a text that is about to be shown."""

from __future__ import annotations

import re


def hide_password(text: str) -> str:
    """Blank the password of any URL inside `text`, before its host or among its parameters."""
    text = re.sub(r"(?i)([?&][a-z_]*password=)[^&\s'\"]+", r"\1***", text)
    # Bounded, so that a long text made to look like many URLs is read in linear time.
    return re.sub(r"(\w:/{1,2}[^/@:\s]{0,256}):\S{0,512}@", r"\1:***@", text)


def without_secret(value: str) -> str:
    """Blank what may be a secret in a value that is not what it should be: all before the last @, and by name."""
    value = hide_password(value)
    if "@" in value and "***@" not in value:
        value = "***@" + value.rpartition("@")[2]
    return re.sub(r"(?i)(password|secret|token|key)=[^&\s]+", r"\1=***", value)
