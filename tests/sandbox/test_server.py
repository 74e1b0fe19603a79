"""The server over real sockets: what it takes, what it refuses, and what it does about clients that go away."""

from __future__ import annotations

import itertools
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from embedded.processes import wait_until
from sandbox.log import Log
from sandbox.message import PLAIN, Reply, Request
from sandbox.server import BadAddress, Patience, Server
from tests.sandbox.conftest import Run

MIB = 1024 * 1024


def echo(request: Request) -> Reply:
    """Say what was asked."""
    words = [request.method, request.host, request.path, request.query, request.body.decode()]
    return Reply(200, " ".join(word for word in words if word).encode(), PLAIN)


def test_a_connection_serves_many_requests(run: Run) -> None:
    with run(echo).connect() as client:
        for number in range(5):
            reply = client.get(f"/{number}?n={number}")
            assert reply.body == f"GET a.example /{number} n={number}".encode()
    assert reply.headers["server"] == "sandbox"
    assert reply.headers["date"].endswith(" GMT")
    assert reply.headers["content-type"] == PLAIN


@pytest.mark.parametrize("host", ["a.example", "A.Example", "a.example:8080", "a.example.", "a.EXAMPLE:80"])
def test_hosts_in_any_spelling(run: Run, host: str) -> None:
    assert run(echo).get(host=host).body == b"GET a.example /"


def test_a_whole_url_names_the_host(run: Run) -> None:
    assert run(echo).get("http://B.example/x?y", host="a.example").body == b"GET b.example /x y"


def test_pipelined_requests_are_answered_in_order(run: Run) -> None:
    def answer(request: Request) -> Reply:
        wait = 0.05 if request.path.endswith("3") else 0.0
        return Reply(200, request.path.encode(), wait_seconds=wait)

    with run(answer).connect() as client:
        client.send(b"".join(b"GET /%d HTTP/1.1\r\nHost: a.example\r\n\r\n" % number for number in range(40)))
        assert [client.read().body for _ in range(40)] == [b"/%d" % number for number in range(40)]


def test_requests_in_crumbs_and_with_bodies(run: Run) -> None:
    with run(echo).connect() as client:
        request = b'\r\nPOST /p HTTP/1.1\r\nhOST: a.example\r\nContent-Length: 7\r\n\r\n{"a":1}'
        for byte in request:
            client.send(bytes((byte,)))
        assert client.read().body == b'POST a.example /p {"a":1}'
        client.ask("/q", method="POST", more="Content-Length: 2\r\nExpect: 100-continue\r\n")
        assert client.read().status == 100
        client.send(b"ok")
        assert client.read().body == b"POST a.example /q ok"


def test_head_gives_the_head_alone(run: Run) -> None:
    replies = {"/bytes": Reply(200, b"12345"), "/pieces": Reply(200, itertools.repeat(b"x"))}
    with run(lambda request: replies[request.path]).connect() as client:
        assert client.get("/bytes", method="HEAD").headers["content-length"] == "5"
        assert client.get("/pieces", method="HEAD").headers["transfer-encoding"] == "chunked"
        assert client.get("/bytes").body == b"12345"


@pytest.mark.parametrize("status", [204, 304])
def test_some_statuses_have_no_body(run: Run, status: int) -> None:
    with run(lambda _: Reply(status, b"never")).connect() as client:
        assert [client.get().status for _ in range(2)] == [status, status]


def test_old_clients_and_those_that_ask_for_it_are_left(run: Run) -> None:
    running = run(lambda _: Reply(200, iter((b"one ", b"two"))))
    with running.connect() as client:
        client.send(b"GET / HTTP/1.0\r\nHost: a.example\r\n\r\n")
        reply = client.read()
        assert "transfer-encoding" not in reply.headers
        assert reply.body == b"one two"
    with running.connect() as client:
        assert client.get(more="Connection: close\r\n").headers["connection"] == "close"
        assert client.is_ended()


