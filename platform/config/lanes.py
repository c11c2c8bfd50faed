"""How many requests one web process works on at a time.

Django gives each request of an ASGI server a thread of its own, and each thread has a connection to the database of its
own: two hundred readers who click at once would be two hundred threads that crowd each other out, and more connections
than a database takes. Here requests go through a few lanes instead, each a thread that stays and keeps its connection.
Who finds none free waits for the next, in turn, without a thread. A body that comes in slowly, and an answer that goes
out slowly, hold no lane.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

import structlog
from asgiref.sync import ThreadSensitiveContext
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler
from django.db import close_old_connections
from django.http import HttpResponse
from django.template import loader
from django.utils.translation import gettext as _

from api import errors
from arena.archive import MAX_ZIP_BYTES

log = structlog.get_logger(__name__)

LANES = 8
"""More would not answer sooner: Python's threads share one processor."""
LARGEST_BODY = 4 * MAX_ZIP_BYTES
"""Bytes of one request. What is somewhat too large for an upload is read, and refused beside its field."""


class BodyTooLargeError(Exception):
    """More is being sent than any form of the site takes."""


class LanedHandler(ASGIHandler):
    """Django's handler of ASGI requests, with `lanes` of them at work at a time."""

    def __init__(self, lanes: int = LANES) -> None:
        super().__init__()
        # The lane that was free last is taken first: where few come, few connections are kept open.
        self._free: asyncio.LifoQueue[Executor] = asyncio.LifoQueue()
        for number in range(lanes):
            self._free.put_nowait(ThreadPoolExecutor(1, thread_name_prefix=f"lane-{number}"))

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request; also one that is not read to its end, since that may never come."""
        try:
            await super().handle(scope, receive, send)
        except BodyTooLargeError:
            log.warning("body_too_large", path=scope["path"])
            response = _too_large(scope["path"])
            response["Connection"] = "close"
            await self.send_response(response, send)

    async def read_body(self, receive: Any) -> Any:
        """The body of a request, which Django keeps on disk until it is whole, whoever sends it.

        Raises:
            BodyTooLargeError: it is larger than any may be.
        """
        size = 0

        async def counted() -> Any:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            # As if its sender had gone away: then Django closes what it has kept so far.
            return message if size <= LARGEST_BODY else {"type": "http.disconnect"}

        try:
            return await super().read_body(counted)
        except RequestAborted:
            if size > LARGEST_BODY:
                raise BodyTooLargeError from None
            raise

    async def run_get_response(self, request: Any) -> Any:
        """The answer to a request, made in a lane."""
        lane = await self._free.get()
        loop = asyncio.get_running_loop()
        try:
            # As Django does it for its own threads: what is broken or too old is not used again.
            await loop.run_in_executor(lane, close_old_connections)
            async with ThreadSensitiveContext(executor=lane):
                return await super().run_get_response(request)
        finally:
            # Also when the reader has gone away, in which case the thread may still be at work: it does this next.
            lane.submit(close_old_connections)
            self._free.put_nowait(lane)


def _too_large(path: str) -> HttpResponse:
    if path.startswith("/api/"):
        return errors.answer(413, _("The body of the request is too large."))
    return HttpResponse(loader.get_template("400.html").render({"status": 413}), status=413)
