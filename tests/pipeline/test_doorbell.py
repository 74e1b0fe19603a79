"""The doorbell: best effort on real Valkey; whatever happens to the broker, the rows are what counts."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from dramatiq import Message, MessageProxy
from dramatiq.common import current_millis
from dramatiq.errors import ConnectionClosed, QueueJoinTimeout

import embedded
from embedded import Servers
from errors import ServerDown
from pipeline import broker as brokers
from pipeline import doorbell, run
from pipeline.broker import MEMORY_KEY, broker, check_broker, has_lost_its_memory, redis_client, wait_for_broker
from pipeline.doorbell import BrokerDoorbell, Ring
from pipeline.redis_doorbell import ListConsumer, RedisDoorbell
from tests.pipeline.stagehand import Stagehand
from tests.pipeline.together import together
from tests.puppets import first


@pytest.fixture
def valkey(servers: Servers) -> Iterator[RedisDoorbell]:
    client = redis_client(servers.broker_url)
    client.flushall()
    yield RedisDoorbell(client=client, middleware=[])
    client.close()


@pytest.fixture
def dead(tmp_path: Path) -> Iterator[RedisDoorbell]:
    """A broker behind a socket at which nobody listens."""
    client = redis_client(f"unix://{tmp_path}/nobody.sock")
    yield RedisDoorbell(client=client, middleware=[])
    client.close()


def message(number: int, queue: str = "q") -> Message[None]:
    return Message(queue_name=queue, actor_name="q", args=(number,), kwargs={}, options={})


def consumer(valkey: RedisDoorbell, queue: str = "q", prefetch: int = 4) -> ListConsumer:
    made = valkey.consume(queue, prefetch)
    assert isinstance(made, ListConsumer)
    return made


def next_of(consumer: ListConsumer) -> MessageProxy:
    got = next(consumer)
    assert got is not None
    return got


def numbers(consumer: ListConsumer, many: int) -> list[int]:
    return [next_of(consumer).args[0] for _ in range(many)]


def test_messages_come_in_the_order_they_were_sent(valkey: RedisDoorbell) -> None:
    for number in range(3):
        valkey.enqueue(message(number))
    assert numbers(consumer(valkey), 3) == [0, 1, 2]
    assert valkey.depth("q") == 0


def test_an_empty_queue_gives_nothing_after_a_moment(valkey: RedisDoorbell) -> None:
    assert next(consumer(valkey, "q.DQ")) is None


def test_a_consumer_fetches_no_more_than_its_prefetch_until_messages_are_acknowledged(valkey: RedisDoorbell) -> None:
    for number in range(6):
        valkey.enqueue(message(number, "q.DQ"))
    held = consumer(valkey, "q.DQ", prefetch=4)
    got = [next_of(held) for _ in range(4)]
    assert (next(held), valkey.client.llen("scrapersky:q.DQ")) == (None, 2)
    for one in got[:3]:
        held.ack(one)
    assert next_of(held).args == (4,)


def test_a_refused_message_counts_as_gone_too(valkey: RedisDoorbell) -> None:
    valkey.enqueue(message(1))
    held = consumer(valkey)
    held.nack(next_of(held))
    assert (held.outstanding, valkey.depth("q")) == (0, 0)


def test_what_was_fetched_and_not_answered_is_pushed_back(valkey: RedisDoorbell) -> None:
    for number in range(4):
        valkey.enqueue(message(number))
    leaving = consumer(valkey)
    leaving.requeue([next_of(leaving)])
    leaving.requeue([])
    leaving.close()
    leaving.close()
    assert sorted(numbers(consumer(valkey), 4)) == [0, 1, 2, 3]


@pytest.mark.parametrize("body", [b"not json", b"null", b"[1]", b"{}", b"\xff\xfe", b'{"queue_name": 1}'])
def test_a_message_that_cannot_be_decoded_is_skipped(valkey: RedisDoorbell, body: bytes) -> None:
    valkey.client.rpush("scrapersky:q", body)
    valkey.enqueue(message(7))
    held = consumer(valkey)
    assert next_of(held).args == (7,)
    assert held.outstanding == 1


def test_a_queue_of_nothing_but_rubbish_gives_nothing(valkey: RedisDoorbell) -> None:
    valkey.client.rpush("scrapersky:q", b"rubbish")
    assert next(consumer(valkey)) is None


def test_a_delayed_message_waits_in_its_own_list_with_its_time(valkey: RedisDoorbell) -> None:
    before = current_millis()
    valkey.enqueue(message(1), delay=5000)
    assert valkey.depth("q") == 1
    delayed = next_of(consumer(valkey, "q.DQ"))
    assert delayed.queue_name == "q.DQ"
    assert before + 5000 <= delayed.options["eta"] <= current_millis() + 5000


def test_a_ring_becomes_one_message_with_one_work_id(valkey: RedisDoorbell) -> None:
    bell = BrokerDoorbell(valkey)
    assert bell.ring([Ring("first", 1), Ring("first", 2, delay_seconds=3.0)]) == 2
    now, later = next_of(consumer(valkey, "first")), next_of(consumer(valkey, "first.DQ"))
    assert (now.actor_name, now.args, now.kwargs, now.options) == ("first", (1,), {}, {})
    assert later.args == (2,)
    assert set(later.options) == {"eta"}


def test_a_queue_can_be_flushed_and_joined(valkey: RedisDoorbell) -> None:
    valkey.enqueue(message(1))
    valkey.enqueue(message(2), delay=60_000)
    with pytest.raises(QueueJoinTimeout):
        valkey.join("q", interval=5, timeout=20)
    valkey.flush("q")
    valkey.join("q", timeout=20)


def test_every_redis_fault_is_a_lost_connection(dead: RedisDoorbell, valkey: RedisDoorbell) -> None:
    with pytest.raises(ConnectionClosed):
        next(consumer(dead))
    with pytest.raises(ConnectionClosed):
        consumer(dead).requeue([MessageProxy(message(1))])
    valkey.client.set("scrapersky:q", "not a list")
    with pytest.raises(ConnectionClosed):
        next(consumer(valkey))


def test_a_consumer_that_loses_its_connection_pushes_nothing_twice(valkey: RedisDoorbell, servers: Servers) -> None:
    valkey.enqueue(message(1))
    held = consumer(valkey)
    assert next_of(held).args == (1,)
    with redis.Redis.from_url(servers.broker_url) as operator:
        operator.client_kill_filter(_type="normal", skipme=True)
    held.close()
    assert valkey.depth("q") == 0


def test_an_unreachable_broker_never_fails_finished_work(stagehand: Stagehand, dead: RedisDoorbell) -> None:
    (work,) = stagehand.add("anna")
    doorbell.install(BrokerDoorbell(dead))
    run.answer(first, work)
    assert stagehand.counts() == {"first Completed": 1, "second Queued": 1}


def test_after_a_fault_the_bell_stays_quiet_for_a_moment_and_then_rings(
    dead: RedisDoorbell, valkey: RedisDoorbell
) -> None:
    bell = BrokerDoorbell(dead)
    assert bell.ring([Ring("first", 1)]) == 0
    bell.broker = valkey
    assert bell.ring([Ring("first", 1)]) == 0
    bell.quiet_until = 0.0
    assert bell.ring([Ring("first", 1)]) == 1


def test_a_flushed_broker_says_so_once(valkey: RedisDoorbell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker(), "client", valkey.client)
    assert [has_lost_its_memory() for _ in range(3)] == [True, False, False]
    valkey.client.flushall()
    assert [has_lost_its_memory() for _ in range(2)] == [True, False]


def test_a_broker_that_came_back_with_an_old_dump_says_so_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "root"
    with embedded.temporary(root=root, parts=["valkey"]) as servers, redis_client(servers.broker_url) as client:
        monkeypatch.setattr(broker(), "client", client)
        assert [has_lost_its_memory() for _ in range(2)] == [True, False]
        client.save()
        client.rpush("scrapersky:first", "rung after the dump")
        os.kill(client.info("server")["process_id"], signal.SIGKILL)
        embedded.start(root, ["valkey"])
        assert (client.exists(MEMORY_KEY), client.llen("scrapersky:first")) == (1, 0)
        assert [has_lost_its_memory() for _ in range(3)] == [True, False, False]


def test_of_many_workers_one_sees_that_the_broker_lost_its_memory(
    valkey: RedisDoorbell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker(), "client", valkey.client)
    for _ in range(5):
        valkey.client.set(MEMORY_KEY, "of another run")
        assert sorted(together(lambda _: has_lost_its_memory(), times=4)) == [False, False, False, True]


def test_a_broker_that_answers_gives_its_kind(valkey: RedisDoorbell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker(), "client", valkey.client)
    wait_for_broker(seconds=5)
    assert check_broker().startswith("valkey")


def test_a_broker_that_does_not_answer_is_named_without_its_password(
    dead: RedisDoorbell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker(), "client", dead.client)
    monkeypatch.setattr(brokers, "broker_url", lambda: "redis://user:hidden-word@nowhere.example:1/0")
    with pytest.raises(
        ServerDown, match=r"The broker at redis://user:\*\*\*@nowhere.example:1/0 cannot be used"
    ) as told:
        wait_for_broker(seconds=0.1)
    assert "hidden-word" not in str(told.value)
