"""Verdicts on contacts: tables of what is known, and what must hold for anything at all."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import reasons
from models.contact import CONTACT_KINDS, VERDICTS
from services.contact_reasons import REASONS, WORST_FIRST, Word
from services.contact_validation import MxAnswer, mail_domain, validate
from services.disposable_domains import LISTED, is_disposable, read_domains
from services.email_words import FREE_MAIL
from services.mail_typos import PROVIDERS, is_typo
from settings import PROJECT_ROOT


def said(kind: str, value: str, label: str | None = None, mx: MxAnswer | None = None) -> str:
    verdict = validate(kind, value, label=label, mx=mx)
    return " ".join((verdict.verdict, *verdict.reasons))


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("anna.smith@smith-dental.example", "valid well-formed"),
        ("Anna.Smith+web@smith-dental.co.uk", "valid well-formed"),
        ("o'neil@smith-dental.de", "valid well-formed"),
        ("info@smith-dental.example", "valid role"),
        ("sales.uk@smith-dental.example", "valid role"),
        ("smith.dental@gmail.com", "valid free-mail"),
        ("info@web.de", "valid role free-mail"),
        ("anna@xn--mnchen-dental-zob.de", "valid well-formed"),
        ("anna@münchen-dental.de", "valid well-formed"),
        ("noreply@smith-dental.example", "risky no-reply role"),
        ("do-not-reply@smith-dental.example", "risky no-reply"),
        ("DO_NOT_REPLY2@smith-dental.example", "risky no-reply"),
        ("jörg@smith-dental.de", "risky needs-utf8"),
        ("anna@mailinator.com", "risky disposable"),
        ("anna@inbox.mailinator.com", "risky disposable"),
        ("anna@hotmial.com", "risky typo-domain"),
        ("anna@gmail.co", "risky typo-domain"),
        ("anna@outlok.com", "risky typo-domain"),
        ("anna@yhaoo.co.uk", "risky typo-domain"),
        ("anna@gmail.con", "invalid unknown-ending typo-domain"),
        ("your.name@smith-dental.example", "risky example-like"),
        ("anna@yourcompany.com", "risky example-like"),
        ("john.doe@gmail.com", "risky example-like free-mail"),
        ("anna@example.com", "invalid placeholder example-like"),
        ("anna@mail.example.org", "invalid placeholder"),
        ("anna@smith-dental.zzzzz", "invalid unknown-ending"),
        ("logo@2x.png", "invalid unknown-ending"),
        ("anna@dental.test", "invalid bad-syntax"),
        ("anna@localhost", "invalid bad-syntax"),
        ("anna", "invalid bad-syntax"),
        ("", "invalid bad-syntax"),
        ("@smith-dental.example", "invalid bad-syntax"),
        ("anna@@smith-dental.example", "invalid bad-syntax"),
        ("an..na@smith-dental.example", "invalid bad-syntax"),
        (".anna@smith-dental.example", "invalid bad-syntax"),
        ("anna@smith-dental.example.", "invalid bad-syntax"),
        ("anna@-smith.example", "invalid bad-syntax"),
        ("anna smith@smith-dental.example", "invalid bad-syntax"),
        ("anna@smith-dental.example\n", "invalid bad-syntax"),
        ("Anna <anna@smith-dental.example>", "invalid bad-syntax"),
        ('"anna smith"@smith-dental.example', "invalid bad-syntax"),
        ("anna@[192.0.2.1]", "invalid bad-syntax"),
        ("a" * 65 + "@smith-dental.example", "invalid bad-syntax"),
        ("anna@" + "a." * 200 + "example", "invalid bad-syntax"),
        ("a" * 100_000 + "@smith-dental.example", "invalid bad-syntax"),
    ],
)
def test_emails(address: str, expected: str) -> None:
    assert said("email", address) == expected


@pytest.mark.parametrize(
    ("address", "mx", "expected"),
    [
        ("anna@smith.example", MxAnswer.TAKES_MAIL, "valid takes-mail"),
        ("info@smith.example", MxAnswer.TAKES_MAIL, "valid role takes-mail"),
        ("anna@smith.example", MxAnswer.NO_MX, "risky no-mx"),
        ("anna@smith.example", MxAnswer.REFUSES_MAIL, "invalid refuses-mail"),
        ("info@smith.example", MxAnswer.NO_MAIL_SERVER, "invalid no-mail-server role"),
        ("anna@smith.example", MxAnswer.NO_SUCH_DOMAIN, "invalid no-such-domain"),
        ("info@smith.example", MxAnswer.UNANSWERED, "unknown mail-unanswered role"),
        ("anna@mailinator.com", MxAnswer.TAKES_MAIL, "risky disposable takes-mail"),
        ("anna@mailinator.com", MxAnswer.UNANSWERED, "risky disposable mail-unanswered"),
        ("anna@gmial.com", MxAnswer.NO_SUCH_DOMAIN, "invalid no-such-domain typo-domain"),
    ],
)
def test_what_the_domain_says_of_mail(address: str, mx: MxAnswer, expected: str) -> None:
    assert said("email", address, mx=mx) == expected


@pytest.mark.parametrize(
    ("number", "label", "expected"),
    [
        ("+15125550100", None, "valid well-formed"),
        ("+442079460000", None, "valid well-formed"),
        ("+8613800138000", None, "valid mobile"),
        ("+18005550100", None, "valid toll-free"),
        ("+80012345678", None, "valid toll-free"),
        ("+19005551234", None, "risky premium-rate"),
        ("+61131234", None, "risky shared-cost"),
        ("+15125550100", "fax", "risky fax"),
        ("+49900123456", None, "risky unassigned-number"),
        ("+49900123456", "fax", "risky unassigned-number fax"),
        ("+1512", None, "invalid impossible-number"),
        ("+1512", "fax", "invalid impossible-number"),
        ("+151255501001", None, "invalid impossible-number"),
        ("5125550100", None, "invalid impossible-number"),
        ("+999123456789", None, "invalid impossible-number"),
        ("call us", None, "invalid impossible-number"),
        ("", None, "invalid impossible-number"),
        ("+1" * 50_000, None, "invalid impossible-number"),
    ],
)
def test_phones(number: str, label: str | None, expected: str) -> None:
    assert said("phone", number, label) == expected


@pytest.mark.parametrize("kind", ["social", "person", "pigeon"])
def test_other_kinds_are_not_checked(kind: str) -> None:
    assert said(kind, "https://www.facebook.com/smith") == "unknown not-checked"


def test_a_label_that_a_person_gave_counts() -> None:
    assert said("email", "zahnarzt@smith.example", "role") == "valid role"


class TestDisposable:
    """The public list and a person's own."""

    def test_a_list_of_ones_own_is_believed(self) -> None:
        own = read_domains("# ours\nThrowaway.example  # seen in May\n@other.example\n\n*.wild.example\nno domain\n")
        assert own == {"throwaway.example", "other.example", "wild.example"}
        judged = validate("email", "anna@mail.throwaway.example", disposable=own)
        assert (judged.verdict, judged.reasons) == ("risky", ("disposable",))

    def test_a_name_that_only_ends_alike_is_another(self) -> None:
        assert not is_disposable("notthrowaway.example", {"throwaway.example"})
        assert not is_disposable("com", frozenset({"com"}))

    def test_providers_are_not_on_the_list(self) -> None:
        assert not LISTED & FREE_MAIL
        assert len(LISTED) > 3000


