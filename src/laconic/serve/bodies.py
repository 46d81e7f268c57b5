"""The bodies of requests as they arrive: no more of one, or of all, than there is room for, and not for ever."""

from __future__ import annotations

import asyncio
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
        self._arriving = 0

    def check_length(self, scope: Scope) -> None:
        """Refuse a body that says itself that it is too long, before it is read."""
        length = dict(scope["headers"]).get(b"content-length", b"")
        if length.isdigit() and int(length) > self._settings.max_body:
            raise self._too_large()

    async def read(self, receive: Receive) -> bytes:
        """The body of a request, unless it is too long or too slow, or too much arrives at once; or `Gone`."""
        parts: list[bytes] = []
        size, more = 0, True
        try:
            async with asyncio.timeout(self._settings.read_seconds):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise Gone
                    part = message.get("body", b"")
                    parts.append(part)
                    size += len(part)
                    self._arriving += len(part)
                    if size > self._settings.max_body:
                        raise self._too_large()
                    more = message.get("more_body", False)
                    if more and self._arriving > self._settings.max_arriving_bytes:
                        detail = "too much arrives at once: come again in some seconds"
                        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "busy", detail, retry_after=1)
        except TimeoutError:
            detail = f"the body did not arrive within {self._settings.read_seconds:g} seconds: send it faster"
            raise Problem(HTTPStatus.REQUEST_TIMEOUT, "too-slow", detail) from None
        finally:
            self._arriving -= size
        return b"".join(parts)

    def _too_large(self) -> Problem:
        detail = f"the body has more than {self._settings.max_body} bytes: send less"
        return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large", detail)
