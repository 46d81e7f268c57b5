"""What the HTTP servers share: the listening socket, server settings, host checks and security headers."""

from __future__ import annotations

import base64
import errno
import hashlib
import ipaddress
import os
import re
import socket
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

import uvicorn
from starlette.types import ASGIApp

from laconic.errors import LaconicError

#: Host names of this machine that no foreign site can resolve to another address.
LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


def listen(host: str, port: int, backlog: int = 128) -> socket.socket:
    """A socket that is listening, so that its address works as soon as it is announced; port 0 takes any free port."""
    if not 0 <= port <= 65535:
        raise LaconicError(f"there is no port {port}: give one from 1024 to 65535")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError) as error:
        raise LaconicError(f"unknown host {host!r}: give an address of this machine, such as 127.0.0.1") from error
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # on Windows, the option lets two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(backlog)
    except OSError as error:
        listener.close()
        remedy, options = {
            errno.EADDRINUSE: ("stop the program that uses it, or give another port", ("port",)),
            errno.EACCES: ("give a port from 1024 on", ("port",)),
            errno.EADDRNOTAVAIL: ("give a host that is an address of this machine", ("host",)),
        }.get(error.errno or 0, ("give another host or port", ("host", "port")))
        reason = f"cannot listen at port {port} of {host} ({error.strerror}): {remedy}"
        raise LaconicError(reason, **dict.fromkeys(options)) from error
    return listener


def is_local(listener: socket.socket) -> bool:
    """Whether a socket can be reached only from this machine."""
    address = str(listener.getsockname()[0])
    return ipaddress.ip_address(address.partition("%")[0]).is_loopback


def make_url(host: str, listener: socket.socket) -> str:
    """The URL of a listening socket, for a browser."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{listener.getsockname()[1]}/"


def server_config(app: ASGIApp, *, grace: int, **more: Any) -> uvicorn.Config:
    """The uvicorn configuration of our apps: no access log, no server name in responses, no WebSockets.

    On shutdown, pending requests have `grace` seconds to finish. `more` are other settings of uvicorn.
    """
    return uvicorn.Config(
        app, access_log=False, server_header=False, ws="none", timeout_graceful_shutdown=grace, **more
    )


def split_address(address: str) -> SplitResult | None:
    """The parts of a URL, or None if it is malformed."""
    try:
        return urlsplit(address)
    except ValueError:
        return None


def host_name(host: str) -> str | None:
    """The host name in a Host header, without its port; None if it is malformed."""
    if "@" in host:  # user information, which no Host header may have
        return None
    return getattr(split_address(f"//{host}"), "hostname", None)


def is_same_origin(origin: str, host: str) -> bool:
    """Whether the origin of a request is the host that it is sent to."""
    return getattr(split_address(origin), "netloc", None) == host


def content_policy(page: str) -> str:
    """A content security policy that allows the page's own scripts and styles only."""

    def hashes(element: str) -> str:
        contents = re.findall(rf"<{element}>(.*?)</{element}>", page, re.DOTALL)
        digests = [base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() for content in contents]
        return " ".join(f"'sha256-{digest}'" for digest in digests)

    return (
        f"default-src 'none'; script-src {hashes('script')}; style-src {hashes('style')}; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


#: Headers of every response, besides the page's content security policy.
SECURITY_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