class TestTypos:
    """Slips of the finger at large providers, and nobody else's domains."""

    @pytest.mark.parametrize(
        "domain", ["gmial.com", "gmal.com", "gmaill.com", "gmail.cm", "hotnail.com", "yaho.com", "icluod.com"]
    )
    def test_slips_are_seen(self, domain: str) -> None:
        assert is_typo(domain)

    @pytest.mark.parametrize(
        "domain", [*sorted(FREE_MAIL), "email.com", "cloud.com", "libro.it", "orage.fr", "smith-dental.example"]
    )
    def test_other_domains_are_not(self, domain: str) -> None:
        assert not is_typo(domain)

    def test_every_provider_is_one_that_we_know(self) -> None:
        assert PROVIDERS <= FREE_MAIL


class TestMailDomain:
    """Whom to ask about mail."""

    @pytest.mark.parametrize(
        ("kind", "value", "domain"),
        [
            ("email", "Anna@Smith-Dental.Example", "smith-dental.example"),
            ("email", "anna@münchen.de", "xn--mnchen-3ya.de"),
            ("email", "anna@smith.zzzzz", None),
            ("email", "anna", None),
            ("phone", "+15125550100", None),
            ("social", "anna@smith.example", None),
        ],
    )
    def test_only_domains_that_can_exist(self, kind: str, value: str, domain: str | None) -> None:
        assert mail_domain(kind, value) == domain


