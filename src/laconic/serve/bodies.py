"""Read the bodies of requests, with limits on size, on time, and on the total size of all bodies being read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

from starlette.types import Receive, Scope

from laconic.serve.problems import Problem
from laconic.serve.settings import Settings


class Gone(Exception):  # noqa: N818 – nothing is wrong
    """The client has left."""


class Bodies:
    """Reads bodies and tracks their total size."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._here = 0

    def check_length(self, scope: Scope) -> None:
        """Refuse a body whose declared length is too long, before it is read."""
        length = dict(scope["headers"]).get(b"content-length", b"")
        if length.isdigit() and int(length) > self._settings.max_body:
            raise self._too_large()

    @asynccontextmanager
    async def read(self, receive: Receive) -> AsyncIterator[bytes]:
        """The body of a request; raises an error if it is too long or too slow, if the total is too large, or `Gone`.

        The body counts towards the total until the context ends.
        """
        body = bytearray()
        try:
            try:
                async with asyncio.timeout(self._settings.read_seconds):
                    while await self._read_part(receive, body):
                        pass
            except TimeoutError:
                detail = f"the body did not arrive within {self._settings.read_seconds:g} seconds: send it faster"
                raise Problem(HTTPStatus.REQUEST_TIMEOUT, "too-slow", detail) from None
            yield bytes(body)
        finally:
            self._here -= len(body)

    async def _read_part(self, receive: Receive, body: bytearray) -> bool:
        """Append the next part; returns whether more will follow."""
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        part = message.get("body", b"")
        body += part
        self._here += len(part)
        if len(body) > self._settings.max_body:
            raise self._too_large()
        more = bool(message.get("more_body", False))
        if more and self._here > self._settings.max_arriving_bytes:
            detail = "too many bytes arrive at once: try again in a few seconds"
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "busy", detail, retry_after=1)
        return more

    def _too_large(self) -> Problem:
        detail = f"the body has more than {self._settings.max_body} bytes: send less"
        return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large", detail)
