"""MX: every answer that a name server can give, and those that it should not."""

from __future__ import annotations

from threading import Event, Thread

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset
import pytest

import settings
from errors import BadSetting, Passing
from fetching.mx import DnsAnswers, Remembered, mx_answers
from services.contact_validation import MxAnswer
from tests.fetching.nameserver import NameServer, Script, name_server, reply_to, silence, zone

PATIENT, HASTY = 20.0, 0.3
NAMES = {
    "mail.example": {"MX": ["10 mx1.mail.example.", "20 mx2.mail.example."]},
    "null.example": {"MX": ["0 ."]},
    "self.example": {"MX": ["10 localhost."]},
    "half.example": {"MX": ["0 .", "10 mx.half.example."]},
    "web.example": {"A": ["192.0.2.1"]},
    "web6.example": {"AAAA": ["2001:db8::1"]},
    "bare.example": {"TXT": ['"nothing here"']},
    "xn--mnchen-3ya.example": {"MX": ["10 mx.mail.example."]},
}


def ask(server: NameServer, domain: str, seconds: float = PATIENT) -> MxAnswer:
    return DnsAnswers(server.address, seconds).of(domain)


@pytest.mark.parametrize(
    ("domain", "answer"),
    [
        ("mail.example", MxAnswer.TAKES_MAIL),
        ("xn--mnchen-3ya.example", MxAnswer.TAKES_MAIL),
        ("half.example", MxAnswer.TAKES_MAIL),
        ("null.example", MxAnswer.REFUSES_MAIL),
        ("self.example", MxAnswer.REFUSES_MAIL),
        ("web.example", MxAnswer.NO_MX),
        ("web6.example", MxAnswer.NO_MX),
        ("bare.example", MxAnswer.NO_MAIL_SERVER),
        ("nobody.example", MxAnswer.NO_SUCH_DOMAIN),
    ],
)
def test_what_a_domain_says_about_mail(domain: str, answer: MxAnswer) -> None:
    with name_server(zone(NAMES)) as server:
        assert ask(server, domain) == answer


def test_the_address_is_asked_for_only_when_there_is_no_mail_server() -> None:
    with name_server(zone(NAMES)) as server:
        ask(server, "mail.example")
        assert server.asked == ["mail.example. MX"]
        ask(server, "web6.example")
        assert server.asked[1:] == ["web6.example. MX", "web6.example. A", "web6.example. AAAA"]


def test_an_alias_is_followed() -> None:
    def script(query: dns.message.Message, _: bool) -> bytes:
        records = ("alias.example. 60 IN CNAME real.example.", "real.example. 60 IN MX 10 mx.real.example.")
        return reply_to(query, *records).to_wire()

    with name_server(script) as server:
        assert ask(server, "alias.example") == MxAnswer.TAKES_MAIL


def test_an_answer_too_long_for_one_packet_is_fetched_again_over_tcp() -> None:
    servers = [f"{nth} mx{nth}.a-rather-long-name-of-a-server.mail.example." for nth in range(300)]
    whole = zone({"many.example": {"MX": servers}})

    def script(query: dns.message.Message, over_tcp: bool) -> bytes | None:
        if over_tcp:
            return whole(query, over_tcp)
        short = reply_to(query)
        short.flags |= dns.flags.TC
        return short.to_wire()

    with name_server(script) as server:
        assert ask(server, "many.example") == MxAnswer.TAKES_MAIL
        assert server.asked == ["many.example. MX", "many.example. MX tcp"]


def _of_rcode(rcode: dns.rcode.Rcode) -> Script:
    return lambda query, _: reply_to(query, rcode=rcode).to_wire()


def _circle(query: dns.message.Message, _: bool) -> bytes:
    records = ("loop.example. 60 IN CNAME pool.example.", "pool.example. 60 IN CNAME loop.example.")
    return reply_to(query, *records).to_wire()


def _long_chain(query: dns.message.Message, _: bool) -> bytes:
    links = [f"{'loop' if nth == 0 else f'n{nth}'}.example. 60 IN CNAME n{nth + 1}.example." for nth in range(40)]
    return reply_to(query, *links).to_wire()


def _of_another_question(query: dns.message.Message, _: bool) -> bytes:
    reply = reply_to(query, rcode=dns.rcode.NXDOMAIN)
    reply.id = query.id ^ 1
    return reply.to_wire()


def _cut(query: dns.message.Message, _: bool) -> bytes:
    return reply_to(query, "loop.example. 60 IN MX 10 mx.loop.example.").to_wire()[:-7]


def _always_truncated(query: dns.message.Message, _: bool) -> bytes:
    short = reply_to(query)
    short.flags |= dns.flags.TC
    return short.to_wire()


def _asks_nobody(query: dns.message.Message, _: bool) -> bytes:
    """A server that knows nothing of the domain and only points elsewhere."""
    reply = dns.message.make_response(query)
    reply.authority.append(dns.rrset.from_text("example.", 60, "IN", "NS", "ns.example."))
    return reply.to_wire()


def _points_at_itself(query: dns.message.Message, _: bool) -> bytes:
    """A compressed name whose pointer leads to itself."""
    head = query.id.to_bytes(2, "big") + bytes.fromhex("8180 0001 0000 0000 0000")
    return head + bytes.fromhex("c00c 000f 0001")


