"""Contact reasons: the words that a verdict on a contact is made of, the worst first, each with its meaning."""

from __future__ import annotations

from typing import Literal, NamedTuple

Word = Literal["valid", "risky", "invalid", "unknown"]

# A contact's verdict is the first of these that any of its reasons calls for.
WORST_FIRST: tuple[Word, ...] = ("invalid", "risky", "unknown", "valid")


class Reason(NamedTuple):
    """The verdict that a reason calls for, and what it tells a person."""

    verdict: Word
    meaning: str


REASONS: dict[str, Reason] = {
    "bad-syntax": Reason("invalid", "it is not written as an email address can be"),
    "unknown-ending": Reason("invalid", "the email's domain ends in something that no registry has"),
    "placeholder": Reason("invalid", "the email is under example.com, .net or .org, where nobody has a mailbox"),
    "no-such-domain": Reason("invalid", "the domain name system does not know the email's domain"),
    "refuses-mail": Reason("invalid", "the email's domain says that it takes no mail (null MX)"),
    "no-mail-server": Reason("invalid", "the email's domain has neither a mail server nor an address"),
    "impossible-number": Reason("invalid", "there is no such country code, or its numbers have another length"),
    "typo-domain": Reason("risky", "the email's domain is a large mail provider's with a typing error (gmial.com)"),
    "disposable": Reason("risky", "the email's domain hands out throw-away addresses"),
    "example-like": Reason("risky", "forms and templates use this email as an example"),
    "no-reply": Reason("risky", "nobody reads what is sent to this email"),
    "no-mx": Reason("risky", "the email's domain names no mail server; mail would go to its web address"),
    "needs-utf8": Reason("risky", "the part before the @ has letters that many mail servers do not take"),
    "unassigned-number": Reason("risky", "the number's length is right, but its country's plan has no such number"),
    "fax": Reason("risky", "the number is a fax machine's"),
    "premium-rate": Reason("risky", "a call to this number costs more than others"),
    "shared-cost": Reason("risky", "a call to this number is charged to both sides"),
    "pager": Reason("risky", "the number is a pager's"),
    "mail-unanswered": Reason("unknown", "no name server could say whether the email's domain takes mail"),
    "not-checked": Reason("unknown", "contacts of this kind are not checked"),
    "role": Reason("valid", "the email is a desk's (info@, sales@), not one person's"),
    "free-mail": Reason("valid", "the email is with a provider where anybody can have one"),
    "toll-free": Reason("valid", "a call to this number is free"),
    "mobile": Reason("valid", "the number is a mobile phone's"),
    "takes-mail": Reason("valid", "the email's domain names its mail servers"),
    "well-formed": Reason("valid", "it is written as it should be, and nothing speaks against it"),
}
