"""Run the service: listen, load, answer requests, and shut down cleanly."""

from __future__ import annotations

import contextlib
import logging
import socket
from collections.abc import Callable
from contextlib import closing

import uvicorn

from laconic.progress import Log, ignore
from laconic.serve.app import make_app
from laconic.serve.pool import Pool
from laconic.serve.protocol import patient_protocol
from laconic.serve.settings import KEY_VARIABLE, Settings
from laconic.web import is_local, listen, make_url, server_config


def serve(
    settings: Settings | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    log: Log = ignore,
) -> None:
    """Serve the API and the page until interrupted. `log` is called with the address, and with warnings.

    On SIGTERM and SIGINT, no new requests are accepted, accepted ones are answered, and the workers are stopped.
    """
    settings = settings or Settings()
    _raise_file_limit(settings.max_connections)
    with closing(listen(host, port, backlog=2048)) as listener:
        local = is_local(listener)
        app = make_app(settings, any_address=not local)
        config = server_config(
            app,
            grace=int(settings.seconds + settings.read_seconds) + 1,
            http=patient_protocol(settings),
            log_config=None,
            timeout_keep_alive=30,
        )
        logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
        if not local and settings.key is None:
            log(f"{host} can be reached from other machines, and there is no key: set {KEY_VARIABLE} to ask for one")
        server = _Server(config, app.state.pool, lambda: log(f"open {make_url(host, listener)} – Ctrl+C stops"))
        server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """A server that announces its address once the workers are ready."""

    def __init__(self, config: uvicorn.Config, pool: Pool, tell: Callable[[], None]) -> None:
        super().__init__(config)
        self._pool = pool
        self._tell = tell

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Load the models before listening is announced; raises an error if that fails."""
        await self._pool.start()
        await super().startup(sockets)
        self._tell()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer accepted requests. Being stopped is not a failure, so the signal is not raised again."""
        await super().shutdown(sockets)
        self._captured_signals.clear()


def _raise_file_limit(connections: int) -> None:
    """Raise the limit on open files: each connection is one, and the default is low; Windows has no such limit."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + 256
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
