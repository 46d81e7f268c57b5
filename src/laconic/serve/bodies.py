"""The bodies of requests as they arrive: no more of one, or of all, than there is room for, and not for ever."""

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
    """Reads bodies, and knows how many bytes of all of them are here."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._here = 0

    def check_length(self, scope: Scope) -> None:
        """Refuse a body that says itself that it is too long, before it is read."""
        length = dict(scope["headers"]).get(b"content-length", b"")
        if length.isdigit() and int(length) > self._settings.max_body:
            raise self._too_large()

    @asynccontextmanager
    async def read(self, receive: Receive) -> AsyncIterator[bytes]:
        """The body of a request, unless it is too long or too slow, or too much is here at once; or `Gone`.

        It counts as here for as long as the context lasts.
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
        """Add what arrives next; whether there is more to come."""
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
            detail = "too much arrives at once: come again in some seconds"
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "busy", detail, retry_after=1)
        return more

    def _too_large(self) -> Problem:
        detail = f"the body has more than {self._settings.max_body} bytes: send less"
        return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large", detail)
