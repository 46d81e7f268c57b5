"""HTTP connections with patience, but not without end: for half a request, and for a reader that does not read."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class PatientProtocol(HttpToolsProtocol):
    """Ends connections whose request head, or whose reading, takes longer than `seconds`."""

    seconds: float = 10.0

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request."""
        self._arriving: asyncio.TimerHandle | None = None
        self._taking: asyncio.TimerHandle | None = None
        super().connection_made(transport)
        self._arriving = self._end_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for any more."""
        for timer in (self._arriving, self._taking):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """A request begins to arrive: its head has so many seconds, whatever came before on this connection."""
        if self._arriving is None:
            self._arriving = self._end_later()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is there; the body has a time of its own."""
        if self._arriving is not None:
            self._arriving.cancel()
            self._arriving = None
        super().on_headers_complete()

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

    def _end_later(self) -> asyncio.TimerHandle:
        return self.loop.call_later(self.seconds, self.transport.abort)
