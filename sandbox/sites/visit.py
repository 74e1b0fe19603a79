"""Visit: one request to one site, with what a misbehaviour needs to know; and the register of misbehaviours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sandbox.business import Business
from sandbox.message import Reply, Request


@dataclass(frozen=True, slots=True)
class Visit:
    """One request for anything but robots.txt."""

    request: Request
    business: Business
    host: str  # bare
    count: int  # the how manieth such request to this site; 1 is the first
    normal: Callable[[], Reply]  # what a well-behaved site would answer


Misbehaviour = Callable[[Visit], Reply]
MISBEHAVIOURS: dict[str, Misbehaviour] = {}


def misbehaves(kind: str) -> Callable[[Misbehaviour], Misbehaviour]:
    """Register what sites of a kind do instead of answering normally."""

    def register(answer: Misbehaviour) -> Misbehaviour:
        MISBEHAVIOURS[kind] = answer
        return answer

    return register
