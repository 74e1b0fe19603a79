"""Pushing: one POST, guarded like everything else, and only the head of the answer is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta

import pytest

import reasons
from errors import Final
from fetching.client import Client
from fetching.push import push
from tests.fetching.stranger import Script, Stranger, answer, header_of

URL = "http://hooks.example/in"
Start = Callable[[Script], Stranger]


def test_the_body_goes_as_it_is_given(stranger: Start, client: Client) -> None:
    def script(head: bytes) -> Iterable[bytes]:
        return [answer(status="202 Accepted")]

    heard = stranger(script)
    pushed = push(URL, b'{"a":1}', [("webhook-id", "msg_1")], through=client)
    assert pushed.is_taken
    assert heard.heard[0].startswith(b"POST /in HTTP/1.1\r\n")
    assert header_of(heard.heard[0], "content-length") == "7"
    assert header_of(heard.heard[0], "webhook-id") == "msg_1"


def test_a_redirect_is_an_answer_like_any_other(stranger: Start, client: Client) -> None:
    heard = stranger(lambda _: [answer(b"", "Location: http://inside.example/", status="302 Found")])
    pushed = push(URL, b"{}", (), through=client)
    assert (pushed.status, pushed.is_taken) == (302, False)
    assert len(heard.heard) == 1


def test_how_long_to_wait_is_heard(stranger: Start, client: Client) -> None:
    stranger(lambda _: [answer(b"", "Retry-After: 120", status="429 Too Many Requests")])
    assert push(URL, b"{}", (), through=client).retry_after == timedelta(seconds=120)


def test_an_answer_without_end_is_not_listened_to(stranger: Start, client: Client) -> None:
    def endless(_: bytes) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        while True:
            yield b"10000\r\n" + b"x" * 65536 + b"\r\n"

    stranger(endless)
    assert push(URL, b"{}", (), through=client).is_taken


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1/", "http://[::1]/", "http://10.0.0.7/", "http://localhost/", "http://a.b:8080/", "file:///x"],
)
def test_what_leads_inside_is_refused(url: str, client: Client) -> None:
    with pytest.raises(Final) as refused:
        push(url, b"{}", (), through=client)
    assert refused.value.reason == reasons.UNSAFE_ADDRESS


def test_a_public_name_with_a_private_address_is_refused(make_client: Callable[..., Client]) -> None:
    def inside(_host: str, _seconds: float) -> list[str]:
        return ["192.168.0.10"]

    with pytest.raises(Final) as refused:
        push("https://hooks.your-company.com/", b"{}", (), through=make_client(resolve=inside))
    assert refused.value.reason == reasons.UNSAFE_ADDRESS
