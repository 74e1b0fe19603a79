"""Through proxies and TLS: the proxy gets checked addresses, the certificate must fit the name."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import httpx
import pytest
import trustme

import reasons
import settings
from errors import Final, Passing, Trouble
from fetching import client as of_thread
from fetching.client import Client, Limits
from fetching.proxy import Proxy
from fetching.resolve import Resolve
from tests.fetching.proxies import HttpProxy, Middleman, SocksProxy
from tests.fetching.stranger import Script, Stranger, answer, header_of

LIMITS = Limits(connect_seconds=3.0, read_seconds=3.0, total_seconds=5.0, max_bytes=100_000)
PUBLIC = "93.184.216.34"


Make = Callable[..., Client]


def leads_to(address: str) -> Resolve:
    return lambda host, timeout: [address]


public = leads_to(PUBLIC)


def read(client: Client, url: str) -> bytes:
    with client.send(httpx.URL(url), LIMITS) as exchange:
        return b"".join(exchange.pieces())


def fault(client: Client, url: str) -> Trouble:
    with pytest.raises(Trouble) as trouble:
        read(client, url)
    return trouble.value


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def server() -> Iterator[Stranger]:
    with closing(Stranger(lambda head: [answer(b"plain")])) as started:
        yield started


@pytest.fixture
def secure(authority: trustme.CA) -> Iterator[Callable[..., Stranger]]:
    """Start a TLS server whose certificate is for the given name."""
    started: list[Stranger] = []

    def start(name: str, script: Script = lambda head: [answer(b"secret")]) -> Stranger:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert(name).configure_cert(context)
        started.append(Stranger(script, tls=context))
        return started[-1]

    yield start
    for made in started:
        made.close()


@pytest.fixture
def trust(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


@pytest.mark.parametrize(("kind", "scheme"), [(HttpProxy, "http"), (SocksProxy, "socks5"), (SocksProxy, "socks5h")])
def test_the_proxy_is_given_the_checked_address(
    server: Stranger, make_client: Make, kind: type[Middleman], scheme: str
) -> None:
    with closing(kind(server.port)) as middleman:
        client = make_client(resolve=public, proxy=Proxy.at(f"{scheme}://127.0.0.1:{middleman.port}"))
        assert read(client, "http://foo.com/page") == b"plain"
        assert middleman.asked == [f"{PUBLIC}:80"]
        assert header_of(server.heard[0], "host") == "foo.com"


@pytest.mark.parametrize(("kind", "scheme"), [(HttpProxy, "http"), (SocksProxy, "socks5")])
def test_the_proxy_is_never_asked_for_a_private_address(
    server: Stranger, make_client: Make, kind: type[Middleman], scheme: str
) -> None:
    with closing(kind(server.port)) as middleman:
        proxy = Proxy.at(f"{scheme}://127.0.0.1:{middleman.port}")
        for address in ("127.0.0.1", "10.0.0.1", "::1"):
            client = make_client(resolve=leads_to(address), proxy=proxy)
            assert fault(client, "http://foo.com/").reason == reasons.UNSAFE_ADDRESS
        assert middleman.asked == []


def test_a_proxy_learns_who_we_are(server: Stranger, make_client: Make) -> None:
    with closing(HttpProxy(server.port)) as middleman:
        client = make_client(resolve=public, proxy=Proxy.at(f"http://us:s%40cret@127.0.0.1:{middleman.port}"))
        read(client, "http://foo.com/")
        assert header_of(middleman.heads[0], "proxy-authorization") == "Basic dXM6c0BjcmV0"
        assert header_of(server.heard[0], "proxy-authorization") is None


def test_a_socks_proxy_that_wants_a_password(server: Stranger, make_client: Make) -> None:
    with closing(SocksProxy(server.port, password="right")) as middleman:
        at = f"127.0.0.1:{middleman.port}"
        assert (
            read(make_client(resolve=public, proxy=Proxy.at(f"socks5://us:right@{at}")), "http://foo.com/") == b"plain"
        )
        for wrong in (f"socks5://us:wrong@{at}", f"socks5://{at}"):
            said = fault(make_client(resolve=public, proxy=Proxy.at(wrong)), "http://foo.com/")
            assert said.reason == reasons.PROXY
            assert "wrong" not in str(said)


@pytest.mark.parametrize(("kind", "scheme"), [(HttpProxy, "http"), (SocksProxy, "socks5")])
def test_a_proxy_that_says_no_has_a_word(
    server: Stranger, make_client: Make, kind: type[Middleman], scheme: str
) -> None:
    with closing(kind(server.port, refuses=True)) as middleman:
        proxy = Proxy.at(f"{scheme}://127.0.0.1:{middleman.port}")
        said = fault(make_client(resolve=public, proxy=proxy), "http://foo.com/")
        assert isinstance(said, Passing)
        assert said.reason == reasons.PROXY


def test_a_proxy_that_is_not_there_has_a_word(server: Stranger, make_client: Make) -> None:
    middleman = HttpProxy(server.port)
    middleman.close()
    client = make_client(resolve=public, proxy=Proxy.at(f"http://127.0.0.1:{middleman.port}"))
    assert fault(client, "http://foo.com/").reason == reasons.PROXY


def test_the_setting_is_used(server: Stranger, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(HttpProxy(server.port)) as middleman:
        monkeypatch.setenv("PROXY_URL", f"http://127.0.0.1:{middleman.port}")
        settings.settings.cache_clear()
        monkeypatch.setattr(of_thread, "_of_thread", type("Empty", (), {})())
        with closing(of_thread.client()) as client:
            assert read(client, f"http://{PUBLIC}/") == b"plain"
        assert middleman.asked == [f"{PUBLIC}:80"]


class TestTls:
    """Every one over a proxy, since nothing on this machine is a public address."""

    @pytest.fixture
    def ask(self, trust: ssl.SSLContext, make_client: Make) -> Iterator[Callable[[Stranger], Client]]:
        opened: list[Middleman] = []

        def through(server: Stranger) -> Client:
            opened.append(HttpProxy(server.port))
            proxy = Proxy.at(f"http://127.0.0.1:{opened[-1].port}")
            return make_client(resolve=public, proxy=proxy, trust=trust)

        yield through
        for middleman in opened:
            middleman.close()

    def test_a_good_certificate(self, secure: Callable[..., Stranger], ask: Make) -> None:
        assert read(ask(secure("foo.com")), "https://foo.com/") == b"secret"
        assert read(ask(secure("foo.com")), "https://foo.com./") == b"secret"

    def test_the_connection_is_kept_for_the_next_request(self, secure: Callable[..., Stranger], ask: Make) -> None:
        server = secure("foo.com")
        client = ask(server)
        for _ in range(3):
            assert read(client, "https://foo.com/") == b"secret"
        assert (len(server.heard), server.connections) == (3, 1)

    def test_what_comes_after_an_answer_is_never_the_next(self, secure: Callable[..., Stranger], ask: Make) -> None:
        server = secure("foo.com", lambda head: [answer(b"asked") + answer(b"smuggled")])
        client = ask(server)
        for _ in range(3):
            assert read(client, "https://foo.com/") == b"asked"

    def test_a_certificate_for_another_name(self, secure: Callable[..., Stranger], ask: Make) -> None:
        server = secure("bar.com")
        said = fault(ask(server), "https://foo.com/")
        assert isinstance(said, Final)
        assert said.reason == reasons.TLS
        assert server.heard == []

    def test_a_certificate_nobody_trusts(self, secure: Callable[..., Stranger], make_client: Make) -> None:
        with closing(HttpProxy(secure("foo.com").port)) as middleman:
            client = make_client(resolve=public, proxy=Proxy.at(f"http://127.0.0.1:{middleman.port}"))
            assert fault(client, "https://foo.com/").reason == reasons.TLS

    def test_no_tls_where_it_should_be(self, server: Stranger, ask: Make) -> None:
        assert fault(ask(server), "https://foo.com/").reason in (reasons.TLS, reasons.TIMEOUT)

    def test_a_drip_is_cut_off_inside_tls_too(self, secure: Callable[..., Stranger], ask: Make) -> None:
        def drip(head: bytes) -> Iterator[bytes]:
            while True:
                yield b"H"
                time.sleep(0.05)

        client = ask(secure("foo.com", drip))
        limits = Limits(connect_seconds=3.0, read_seconds=3.0, total_seconds=1.0, max_bytes=100_000)
        with pytest.raises(Passing) as cut, client.send(httpx.URL("https://foo.com/"), limits):
            pass
        assert cut.value.reason == reasons.TIMEOUT


def test_a_proxys_password_is_not_shown() -> None:
    assert "secret" not in repr(Proxy.at("http://us:secret@proxy.example:3128"))
