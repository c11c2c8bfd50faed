"""A web process works on a few requests at a time, in threads that stay."""

import asyncio
import threading

import pytest
from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse

from arena.archive import MAX_ZIP_BYTES
from config import lanes
from config.lanes import LanedHandler

PATIENCE = 30.0


class Working(LanedHandler):
    """Answers when as many requests are at work as there are lanes."""

    def __init__(self, lanes):
        super().__init__(lanes)
        self.together = threading.Barrier(lanes)
        self.lock = threading.Lock()
        self.working = self.most = 0
        self.threads = set()
        self._middleware_chain = self.answer

    def work(self):
        with self.lock:
            self.threads.add(threading.current_thread().name)
            self.working += 1
            self.most = max(self.most, self.working)
        self.together.wait(PATIENCE)
        with self.lock:
            self.working -= 1

    async def answer(self, request):  # noqa: ARG002 - as a middleware takes it
        await sync_to_async(self.work)()
        return HttpResponse("answered")


async def ask(handler, count):
    """So many requests at once; what each was answered."""

    async def one():
        sent: list[str] = []

        async def receive():
            if not sent:
                sent.append("request")
                return {"type": "http.request", "body": b"", "more_body": False}
            return await asyncio.Event().wait()

        answers = []

        async def send(message):
            answers.append(message)

        scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": [], "root_path": ""}
        await handler({**scope, "http_version": "1.1", "scheme": "http", "asgi": {"version": "3.0"}}, receive, send)
        return [message.get("body") for message in answers if message["type"] == "http.response.body"]

    return await asyncio.gather(*(one() for _ in range(count)))


def test_no_more_are_at_work_than_there_are_lanes_and_all_are_answered():
    handler = Working(3)
    answers = asyncio.run(ask(handler, 12))
    assert [body[0] for body in answers] == [b"answered"] * 12
    assert handler.most == 3
    assert len(handler.threads) == 3


class Slow(LanedHandler):
    """One lane, in which a request is at work until it is let go."""

    def __init__(self):
        super().__init__(1)
        self.begun, self.may_end = threading.Event(), threading.Event()
        self._middleware_chain = self.answer

    def work(self):
        self.begun.set()
        assert self.may_end.wait(PATIENCE)

    async def answer(self, request):  # noqa: ARG002 - as a middleware takes it
        await sync_to_async(self.work)()
        return HttpResponse("answered")


def test_a_reader_who_goes_away_leaves_the_lane_to_the_next():
    async def story():
        handler = Slow()
        gone = asyncio.create_task(handler.run_get_response(HttpRequest()))
        assert await asyncio.to_thread(handler.begun.wait, PATIENCE)
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        handler.may_end.set()
        return await asyncio.wait_for(ask(handler, 3), PATIENCE)

    assert [body[0] for body in asyncio.run(story())] == [b"answered"] * 3


async def flood(path, limit):
    """What somebody is answered who sends without end, and how many bytes were taken from him."""
    taken = 0

    async def receive():
        nonlocal taken
        assert taken <= limit, "more is read than anybody may send"
        taken += 1000
        return {"type": "http.request", "body": b"x" * 1000, "more_body": True}

    answers = []

    async def send(message):
        answers.append(message)

    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": [], "root_path": ""}
    handler = LanedHandler(1)
    await handler({**scope, "http_version": "1.1", "scheme": "http", "asgi": {"version": "3.0"}}, receive, send)
    start, body = answers
    return start["status"], dict(start["headers"]), body["body"].decode()


@pytest.mark.parametrize(
    ("path", "kind", "words"),
    [("/", b"text/html; charset=utf-8", "too large"), ("/api/bots", b"application/json", '"code": "too_large"')],
)
def test_nobody_sends_more_than_the_largest_upload_has(monkeypatch, path, kind, words):
    """A body is kept until it is whole, by whomever it comes: without a bound, one request would fill the disk."""
    monkeypatch.setattr(lanes, "LARGEST_BODY", 10_000)
    status, headers, body = asyncio.run(flood(path, 10_000))
    assert (status, headers[b"Content-Type"], headers[b"Connection"]) == (413, kind, b"close")
    assert words in body


def test_the_largest_upload_has_room_in_a_form_and_one_too_large_is_told_so_by_it():
    assert lanes.LARGEST_BODY > 2 * MAX_ZIP_BYTES
