"""Problem details (RFC 9457): errors for programs and for people."""

from __future__ import annotations

import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from laconic.errors import LaconicError, MisfitError

MEDIA_TYPE: Final = "application/problem+json"
_PREFIX: Final = "urn:laconic:problem:"

#: The titles of problems, by the last part of their type.
TITLES: Final = {
    "bad-http": "The request is not HTTP",
    "bad-json": "The body is not a JSON object",
    "bad-option": "An option or its value is invalid",
    "refused": "This text cannot be compressed as asked",
    "misfit": "Nothing is within the limits",
    "too-large": "The request is too large",
    "too-slow": "The request took too long to arrive",
    "busy": "The service is busy",
    "timeout": "The answer took too long",
    "worker-lost": "The computation failed twice",
    "bad-host": "The service does not answer for this host",
    "bad-origin": "A request from another site",
    "no-key": "The key is missing or wrong",
    "bad-type": "The body is not application/json",
    "not-found": "There is nothing at this address",
    "bad-method": "The address does not take this method",
    "internal": "The service has a bug",
}


@dataclass(frozen=True, slots=True)
class Problem(Exception):  # noqa: N818 – the name of the standard
    """A problem and its HTTP status."""

    status: int
    kind: str  # one of TITLES
    detail: str
    retry_after: int | None = None
    more: dict[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The problem as JSON-ready data."""
        return {
            "type": _PREFIX + self.kind,
            "title": TITLES[self.kind],
            "status": self.status,
            "detail": self.detail,
            **(self.more or {}),
        }

    def encode(self) -> bytes:
        """The problem as the body of a response."""
        return json.dumps(self.to_dict(), ensure_ascii=False).encode()


def of_error(error: LaconicError) -> Problem:
    """The problem of a refused text or document, with the possible lengths if nothing fits."""
    lengths = {name: value for name in ("shortest", "longest") if (value := getattr(error, name, None)) is not None}
    kind = "misfit" if isinstance(error, MisfitError) else "refused"
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, kind, str(error), more=lengths)


def bad_option(error: LaconicError | str) -> Problem:
    """The problem of a request with invalid options."""
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "bad-option", str(error))
