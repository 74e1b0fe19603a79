"""Contact validation: what can be said about an email or a phone without writing to it or calling it."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from enum import StrEnum

import phonenumbers
from email_validator import EmailNotValidError, validate_email
from phonenumbers import NumberParseException, PhoneNumberType, ValidationResult

from services.contact_reasons import REASONS, WORST_FIRST, Word
from services.disposable_domains import LISTED, is_disposable
from services.email_address import canonical_domain, is_role
from services.email_words import EXAMPLE_DOMAINS, EXAMPLE_LOCALS, EXAMPLE_LOCALS_OF_FREE_MAIL, FREE_MAIL
from services.mail_typos import is_typo

LONGEST_EMAIL = 254
LONGEST_NUMBER = 80
# Kept for examples for ever (RFC 2606). The ending .example is not among them: made-up worlds live under it.
RESERVED = ("example.com", "example.net", "example.org")
NO_REPLY = ("noreply", "donotreply")
ORDER = {word: at for at, word in enumerate(REASONS)}
COSTS = {
    PhoneNumberType.PREMIUM_RATE: "premium-rate",
    PhoneNumberType.SHARED_COST: "shared-cost",
    PhoneNumberType.PAGER: "pager",
    PhoneNumberType.TOLL_FREE: "toll-free",
    PhoneNumberType.MOBILE: "mobile",
}


class MxAnswer(StrEnum):
    """What the domain name system says about a domain's mail, as the reason that it is."""

    TAKES_MAIL = "takes-mail"
    NO_MX = "no-mx"
    REFUSES_MAIL = "refuses-mail"
    NO_MAIL_SERVER = "no-mail-server"
    NO_SUCH_DOMAIN = "no-such-domain"
    UNANSWERED = "mail-unanswered"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is thought of a contact, and the words that say why, the weightiest first."""

    verdict: Word
    reasons: tuple[str, ...]

    @property
    def is_settled(self) -> bool:
        """Tell whether everything that was asked was answered."""
        return MxAnswer.UNANSWERED not in self.reasons


def validate(
    kind: str, value: str, *, label: str | None = None, mx: MxAnswer | None = None, disposable: Set[str] = LISTED
) -> Verdict:
    """Judge a contact; `mx` is what is known about the mail of its domain, None when nobody was asked."""
    if kind == "email":
        found = set(_doubts_about_email(value, label, mx, disposable))
    elif kind == "phone":
        found = set(_doubts_about_phone(value, label))
    else:
        found = {"not-checked"}
    reasons = tuple(sorted(found or {"well-formed"}, key=ORDER.__getitem__))
    called_for = {REASONS[word].verdict for word in reasons}
    return Verdict(next(word for word in WORST_FIRST if word in called_for), reasons)


def mail_domain(kind: str, value: str) -> str | None:
    """Give the domain whose mail is worth asking about; None when the contact has none."""
    address = _read(value) if kind == "email" else None
    return canonical_domain(address[1]) if address else None


def _read(value: str) -> tuple[str, str] | None:
    """Split an email into the part before the @ and its domain in ASCII."""
    if len(value) > LONGEST_EMAIL:
        return None
    try:
        read = validate_email(value, check_deliverability=False, strict=True)
    except EmailNotValidError:
        return None
    return read.local_part, read.ascii_domain.lower()


def _doubts_about_email(value: str, label: str | None, mx: MxAnswer | None, disposable: Set[str]) -> Iterator[str]:
    address = _read(value)
    if address is None:
        yield "bad-syntax"
        return
    local, domain = address
    yield from _doubts_about_local(local.lower(), label)
    yield from _doubts_about_domain(domain, disposable)
    if _is_example(local.lower(), domain):
        yield "example-like"
    if mx is not None:
        yield mx.value


def _doubts_about_local(local: str, label: str | None) -> Iterator[str]:
    if not local.isascii():
        yield "needs-utf8"
    if label == "role" or is_role(local):
        yield "role"
    if local.replace("-", "").replace("_", "").replace(".", "").startswith(NO_REPLY):
        yield "no-reply"


def _doubts_about_domain(domain: str, disposable: Set[str]) -> Iterator[str]:
    if canonical_domain(domain) is None:
        yield "unknown-ending"
    if f".{domain}".endswith(tuple(f".{reserved}" for reserved in RESERVED)):
        yield "placeholder"
    if is_typo(domain):  # many of these are on the list too, since somebody collects what arrives there
        yield "typo-domain"
    elif is_disposable(domain, disposable):
        yield "disposable"
    if domain in FREE_MAIL:
        yield "free-mail"


def _is_example(local: str, domain: str) -> bool:
    is_nobodys = local in EXAMPLE_LOCALS or domain in EXAMPLE_DOMAINS
    return is_nobodys or (domain in FREE_MAIL and local in EXAMPLE_LOCALS_OF_FREE_MAIL)


def _doubts_about_phone(value: str, label: str | None) -> Iterator[str]:
    try:
        number = phonenumbers.parse(value, None) if len(value) <= LONGEST_NUMBER else None
    except NumberParseException:
        number = None
    if number is None or phonenumbers.is_possible_number_with_reason(number) != ValidationResult.IS_POSSIBLE:
        yield "impossible-number"
        return
    if label == "fax":
        yield "fax"
    kind = phonenumbers.number_type(number)  # unknown for all that the plan does not have
    if kind == PhoneNumberType.UNKNOWN:
        yield "unassigned-number"
    if kind in COSTS:
        yield COSTS[kind]
