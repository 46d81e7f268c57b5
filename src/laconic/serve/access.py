"""Access control: the host, origin and key of a request."""

from __future__ import annotations

import hmac
import ipaddress
import socket
from collections.abc import Mapping
from functools import lru_cache
from http import HTTPStatus
from typing import Final

from starlette.types import Scope

from laconic.serve.problems import Problem
from laconic.serve.settings import Settings
from laconic.web import LOOPBACK, host_name, is_same_origin

#: Paths that need no key: the page, which asks for the key, the API description, and health checks.
_OPEN: Final = frozenset({"/", "/health", "/ready", "/openapi.json"})


def refusal(scope: Scope, settings: Settings, *, any_address: bool) -> Problem | None:
    """The reason why a request is refused, or None."""
    headers = dict(scope["headers"])
    host = headers.get(b"host", b"").decode("latin-1")
    if not _is_known(host, settings.hosts, any_address):
        return Problem(HTTPStatus.FORBIDDEN, "bad-host", "let the service answer for this host, too, or use localhost")
    origin = headers.get(b"origin")
    if origin is not None and not is_same_origin(origin.decode("latin-1"), host):
        return Problem(HTTPStatus.FORBIDDEN, "bad-origin", "pages of other sites are refused: ask from your server")
    if settings.key is not None and scope["path"] not in _OPEN and not _has_key(headers, settings.key):
        return Problem(HTTPStatus.UNAUTHORIZED, "no-key", "send the key as 'Authorization: Bearer …' or 'X-API-Key'")
    return None


@lru_cache(maxsize=256)
def _is_known(host: str, names: tuple[str, ...], any_address: bool) -> bool:
    """Whether the service answers for a host: foreign sites cannot redirect IP addresses or names of this machine."""
    name = host_name(host)
    if name is None:
        return False
    if name in LOOPBACK or "*" in names or name in map(str.lower, names):
        return True
    return any_address and (name == socket.gethostname().lower() or _is_number(name))


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _has_key(headers: Mapping[bytes, bytes], key: str) -> bool:
    kind, _, token = headers.get(b"authorization", b"").partition(b" ")
    given = token.strip() if kind.lower() == b"bearer" else headers.get(b"x-api-key", b"")
    return hmac.compare_digest(given, key.encode())
