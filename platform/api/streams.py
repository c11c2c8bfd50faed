"""Answers that are too long to be made before they are sent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse

CHUNK = 64 * 1024
"""About so many bytes are sent at once."""


def stream(request: HttpRequest, pieces: Iterable[str], content_type: str, filename: str) -> StreamingHttpResponse:
    """Send pieces of text as they come, as a file to save.

    Under an asynchronous server Django would first collect an ordinary iterator to its end; it gets one that it can
    wait for instead. Memory stays flat under either.
    """
    chunks = _gather(pieces)
    body = _asynchronous(chunks) if isinstance(request, ASGIRequest) else chunks
    headers = {"Content-Disposition": f'attachment; filename="{filename}"'}
    return StreamingHttpResponse(body, content_type=content_type, headers=headers)


def _gather(pieces: Iterable[str]) -> Iterator[bytes]:
    gathered: list[bytes] = []
    size = 0
    for piece in pieces:
        encoded = piece.encode("utf-8", "replace")
        gathered.append(encoded)
        size += len(encoded)
        if size >= CHUNK:
            yield b"".join(gathered)
            gathered, size = [], 0
    if gathered:
        yield b"".join(gathered)


async def _asynchronous(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    following = sync_to_async(lambda: next(chunks, b""))
    while chunk := await following():
        yield chunk
