"""The web application: its routes, and access control.

Request bodies are neither read nor checked here but in the workers, so that the event loop only passes on bytes.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from importlib.resources import files

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from laconic.package_versions import installed_version
from laconic.serve.access import refusal
from laconic.serve.bodies import Bodies
from laconic.serve.compute import Computing
from laconic.serve.fields import ENDPOINTS
from laconic.serve.metrics import CONTENT_TYPE_LATEST, Metrics
from laconic.serve.openapi import describe
from laconic.serve.pool import Pool
from laconic.serve.problems import Problem
from laconic.serve.responses import as_response
from laconic.serve.settings import WORDPIECE, Settings
from laconic.web import SECURITY_HEADERS, content_policy


def make_app(settings: Settings, *, any_address: bool = False) -> FastAPI:
    """The application, which starts its workers on startup and stops them on shutdown.

    With `any_address`, it answers for any address of this machine, not only for localhost.
    """
    metrics = Metrics()
    pool = Pool(settings, metrics)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            await pool.start()
            yield
        finally:
            await pool.close()

    app = FastAPI(lifespan=lifespan, openapi_url=None, docs_url=None, redoc_url=None)
    app.state.pool = pool
    bodies = Bodies(settings)
    computing = {f"/v1/{endpoint}": Computing(endpoint, settings, bodies, pool, metrics) for endpoint in ENDPOINTS}
    for path, endpoint in computing.items():
        app.router.routes.append(Route(path, endpoint, methods=["POST"]))
    _add_information(app, settings, pool, metrics)
    app.add_exception_handler(HTTPException, _not_there)
    app.add_exception_handler(Exception, _failed)
    app.add_middleware(_Guard, settings=settings, any_address=any_address, computing=computing)
    return app


def _add_information(app: FastAPI, settings: Settings, pool: Pool, metrics: Metrics) -> None:
    """Add the routes to read from: the page, the description of the API, and the state of the service."""
    page = files("laconic.serve").joinpath("page.html").read_text(encoding="utf-8")
    policy = {"Content-Security-Policy": content_policy(page)}
    description = describe(settings)
    read = partial(app.api_route, methods=["GET", "HEAD"])

    @read("/")
    async def show_page() -> HTMLResponse:
        return HTMLResponse(page, headers=policy)

    @read("/openapi.json")
    async def show_description() -> JSONResponse:
        return JSONResponse(description)

    @read("/v1/models")
    async def show_models() -> JSONResponse:
        return JSONResponse(
            {
                "version": installed_version("laconic"),
                "models": list(settings.models),
                "tokenizers": [*settings.tokenizers, WORDPIECE],
                "limits": {name: getattr(settings, name) for name in ("max_body", "max_texts", "max_k", "seconds")},
            }
        )

    @read("/health")
    async def show_health() -> JSONResponse:
        return JSONResponse({"status": "ok"})

    @read("/ready")
    async def show_ready() -> Response:
        return JSONResponse({"status": "ready"}) if pool.ready else as_response(pool.busy())

    @read("/metrics")
    async def show_metrics() -> Response:
        return Response(metrics.show(), media_type=CONTENT_TYPE_LATEST)


class _Guard:
    """Refuses unauthorised requests, and adds headers to every response.

    Routes that compute are called directly: routing would cost as much time as everything else done with a request
    here.
    """

    def __init__(
        self, app: ASGIApp, *, settings: Settings, any_address: bool, computing: Mapping[str, Computing]
    ) -> None:
        self._app = app
        self._settings = settings
        self._any_address = any_address
        self._computing = computing
        self._headers = [(name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._headers]
            await send(message)

        problem = refusal(scope, self._settings, any_address=self._any_address)
        answer: ASGIApp = self._app
        if problem is not None:
            answer = as_response(problem)
        elif scope["method"] == "POST":
            answer = self._computing.get(scope["path"], self._app)
        await answer(scope, receive, send_with_headers)


async def _not_there(_: Request, error: Exception) -> Response:
    """The response to requests that the router refuses."""
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        problem = Problem(error.status_code, "bad-method", "use POST for /v1/compress, /v1/fit and /v1/tree, else GET")
    else:
        problem = Problem(error.status_code, "not-found", "see /openapi.json for what there is")
    answer = as_response(problem)
    answer.headers.update(error.headers or {})
    return answer


async def _failed(_: Request, error: Exception) -> Response:
    """The response to an unexpected error."""
    detail = f"{type(error).__name__}: please report it with the request"
    return as_response(Problem(HTTPStatus.INTERNAL_SERVER_ERROR, "internal", detail))
