"""What answers a request that computes: its body goes to a worker, and the worker's answer comes back."""

from __future__ import annotations

import asyncio
import time
from http import HTTPStatus
from typing import Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from laconic.serve.answers import Answer
from laconic.serve.metrics import Metrics
from laconic.serve.pool import Pool, Waiting
from laconic.serve.problems import MEDIA_TYPE, Problem
from laconic.serve.settings import Settings

_JSON: Final = b"application/json"


class Gone(Exception):  # noqa: N818 – nothing is wrong
    """The client has left."""


class Computing:
    """One of the endpoints that compute, as an ASGI application."""

    def __init__(self, endpoint: str, settings: Settings, pool: Pool, metrics: Metrics) -> None:
        self._endpoint = endpoint
        self._settings = settings
        self._pool = pool
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        began = time.perf_counter()
        try:
            body = await self._read_body(scope, receive)
            answer = await self._compute(body, receive)
        except Problem as problem:
            self._metrics.answered(self._endpoint, problem.status, time.perf_counter() - began)
            await as_response(problem)(scope, receive, send)
            return
        except Gone:
            self._metrics.gone.inc()
            return
        self._metrics.answered(self._endpoint, answer.status, time.perf_counter() - began)
        kind = _JSON if answer.status == HTTPStatus.OK else MEDIA_TYPE.encode()
        headers = [(b"content-length", b"%d" % len(answer.body)), (b"content-type", kind)]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": answer.body})

    async def _read_body(self, scope: Scope, receive: Receive) -> bytes:
        """The body of a request, unless it is too long, too slow, or there is no room for it anyway."""
        headers = dict(scope["headers"])
        if headers.get(b"content-type", b"").partition(b";")[0].strip().lower() != _JSON:
            raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "bad-type", "send the body as application/json")
        length = headers.get(b"content-length", b"")
        if length.isdigit() and int(length) > self._settings.max_body:
            raise self._too_large()
        if self._pool.full:
            raise self._pool.busy()
        parts: list[bytes] = []
        size, more = 0, True
        try:
            async with asyncio.timeout(self._settings.read_seconds):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise Gone
                    parts.append(message.get("body", b""))
                    size += len(parts[-1])
                    if size > self._settings.max_body:
                        raise self._too_large()
                    more = message.get("more_body", False)
        except TimeoutError:
            detail = f"the body did not arrive within {self._settings.read_seconds:g} seconds: send it faster"
            raise Problem(HTTPStatus.REQUEST_TIMEOUT, "too-slow", detail) from None
        return b"".join(parts)

    def _too_large(self) -> Problem:
        detail = f"the body has more than {self._settings.max_body} bytes: send less"
        return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large", detail)

    async def _compute(self, body: bytes, receive: Receive) -> Answer:
        """The answer of a worker; a client that leaves, or has waited too long, costs nothing more."""
        waiting = self._pool.submit(self._endpoint, body)
        # Once the body is read, only the end of the client can come.
        watch = asyncio.ensure_future(receive())
        watch.add_done_callback(lambda _: waiting.answer.cancel())
        try:
            async with asyncio.timeout(self._settings.seconds):
                return await waiting.answer
        except TimeoutError:
            detail = f"there was no answer within {self._settings.seconds:g} seconds: send less at once"
            raise Problem(HTTPStatus.GATEWAY_TIMEOUT, "timeout", detail) from None
        except asyncio.CancelledError:
            if watch.done() and not watch.cancelled():
                raise Gone from None
            raise
        finally:
            watch.cancel()
            self._leave(waiting)

    def _leave(self, waiting: Waiting) -> None:
        """Have a worker stop what nobody waits for any more."""
        if not waiting.answer.done() or waiting.answer.cancelled():
            self._pool.forget(waiting)


def as_response(problem: Problem) -> Response:
    """A problem as an answer."""
    headers = {} if problem.retry_after is None else {"Retry-After": str(problem.retry_after)}
    if problem.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(problem.encode(), problem.status, headers, media_type=MEDIA_TYPE)
