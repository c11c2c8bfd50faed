"""Answers that are sent piece by piece, so that their length does not matter."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse

PIECES = 50
"""So many pieces are made at a time: all at once would wait in memory for a slow reader."""


def download(request: HttpRequest, pieces: Iterator[bytes], *, kind: str, filename: str) -> StreamingHttpResponse:
    """A file that is made while it is sent. The browser saves it and never shows it.

    Args:
        kind: its content type.
    """
    # A server of the one kind would read the whole of the other kind's iterator before it sends a byte.
    body = _from_threads(pieces) if isinstance(request, ASGIRequest) else pieces
    response = StreamingHttpResponse(body, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


async def _from_threads(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    def some() -> bytes:
        # `range` comes first: a piece that has been taken from the other must not be lost.
        return b"".join(piece for _, piece in zip(range(PIECES), pieces, strict=False))

    while chunk := await sync_to_async(some)():
        yield chunk
