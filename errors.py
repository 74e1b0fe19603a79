"""The whole error tree: what can go wrong, in words.

ScraperSkyError
├── Outcome              how a stage ends when it does not simply return a result
│   ├── Filtered         this entity is not wanted here, with the reason
│   ├── Snooze           not now: run again at a given time, attempt not spent
│   └── Trouble          something out there did not work
│       ├── Passing      may work later: unreachable, rate-limited, server fault
│       └── Final        will not change: refused, unsafe, unreadable
├── LateFinish           the worker was declared dead (or the work cancelled) before it finished
└── UserError            something the person at the keyboard can put right
    ├── BadSetting       an environment variable has a value we cannot use
    ├── BadInput         a command or request that cannot be carried out as it is written
    │   ├── NotFound     it names something that does not exist, or not for this caller
    │   └── Conflict     it goes against what is there now
    ├── NotLoggedIn      a request without a valid token or key
    ├── NotAllowed       a caller who may not do this
    ├── TooManyTries     too often in too short a time
    ├── ServerDown       Postgres or the broker cannot be reached
    ├── SchemaBehind     the database needs a migration
    └── NoEmbeddedServer this platform has no embedded server
"""

from __future__ import annotations

from datetime import datetime, timedelta

MAX_ERROR_CHARACTERS = 1024


class ScraperSkyError(Exception):
    """Anything this program raises on purpose."""


class Outcome(ScraperSkyError):
    """A stage's answer other than a result; `reason` is a short kebab-case word.

    When the work ends with it, what `value` holds is kept by the stage's `save` all the same.
    """

    def __init__(self, reason: str, error: str | None = None, *, value: object = None) -> None:
        self.reason = reason
        self.value = value
        self.error = None if error is None else error[:MAX_ERROR_CHARACTERS]
        super().__init__(reason if error is None else f"{reason}: {self.error}")


class Filtered(Outcome):
    """This entity does not go on; not a fault."""


class Snooze(Outcome):
    """Run this work again at `until` without spending an attempt."""

    def __init__(self, reason: str, *, until: datetime, error: str | None = None) -> None:
        super().__init__(reason, error)
        if until.tzinfo is None:
            raise ValueError("Snooze needs an aware time, for example datetime.now(UTC) + delay")
        self.until = until


class Trouble(Outcome):
    """Something out there did not work; carries what it answered and how long that took, where it answered.

    `retry_after` is the least wait the other side asked for.
    """

    def __init__(
        self,
        reason: str,
        error: str | None = None,
        *,
        status: int | None = None,
        retry_after: timedelta | None = None,
        seconds: float | None = None,
        value: object = None,
    ) -> None:
        super().__init__(reason, error, value=value)
        self.status = status
        self.retry_after = retry_after
        self.seconds = seconds


class Passing(Trouble):
    """May work later."""


class Final(Trouble):
    """Trying again will not help."""


class LateFinish(ScraperSkyError):
    """The row no longer belongs to this worker, so nothing it produced was stored."""


class UserError(ScraperSkyError):
    """One sentence that says what happened and what to do; `exit_code` goes to the shell."""

    exit_code = 2


class BadSetting(UserError):
    """An environment variable holds a value that cannot be used."""


class BadInput(UserError):
    """A command or request cannot be carried out as it is written."""


class NotFound(BadInput):
    """A command or request names something that does not exist, or not for this caller."""


class Conflict(BadInput):
    """A request goes against what is there now."""


class NotLoggedIn(UserError):
    """A request comes without a token or key that is valid."""


class NotAllowed(UserError):
    """The caller's role or key does not reach as far as this."""


class TooManyTries(UserError):
    """Somebody tries too often; `retry_after` is how long to wait."""

    def __init__(self, message: str, retry_after: timedelta) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ServerDown(UserError):
    """Postgres or the broker cannot be reached."""

    exit_code = 3


class SchemaBehind(UserError):
    """The database is at another migration than this code."""

    exit_code = 4


class NoEmbeddedServer(UserError):
    """No embedded server can run here."""

    exit_code = 5
