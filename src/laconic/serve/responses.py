"""Problems as HTTP responses."""

from __future__ import annotations

from http import HTTPStatus

from starlette.responses import Response

from laconic.serve.problems import MEDIA_TYPE, Problem


def as_response(problem: Problem) -> Response:
    """A problem as a response."""
    headers = {} if problem.retry_after is None else {"Retry-After": str(problem.retry_after)}
    if problem.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    if problem.status == HTTPStatus.REQUEST_TIMEOUT:
        headers["Connection"] = "close"  # do not wait for the rest of the request
    return Response(problem.encode(), problem.status, headers, media_type=MEDIA_TYPE)
