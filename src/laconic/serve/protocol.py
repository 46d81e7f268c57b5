"""HTTP connections with limits: on the time for a request's head and for reading a response, and on head size."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from laconic.serve.problems import MEDIA_TYPE, Problem
from laconic.serve.responses import as_response
from laconic.serve.settings import Settings

#: The maximum number of bytes in a request's head, as in most servers.
_MOST_OF_A_HEAD: Final = 1 << 16


class PatientProtocol(HttpToolsProtocol):
    """Closes connections whose head arrives, or whose response is read, too slowly, or whose head is too long.

    The limit of time is `seconds`. Beyond `most_connections`, a request is answered by "busy". All errors are problem
    details.
    """

    seconds: float = 10.0
    most_connections: int = 4096

    def connection_made(self, transport: Any) -> None:
        """Start waiting for a request."""
        self._arriving: asyncio.TimerHandle | None = None
        self._taking: asyncio.TimerHandle | None = None
        self._in_head, self._in_body = True, False
        self._head_size = 0
        super().connection_made(transport)
        self._arriving = self._end_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel all timers."""
        self._arrived()
        if self._taking is not None:
            self._taking.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read data; refuse a head that is too long, and limit the time for the rest of an answered request."""
        was_in_head = self._in_head
        super().data_received(data)
        if was_in_head and self._in_head:
            self._head_size += len(data)
            if self._head_size > _MOST_OF_A_HEAD:
                detail = f"the head has more than {_MOST_OF_A_HEAD} bytes: send less"
                self._refuse(Problem(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "too-large", detail))
        elif self._in_body and self._arriving is None and self.cycle.response_complete:
            self._arriving = self._end_later()

    def on_message_begin(self) -> None:
        """A request begins: start the timer for its head, whatever came before on this connection."""
        self._in_head, self._head_size = True, 0
        if self._arriving is None:
            self._arriving = self._end_later()
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Ignore trailers after the body."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is complete; the body has a time limit of its own."""
        self._in_head, self._in_body = False, True
        self._arrived()
        app = self.app
        if len(self.connections) > self.most_connections:
            detail = "too many connections are open: try again in a few seconds"
            busy = as_response(Problem(HTTPStatus.SERVICE_UNAVAILABLE, "busy", detail, retry_after=1))
            busy.headers["Connection"] = "close"
            self.app = busy
        super().on_headers_complete()
        self.app = app

    def on_message_complete(self) -> None:
        """The request is complete."""
        self._in_body = False
        self._arrived()
        super().on_message_complete()

    def pause_writing(self) -> None:
        """The client does not read its response: start a timer."""
        if self._taking is None:
            self._taking = self._end_later()
        super().pause_writing()

    def resume_writing(self) -> None:
        """The client reads on: cancel the timer."""
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection at once, even if the client has not read all of the last response."""
        if not self.transport.is_closing():
            self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        """Refuse data that is not HTTP."""
        self._refuse(Problem(HTTPStatus.BAD_REQUEST, "bad-http", msg))

    def _refuse(self, problem: Problem) -> None:
        """Respond to data that cannot be parsed as a request, and close the connection."""
        body, status = problem.encode(), HTTPStatus(problem.status)
        head = f"HTTP/1.1 {status} {status.phrase}\r\nContent-Type: {MEDIA_TYPE}\r\nContent-Length: {len(body)}\r\n"
        self.transport.write(f"{head}Connection: close\r\n\r\n".encode() + body)
        self.transport.close()

    def _arrived(self) -> None:
        if self._arriving is not None:
            self._arriving.cancel()
            self._arriving = None

    def _end_later(self) -> asyncio.TimerHandle:
        return self.loop.call_later(self.seconds, self.transport.abort)


def patient_protocol(settings: Settings) -> type[PatientProtocol]:
    """The protocol of a service with these settings."""
    own = {"seconds": settings.read_seconds, "most_connections": settings.max_connections}
    return type("Protocol", (PatientProtocol,), own)
