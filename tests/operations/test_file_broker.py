"""The broker made of a folder: nothing lost, nothing doubled, whoever works on it at the same time."""

import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection, Exchange, Queue

from config import broker

ROOT = Path(__file__).resolve().parents[2]

PRODUCER = """
import sys
from kombu import Connection, Queue
from config import broker
broker.register()
url, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with Connection(url) as connection, connection.SimpleQueue("work") as queue:
    for number in range(count):
        queue.put(f"{name}-{number}")
"""

# A consumer answers with what it got when its standard input closes and the queue has run dry.
CONSUMER = """
import select, socket, sys
from kombu import Connection, Consumer, Queue
from config import broker
broker.register()
got = []
def take(body, message):
    got.append(body)
    message.ack()
with Connection(sys.argv[1]) as connection, connection.channel() as channel:
    queue = Queue("work", exchange="work", routing_key="work")
    with Consumer(channel, [queue], callbacks=[take], prefetch_count=1):
        print("ready", flush=True)
        while True:
            try:
                connection.drain_events(timeout=0.2)
            except socket.timeout:
                if select.select([sys.stdin], [], [], 0)[0]:
                    break
print("\\n".join(got))
"""


@pytest.fixture
def url(tmp_path):
    broker.register()
    return f"{broker.SCHEME}://{tmp_path / 'broker'}"


def spawn(script: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "platform:."},
    )


def waiting(queue: Queue) -> list[str]:
    """What a bound queue holds, taken out of it."""
    messages = iter(lambda: queue.get(no_ack=True), None)
    return [message.payload for message in messages if message]


def test_two_producers_and_four_consumers_lose_and_double_nothing(url):
    consumers = [spawn(CONSUMER, url) for _ in range(4)]
    for consumer in consumers:
        assert consumer.stdout is not None
        assert consumer.stdout.readline() == "ready\n"
    producers = [spawn(PRODUCER, url, name, "1000") for name in ("a", "b")]
    for producer in producers:
        producer.communicate(timeout=120)
        assert producer.returncode == 0
    got = [consumer.communicate(timeout=120)[0].split() for consumer in consumers]
    assert [consumer.returncode for consumer in consumers] == [0, 0, 0, 0]
    assert Counter(message for part in got for message in part) == Counter(
        f"{name}-{number}" for name in "ab" for number in range(1000)
    )


def test_messages_of_one_producer_arrive_in_order(url):
    with Connection(url) as connection, connection.SimpleQueue("work") as queue:
        for number in range(50):
            queue.put(number)
        assert [queue.get(block=False).payload for _ in range(50)] == list(range(50))


def test_a_message_being_written_is_not_seen(url, tmp_path):
    with Connection(url) as connection, connection.SimpleQueue("work") as queue:
        (tmp_path / "broker/parts/half.part").write_text('{"body": "ha')
        assert queue.qsize() == 0
        with pytest.raises(Empty):
            queue.get(block=False)


def test_a_message_that_was_not_acknowledged_comes_back_when_its_consumer_leaves(url):
    with Connection(url) as connection, connection.SimpleQueue("work") as queue:
        queue.put("once")
    with Connection(url) as connection, connection.SimpleQueue("work") as queue:
        assert queue.get(block=False).payload == "once"
    with Connection(url) as connection, connection.SimpleQueue("work") as queue:
        message = queue.get(block=False)
        assert message.payload == "once"
        message.ack()
    with Connection(url) as connection, connection.SimpleQueue("work") as queue:
        assert queue.qsize() == 0


def test_what_a_killed_process_left_is_healed_by_the_next_to_connect(url, tmp_path, monkeypatch):
    with Connection(url) as connection, connection.SimpleQueue("work") as queue:
        queue.put("claimed")
        (file,) = (tmp_path / "broker/queues/_work").iterdir()
        file.rename(tmp_path / "broker/claimed" / file.name)
        (tmp_path / "broker/parts/half.part").write_text('{"body": "ha')
    with Connection(url) as connection, connection.SimpleQueue("work") as queue:
        assert queue.qsize() == 0, "a fresh claim belongs to a process that is alive"
    later = time.time() + 2 * broker.LEFTOVER_SECONDS
    monkeypatch.setattr("config.broker.time.time", lambda: later)
    with Connection(url) as connection, connection.SimpleQueue("work") as queue:
        assert queue.get(block=False).payload == "claimed"
    assert not list((tmp_path / "broker/parts").iterdir())


def test_a_broadcast_reaches_every_process_that_bound_to_it(url):
    exchange = Exchange("news", type="fanout")
    with Connection(url) as first, Connection(url) as second, Connection(url) as sender:
        one = Queue("one", exchange, auto_delete=True)(first.channel())
        two = Queue("two", exchange, auto_delete=True)(second.channel())
        one.declare()
        two.declare()
        sender.Producer().publish("hello", exchange=exchange, declare=[exchange])
        assert [waiting(one), waiting(two)] == [["hello"], ["hello"]]
        one.delete()
        sender.Producer().publish("again", exchange=exchange, declare=[exchange])
        assert [waiting(one), waiting(two)] == [[], ["again"]]


def test_a_queue_name_stays_inside_the_folder(url, tmp_path):
    with Connection(url) as connection, connection.SimpleQueue("../../escape") as queue:
        queue.put("here")
        assert queue.get(block=False).payload == "here"
        queue.put("purged")
        assert queue.clear() == 1
    assert [path.name for path in tmp_path.iterdir()] == ["broker"]


@pytest.mark.parametrize("address", ["durakfile://", "durakfile:///", "durakfile://var/broker"])
def test_an_address_without_an_absolute_folder_is_refused_with_a_sentence(address):
    broker.register()
    with pytest.raises(ValueError, match="must be durakfile:///absolute/path"):
        Connection(address).connect()


def test_a_copied_connection_leads_to_the_same_folder(url):
    """Celery copies the connection for every process of its own."""
    with Connection(url) as connection, connection.clone() as copy:
        connection.SimpleQueue("work").put("across")
        assert copy.SimpleQueue("work").get(block=False).payload == "across"
