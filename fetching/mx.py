"""MX: whether a domain takes mail, asked of the domain name system. Nobody is asked unless MX_CHECK says so.

What the system does not know for certain is `Passing`: a resolver that is away, broken or lying about whom it answers
never makes an address invalid.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from functools import lru_cache
from threading import Lock
from typing import Any, Protocol

import dns.exception
import dns.message
import dns.name
import dns.resolver
from dns.flags import Flag
from dns.rdatatype import RdataType

from errors import Passing
from services.contact_validation import MxAnswer
from settings import settings

MOST_REMEMBERED = 4096
REMEMBERED_SECONDS = 600.0
LEAST_SECONDS = 0.001
# A domain that wants no mail names the root as its server (RFC 7505), or, by an old habit, the asking machine itself.
NOWHERE = frozenset((".", "localhost."))
FAULTS = (dns.exception.DNSException, OSError, EOFError)


class MxAnswers(Protocol):
    """Anybody who can say whether a domain takes mail."""

    def of(self, domain: str) -> MxAnswer:
        """Answer for a domain in ASCII, or raise Passing."""


class DnsAnswers:
    """Asks a name server, the machine's own unless one is given, and remembers its answers for some minutes."""

    def __init__(self, server: tuple[str, int] | None = None, seconds: float = 5.0) -> None:
        self._server = server
        self._seconds = seconds
        self._remembered = Remembered()

    def of(self, domain: str) -> MxAnswer:
        """Ask for the domain's mail servers, then for its address; all of it within the time limit."""
        known = self._remembered.get(domain)
        if known is None:
            known = self._ask(domain)
            self._remembered.put(domain, known)
        return known

    def _ask(self, domain: str) -> MxAnswer:
        try:
            return _Question(self._resolver(), domain, self._seconds).answer()
        except dns.resolver.NXDOMAIN:
            return MxAnswer.NO_SUCH_DOMAIN
        except FAULTS as fault:
            said = f"no name server could say whether {domain} takes mail: {type(fault).__name__}: {fault}"
            raise Passing(MxAnswer.UNANSWERED.value, said) from fault

    def _resolver(self) -> dns.resolver.Resolver:
        """Make a resolver: the machine's list of name servers is read anew, since it changes with the network."""
        if self._server is None:
            return dns.resolver.Resolver()
        made = dns.resolver.Resolver(configure=False)
        made.nameservers, made.port = [self._server[0]], self._server[1]
        return made


class _Question:
    """Up to three queries about one domain under one deadline."""

    def __init__(self, resolver: dns.resolver.Resolver, domain: str, seconds: float) -> None:
        self._resolver = resolver
        self._name = dns.name.from_text(domain)
        self._until = time.monotonic() + seconds

    def answer(self) -> MxAnswer:
        servers = self._records(RdataType.MX)
        if servers:
            wants_none = all(server.exchange.to_text().lower() in NOWHERE for server in servers)
            return MxAnswer.REFUSES_MAIL if wants_none else MxAnswer.TAKES_MAIL
        has_address = self._records(RdataType.A) or self._records(RdataType.AAAA)
        return MxAnswer.NO_MX if has_address else MxAnswer.NO_MAIL_SERVER

    def _records(self, kind: RdataType) -> list[Any]:
        left = max(self._until - time.monotonic(), LEAST_SECONDS)
        found = self._resolver.resolve(self._name, kind, lifetime=left, search=False, raise_on_no_answer=False)
        if not found.rrset and not _is_whole(found.response):
            said = f"what is said about {self._name} is cut short, or comes from a server that does not ask others"
            raise Passing(MxAnswer.UNANSWERED.value, said)
        return list(found.rrset or ())


def _is_whole(response: dns.message.Message) -> bool:
    """Tell whether what an answer leaves out is not there: one that only points to other servers says nothing of it."""
    return not response.flags & Flag.TC and bool(response.flags & (Flag.AA | Flag.RA))


class Remembered:
    """The latest answers, at most so many, each for so long."""

    def __init__(self, most: int = MOST_REMEMBERED, seconds: float = REMEMBERED_SECONDS) -> None:
        self._most = most
        self._seconds = seconds
        self._answers: OrderedDict[str, tuple[MxAnswer, float]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._answers)

    def get(self, domain: str) -> MxAnswer | None:
        """Give what was answered, unless that is too long ago."""
        with self._lock:
            answer, until = self._answers.get(domain, (None, 0.0))
            return answer if time.monotonic() < until else None

    def put(self, domain: str, answer: MxAnswer) -> None:
        """Keep an answer and drop the oldest when there are too many."""
        with self._lock:
            self._answers[domain] = (answer, time.monotonic() + self._seconds)
            self._answers.move_to_end(domain)
            while len(self._answers) > self._most:
                self._answers.popitem(last=False)


@lru_cache(maxsize=1)
def _asked_at(server: tuple[str, int] | None, seconds: float) -> MxAnswers:
    return DnsAnswers(server, seconds)


def mx_answers() -> MxAnswers:
    """Give who is asked in this process, as the settings say."""
    return _asked_at(settings().mx_server, settings().mx_seconds)