@pytest.mark.parametrize(
    ("status", "data"),
    [
        (400, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
        (400, b"hello\n\n"),
        (400, b"GET /\r\n\r\n"),
        (400, b"GET / HTTP/1.1\r\n\r\n"),
        (400, b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n"),
        (400, b"GET / HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n"),
        (400, b"GET / HTTP/1.1\r\nHost: a.example\r\nno colon\r\n\r\n"),
        (400, b"GET / HTTP/1.1\r\nHost: a.example\r\nX: \x00\r\n\r\n"),
        (400, b"GET / HTTP/1.1\r\nHost: a.example\r\nContent-Length: -1\r\n\r\n"),
        (400, b"GET / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"),
        (400, b"GET a.example HTTP/1.1\r\nHost: a.example\r\n\r\n"),
        (413, b"POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 99999999\r\n\r\n"),
        (413, b"POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n"),
        (431, b"GET / HTTP/1.1\r\nHost: a.example\r\nX: " + b"x" * 40_000),
        (501, b"POST / HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        (505, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    ],
)
def test_what_is_refused(run: Run, status: int, data: bytes) -> None:
    running = run(echo)
    with running.connect() as client:
        client.send(data)
        reply = client.read()
        assert (reply.status, reply.headers["connection"]) == (status, "close")
        assert client.is_ended()
    assert [(entry["host"], entry["status"]) for entry in running.ended] == [("", status)]
    assert running.get().status == 200


def test_a_refused_body_does_not_cost_the_reply(run: Run) -> None:
    with run(echo).connect() as client:
        client.ask(method="POST", more=f"Content-Length: {2 * MIB}\r\n")
        client.send(b"x" * 2 * MIB)
        assert client.read().status == 413


def test_bodies_of_many_pieces_come_in_chunks(run: Run) -> None:
    with run(lambda _: Reply(200, (b"piece %d," % number for number in range(1000)))).connect() as client:
        for _ in range(2):
            assert client.get().body.count(b",") == 1000
        assert client.get().headers["transfer-encoding"] == "chunked"


def test_a_big_body_arrives_whole(run: Run) -> None:
    body = bytes(range(256)) * 20_000
    assert run(lambda _: Reply(200, body)).get().body == body


def test_a_slow_reader_holds_the_body_back(run: Run) -> None:
    taken = 0

    def endless() -> Iterator[bytes]:
        nonlocal taken
        while True:
            taken += MIB
            yield b"x" * MIB

    running = run(lambda request: Reply(200, endless()) if request.path == "/endless" else echo(request))
    before = psutil.Process().memory_info().rss
    with running.connect(receive_bytes=4096) as client:
        client.ask("/endless")
        assert wait_until(lambda: taken > 0, 30)
        for _ in range(50):  # the others are served meanwhile
            assert running.get().status == 200
        assert taken <= 16 * MIB  # what the kernel holds, and one piece
        assert psutil.Process().memory_info().rss - before < 32 * MIB
        taken_before = taken
        for _ in range(8):
            client.stream.read(4 * MIB)
        assert taken > taken_before


def test_a_fast_reader_of_an_endless_body_does_not_starve_the_others(run: Run) -> None:
    running = run(lambda request: Reply(200, itertools.repeat(b"x" * 1000)) if request.path == "/e" else echo(request))
    with running.connect() as client:
        client.ask("/e")
        for _ in range(20):
            client.stream.read(MIB)
            assert running.get().status == 200


def test_waiting_and_dripping_take_their_time(run: Run) -> None:
    slow = {"/wait": Reply(200, b"ok", wait_seconds=0.2), "/drip": Reply(200, b"ok", drip_seconds=0.002)}
    running = run(lambda request: slow[request.path])
    started = time.monotonic()
    assert running.get("/wait").body == b"ok"
    assert time.monotonic() - started >= 0.2
    started = time.monotonic()
    reply = running.get("/drip")
    assert reply.body == b"ok"
    assert time.monotonic() - started >= 0.002 * (100 + len(reply.body))
    assert [entry["done"] - entry["arrived"] >= 0.2 for entry in running.ended] == [True, True]


def test_a_hang_lasts_until_the_client_goes(run: Run) -> None:
    running = run(lambda _: Reply(hangs=True))
    with running.connect() as client:
        client.ask()
        assert wait_until(lambda: len(running.entries) == 1, 30)
        client.socket.settimeout(0.2)
        with pytest.raises(TimeoutError):
            client.socket.recv(1)
        assert running.entries[0]["done"] is None
    assert wait_until(lambda: running.entries[0]["left"], 30)
    assert wait_until(lambda: not running.server.connections, 30)


def test_a_client_that_does_not_wait_for_replies_is_not_listened_to(run: Run) -> None:
    running = run(lambda _: Reply(hangs=True))
    with running.connect() as client:
        client.socket.settimeout(0.5)
        with pytest.raises(TimeoutError):
            client.send(b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n" * 1_000_000)
        (connection,) = running.server.connections
        assert len(connection._arrived) < MIB
    running.stop()
    assert [entry["left"] for entry in running.entries] == [True]


def test_a_reset_is_a_reset(run: Run) -> None:
    running = run(lambda _: Reply(resets=True))
    with running.connect() as client:
        client.ask()
        with pytest.raises(ConnectionResetError):
            client.socket.recv(1)
    (entry,) = running.ended
    assert (entry["status"], entry["bytes"], entry["left"]) == (0, 0, False)


@pytest.mark.parametrize(
    "reply",
    [
        Reply(200, itertools.repeat(b"x" * 10_000)),
        Reply(200, b"x" * 64 * MIB),
        Reply(200, b"x" * 1000, drip_seconds=0.01),
        Reply(200, b"late", wait_seconds=600.0),
    ],
    ids=["pieces", "bytes", "drip", "wait"],
)
def test_a_client_that_goes_stops_everything(run: Run, reply: Reply, capfd: pytest.CaptureFixture[str]) -> None:
    running = run(lambda _: reply)
    with running.connect() as client:
        client.ask()
        if not reply.wait_seconds:
            client.socket.recv(1)
        assert wait_until(lambda: len(running.entries) == 1, 30)
    assert wait_until(lambda: running.entries[0]["left"], 30)
    assert wait_until(lambda: not running.server.connections, 30)
    assert capfd.readouterr().err == ""


def test_file_descriptors_are_given_back(run: Run) -> None:
    running = run(echo)
    before = psutil.Process().num_fds()
    for _ in range(200):
        running.get()
    assert wait_until(lambda: psutil.Process().num_fds() <= before, 30)


def test_too_many_connections_push_out_the_idle(run: Run) -> None:
    running = run(echo)
    running.server._most = 3
    clients = [running.connect() for _ in range(5)]
    assert [client.get().status for client in clients[2:]] == [200, 200, 200]
    assert clients[0].is_ended()
    assert len(running.server.connections) == 3
    for client in clients:
        client.close()


def test_the_idle_and_the_stalled_are_let_go(run: Run) -> None:
    running = run(lambda request: Reply(hangs=request.path == "/hang"), patience=Patience(idle=0.1, busy=0.1))
    with running.connect() as idle, running.connect() as half, running.connect() as stalled:
        assert idle.get().status == 200
        half.send(b"GET / HTTP/1.1\r\nHost: a.ex")
        stalled.ask("/hang")
        assert idle.is_ended()
        assert half.is_ended()
        assert stalled.is_ended()


def test_a_fault_of_a_site_is_a_500_and_loud(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    def broken_body(after: int) -> Iterator[bytes]:
        yield from [b"x"] * after
        raise LookupError("a broken body")

    def answer(request: Request) -> Reply:
        if request.path == "/site":
            raise LookupError("a broken site")
        if request.path == "/header":
            return Reply(200, b"", headers=(("X-Bad", "a\r\nb"),))
        return Reply(200, broken_body(int(request.path[1:])))

    running = run(answer)
    for path in ("/site", "/header", "/0"):
        assert running.get(path).status == 500
    with running.connect() as client:
        client.ask("/5")
        with pytest.raises(ConnectionResetError):
            client.stream.read()
    said = capfd.readouterr().err
    assert [said.count(words) for words in (": a broken site", " has a line break: (", ": a broken body")] == [1, 1, 2]
    assert [entry["status"] for entry in running.ended] == [500, 500, 500, 200]


def test_a_length_that_is_a_lie_ends_the_connection(run: Run) -> None:
    with run(lambda _: Reply(200, b"abc", headers=(("Content-Length", "10"),))).connect() as client:
        assert client.get().body == b"abc"
        assert client.is_ended()


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "10.0.0.1", "localhost", ""])
def test_only_loopback_is_listened_on(address: str) -> None:
    server = Server(echo, Log(capacity=1))
    with pytest.raises(BadAddress, match="loopback only"):
        server.listen(address)
    server.loop.close()


def test_the_port_is_free_afterwards(run: Run) -> None:
    running = run(echo)
    with running.connect() as client:
        client.get()
        running.stop()
        assert client.is_ended()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(running.address)


def test_the_log_has_every_request_in_order(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    running = run(lambda r: Reply(404, b"12345", wait_seconds=0.7 * (r.path == "/late")), log=Log(file, capacity=100))
    for number in range(30):
        running.get(f"/{number}?q", host=f"h{number % 3}.example")
    running.get("/late", method="HEAD")
    running.stop()
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    last = {line["number"]: line for line in lines}
    assert list(last) == list(range(1, 32))
    assert list(last.values()) == running.entries
    assert [line["path"] for line in last.values()] == [*(f"/{number}?q" for number in range(30)), "/late"]
    assert {line["host"] for line in last.values()} == {"h0.example", "h1.example", "h2.example", "a.example"}
    assert all(line["arrived"] <= line["done"] for line in last.values())
    assert {(line["status"], line["left"]) for line in last.values()} == {(404, False)}
    assert all(line["bytes"] > 5 for line in last.values())
    assert last[31]["method"] == "HEAD"
    assert abs(last[31]["arrived_at"] - time.time()) < 600
    arrivals = [line["arrived"] for line in last.values()]
    assert arrivals == sorted(arrivals)


def test_the_log_in_memory_is_a_ring() -> None:
    log = Log(capacity=10)
    for number in range(25):
        log.end(log.begin("a.example", f"/{number}", "GET"), status=200, sent_bytes=1, left=False)
    log.end(3, status=500, sent_bytes=1, left=True)  # overtaken: changes nothing
    lines = [json.loads(line) for line in b"".join(log.lines()).splitlines()]
    assert [line["number"] for line in lines] == list(range(16, 26))
    assert [line["path"] for line in lines] == [f"/{number}" for number in range(15, 25)]
    assert {line["status"] for line in lines} == {200}
    assert [json.loads(line)["number"] for line in b"".join(log.lines(since=23)).splitlines()] == [24, 25]
    assert b"".join(log.lines(since=25)) == b""
