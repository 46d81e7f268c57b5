"""The endpoints that compute: the request body is passed to a worker, whose answer is returned."""

from __future__ import annotations

import asyncio
import time
from http import HTTPStatus
from typing import Final

from starlette.types import Receive, Scope, Send

from laconic.serve.answers import Answer
from laconic.serve.bodies import Bodies, Gone
from laconic.serve.metrics import Metrics
from laconic.serve.pool import Pool, Waiting
from laconic.serve.problems import MEDIA_TYPE, Problem
from laconic.serve.responses import as_response
from laconic.serve.settings import Settings

_JSON: Final = b"application/json"


class Computing:
    """An endpoint that computes, as an ASGI application."""

    def __init__(self, endpoint: str, settings: Settings, bodies: Bodies, pool: Pool, metrics: Metrics) -> None:
        self._endpoint = endpoint
        self._settings = settings
        self._bodies = bodies
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
        """The body of a request; fails early if the queue is full."""
        kind = dict(scope["headers"]).get(b"content-type", b"")
        if kind.partition(b";")[0].strip().lower() != _JSON:
            raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "bad-type", "send the body as application/json")
        self._bodies.check_length(scope)
        if self._pool.full:
            raise self._pool.busy()
        async with self._bodies.read(receive) as body:
            return body

    async def _compute(self, body: bytes, receive: Receive) -> Answer:
        """The answer of a worker; the work is cancelled if the client leaves or the time is up."""
        waiting = self._pool.submit(self._endpoint, body)
        # After the body, the only event is the client's disconnection.
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
        """Tell a worker to stop work for a client that has left."""
        if not waiting.answer.done() or waiting.answer.cancelled():
            self._pool.forget(waiting)
