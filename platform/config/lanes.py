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

from asgiref.sync import ThreadSensitiveContext
from django.core.handlers.asgi import ASGIHandler
from django.db import close_old_connections

LANES = 8
"""More would not answer sooner: Python's threads share one processor."""


class LanedHandler(ASGIHandler):
    """Django's handler of ASGI requests, with `lanes` of them at work at a time."""

    def __init__(self, lanes: int = LANES) -> None:
        super().__init__()
        # The lane that was free last is taken first: where few come, few connections are kept open.
        self._free: asyncio.LifoQueue[Executor] = asyncio.LifoQueue()
        for number in range(lanes):
            self._free.put_nowait(ThreadPoolExecutor(1, thread_name_prefix=f"lane-{number}"))

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