addresses = st.builds(
    "{}@{}".format,
    st.one_of(st.text(max_size=70), st.sampled_from(["info", "no-reply", "you", "anna"])),
    st.one_of(
        st.text(max_size=80),
        st.sampled_from(["gmail.com", "gmial.com", "example.com", "mailinator.com", "smith.example"]),
        st.from_regex(r"[a-z0-9-]{1,20}(\.[a-z0-9-]{1,10}){1,4}", fullmatch=True),
    ),
)
numbers = st.from_regex(r"\+[0-9]{0,20}", fullmatch=True)


@settings(deadline=None)
@given(
    st.sampled_from(CONTACT_KINDS),
    st.one_of(st.text(), addresses, numbers, st.emails()),
    st.one_of(st.none(), st.text(), st.sampled_from(["role", "fax", "free-mail"])),
    st.one_of(st.none(), st.sampled_from(MxAnswer)),
)
@example("email", "a@xn--0.de", None, None)
@example("email", "a@\u200d.de", None, None)
@example("email", "a@" + "ü" * 100 + ".de", None, None)
@example("phone", "tel:+1;phone-context=;ext=", None, None)
@example("phone", "\ud800", None, None)
@example("email", "\ud800@a.de", None, None)
def test_anything_gets_a_verdict_in_documented_words(
    kind: str, value: str, label: str | None, mx: MxAnswer | None
) -> None:
    judged = validate(kind, value, label=label, mx=mx)
    assert judged.verdict in VERDICTS
    assert judged.reasons
    assert set(judged.reasons) <= REASONS.keys()
    called_for = [REASONS[word].verdict for word in judged.reasons]
    assert judged.verdict == min(called_for, key=WORST_FIRST.index) == called_for[0]
    assert judged == validate(kind, value, label=label, mx=mx)


@settings(deadline=None)
@given(addresses, st.sampled_from(MxAnswer))
def test_no_answer_about_mail_makes_an_address_better(address: str, mx: MxAnswer) -> None:
    without, having = validate("email", address), validate("email", address, mx=mx)
    assert WORST_FIRST.index(having.verdict) <= WORST_FIRST.index(without.verdict)


def test_the_words_are_sorted_and_cover_every_verdict() -> None:
    order = [WORST_FIRST.index(reason.verdict) for reason in REASONS.values()]
    assert order == sorted(order)
    assert set(order) == set(range(len(WORST_FIRST)))
    assert set(get_args(Word)) == set(WORST_FIRST) == set(VERDICTS)
    assert {answer.value for answer in MxAnswer} <= REASONS.keys()


def test_no_word_means_something_else_on_work(product_stages: None) -> None:
    assert {word: reasons.MEANINGS[word] for word in REASONS} == {
        word: reason.meaning for word, reason in REASONS.items()
    }


def test_every_word_is_in_the_docs_with_its_verdict_and_meaning() -> None:
    page = (PROJECT_ROOT / "docs" / "contacts.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| (\w+) \| (.+) \|$", page, flags=re.MULTILINE)
    assert rows == [(word, reason.verdict, reason.meaning) for word, reason in REASONS.items()]
