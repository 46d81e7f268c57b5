"""HTTP connections with patience, but not without end: for half a request, and for a reader that does not read."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from laconic.serve.problems import MEDIA_TYPE, Problem
from laconic.serve.responses import as_response
from laconic.serve.settings import Settings

#: Bytes of a request's head, at most: as many as most servers take.
_MOST_OF_A_HEAD: Final = 1 << 16


class PatientProtocol(HttpToolsProtocol):
    """Ends connections whose request head, or whose reading, takes longer than `seconds`, and heads without end.

    With more than so many connections a request is answered that it should come again. All errors are problem details.
    """

    seconds: float = 10.0
    most_connections: int = 4096

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request."""
        self._arriving: asyncio.TimerHandle | None = None
        self._taking: asyncio.TimerHandle | None = None
        self._in_head, self._in_body = True, False
        self._head_size = 0
        super().connection_made(transport)
        self._arriving = self._end_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for any more."""
        self._arrived()
        if self._taking is not None:
            self._taking.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; a head that has no end is refused, and the rest of what is answered already has its time, too."""
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
        """A request begins to arrive: its head has so many seconds, whatever came before on this connection."""
        self._in_head, self._head_size = True, 0
        if self._arriving is None:
            self._arriving = self._end_later()
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """What comes behind a body in the form of a header is nothing that anybody reads."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is there; the body has a time of its own."""
        self._in_head, self._in_body = False, True
        self._arrived()
        app = self.app
        if len(self.connections) > self.most_connections:
            detail = "too many connections are open: come again in some seconds"
            busy = as_response(Problem(HTTPStatus.SERVICE_UNAVAILABLE, "busy", detail, retry_after=1))
            busy.headers["Connection"] = "close"
            self.app = busy
        super().on_headers_complete()
        self.app = app

    def on_message_complete(self) -> None:
        """All of the request is there."""
        self._in_body = False
        self._arrived()
        super().on_message_complete()

    def pause_writing(self) -> None:
        """The client does not take its answer."""
        if self._taking is None:
            self._taking = self._end_later()
        super().pause_writing()

    def resume_writing(self) -> None:
        """It does."""
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        """An idle connection ends at once, also where it has not taken all of its last answer."""
        if not self.transport.is_closing():
            self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP."""
        self._refuse(Problem(HTTPStatus.BAD_REQUEST, "bad-http", msg))

    def _refuse(self, problem: Problem) -> None:
        """Answer what cannot be read as a request, and end the connection."""
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