def _huge(query: dns.message.Message, _: bool) -> bytes:
    return query.id.to_bytes(2, "big") + b"\xff" * 60_000


@pytest.mark.parametrize(
    "script",
    [
        _of_rcode(dns.rcode.SERVFAIL),
        _of_rcode(dns.rcode.REFUSED),
        _of_rcode(dns.rcode.FORMERR),
        _of_rcode(dns.rcode.NOTIMP),
        _circle,
        _long_chain,
        _of_another_question,
        _cut,
        _always_truncated,
        _asks_nobody,
        _points_at_itself,
        _huge,
        lambda query, _: b"\x00",
        lambda query, _: query.to_wire(),
        silence,
    ],
    ids=lambda script: getattr(script, "__name__", None),
)
def test_what_is_no_certain_answer_may_be_one_later(script: Script) -> None:
    with name_server(script) as server, pytest.raises(Passing) as fault:
        ask(server, "loop.example", HASTY)
    assert fault.value.reason == MxAnswer.UNANSWERED
    assert "loop.example" in str(fault.value)


def test_nobody_at_the_address_may_be_there_later() -> None:
    with name_server(silence) as server:
        gone = server.address
    with pytest.raises(Passing):
        DnsAnswers(gone, HASTY).of("mail.example")


def test_a_domain_that_answers_for_mail_but_not_for_its_address_is_not_judged() -> None:
    def script(query: dns.message.Message, _: bool) -> bytes | None:
        is_mx = dns.rdatatype.to_text(query.question[0].rdtype) == "MX"
        return reply_to(query).to_wire() if is_mx else None

    with name_server(script) as server, pytest.raises(Passing):
        ask(server, "web.example", HASTY)


class TestMemory:
    """Answers are kept for a while, failures are not."""

    def test_a_domain_is_asked_about_once(self) -> None:
        with name_server(zone(NAMES)) as server:
            answers = DnsAnswers(server.address, PATIENT)
            found = [answers.of("mail.example") for _ in range(3)] + [answers.of("nobody.example") for _ in range(3)]
        assert found == [MxAnswer.TAKES_MAIL] * 3 + [MxAnswer.NO_SUCH_DOMAIN] * 3
        assert len(server.asked) == 2

    def test_a_failure_is_not_remembered(self) -> None:
        healed = Event()
        broken, whole = _of_rcode(dns.rcode.SERVFAIL), zone(NAMES)
        with name_server(lambda query, tcp: (whole if healed.is_set() else broken)(query, tcp)) as server:
            answers = DnsAnswers(server.address, PATIENT / 20)
            with pytest.raises(Passing):
                answers.of("mail.example")
            healed.set()
            assert DnsAnswers(server.address, PATIENT).of("mail.example") == MxAnswer.TAKES_MAIL
            assert answers.of("mail.example") == MxAnswer.TAKES_MAIL

    def test_it_is_bounded_and_drops_the_oldest(self) -> None:
        memory = Remembered(most=3)
        for name in ("a", "b", "c", "a", "d"):
            memory.put(name, MxAnswer.NO_MX)
        assert len(memory) == 3
        assert [name for name in "abcd" if memory.get(name)] == ["a", "c", "d"]

    def test_what_is_old_is_asked_again(self) -> None:
        memory = Remembered(seconds=0)
        memory.put("a", MxAnswer.TAKES_MAIL)
        assert memory.get("a") is None

    def test_many_threads_share_it(self) -> None:
        memory = Remembered(most=50)

        def use(first: int) -> None:
            for nth in range(first, first + 2000):
                memory.put(str(nth % 97), MxAnswer.NO_MX)
                memory.get(str(nth % 89))

        threads = [Thread(target=use, args=(first,)) for first in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(memory) == 50


class TestSettings:
    """Who is asked is a setting."""

    @pytest.mark.parametrize(
        ("given", "server"),
        [
            ("9.9.9.9", ("9.9.9.9", 53)),
            ("127.0.0.1:5353", ("127.0.0.1", 5353)),
            ("::1", ("::1", 53)),
            ("[::1]:5353", ("::1", 5353)),
        ],
    )
    def test_an_address_with_or_without_a_port(self, given: str, server: tuple[str, int]) -> None:
        assert settings.load(mx_nameserver=given).mx_server == server

    @pytest.mark.parametrize(
        "given", ["dns.google", "9.9.9.9:0", "9.9.9.9:99999", "https://1.1.1.1", "1.1.1.1/x", "a@1.1.1.1", ":53"]
    )
    def test_anything_else_is_refused_with_its_name(self, given: str) -> None:
        with pytest.raises(BadSetting, match=r"MX_NAMESERVER is .*expected an IP address"):
            settings.load(mx_nameserver=given)

    def test_the_server_of_the_settings_is_asked(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with name_server(zone(NAMES)) as server:
            monkeypatch.setenv("MX_NAMESERVER", str(server))
            monkeypatch.setenv("MX_SECONDS", str(PATIENT))
            settings.settings.cache_clear()
            assert mx_answers().of("mail.example") == MxAnswer.TAKES_MAIL
            assert mx_answers() is mx_answers()
        assert server.asked == ["mail.example. MX"]
