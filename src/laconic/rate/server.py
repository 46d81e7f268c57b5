"""The raters' page and its small API, on localhost.

The server sends only what a rater may see: sentences, the distinct compressions in blind order, and the rater's own
ratings; no names of systems, no ranks, no ids. Pages of other sites can neither read nor write: the host name, origin
and content type of requests are checked.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final

import uvicorn
from fastapi import FastAPI, HTTPException, Query, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from laconic.errors import LaconicError
from laconic.progress import Log, ignore
from laconic.rate.database import SCALES, Scale, Store
from laconic.rate.items import read_items
from laconic.web import (
    LOOPBACK,
    SECURITY_HEADERS,
    content_policy,
    host_name,
    is_local,
    is_same_origin,
    listen,
    make_url,
    server_config,
)

#: Larger than any rating.
_MAX_BODY: Final = 4096
_MAX_SEED: Final = 2**63 - 1


class NewRating(BaseModel):
    """A rating as sent by the page; `item` and `text` count from 0."""

    model_config = ConfigDict(strict=True, extra="forbid")

    study: str
    rater: str
    item: Annotated[int, Field(ge=0)]
    text: Annotated[int, Field(ge=0)]
    scale: Scale
    value: Annotated[int, Field(ge=1, le=5)]


def make_app(store: Store, *, any_host: bool = False) -> FastAPI:
    """The web application for an open store, which it closes on shutdown.

    With `any_host`, it accepts requests for any host name; otherwise only for localhost, so that a foreign site cannot
    point its own name at this machine.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        store.close()

    app = FastAPI(lifespan=lifespan, openapi_url=None, docs_url=None, redoc_url=None)
    page = files("laconic.rate").joinpath("page.html").read_text(encoding="utf-8")
    headers = {"Content-Security-Policy": content_policy(page), **SECURITY_HEADERS}

    @app.middleware("http")
    async def guard(request: Request, proceed: Callable[[Request], Awaitable[Response]]) -> Response:
        refusal = _refusal(request, any_host=any_host)
        answer = JSONResponse({"detail": refusal[1]}, refusal[0]) if refusal else await proceed(request)
        answer.headers.update(headers)
        return answer

    @app.exception_handler(sqlite3.Error)
    async def not_saved(_: Request, error: Exception) -> Response:
        return JSONResponse({"detail": f"the database does not answer ({error})"}, 503)

    @app.exception_handler(LaconicError)
    async def refused(_: Request, error: Exception) -> Response:
        return JSONResponse({"detail": str(error)}, 400)

    @app.get("/")
    def show_page() -> HTMLResponse:
        return HTMLResponse(page)

    @app.get("/api/study")
    def show_study(rater: Annotated[str, Query(max_length=1000)]) -> dict[str, Any]:
        return _study(store, rater)

    @app.post("/api/ratings")
    def save(new: NewRating) -> dict[str, bool]:
        if new.study != store.fingerprint:
            raise HTTPException(409, "this server has another study now: reload the page")
        if new.item >= len(store.items) or new.text >= len(store.items[new.item].texts):
            raise HTTPException(404, "there is no such item or text: reload the page")
        store.save(new.rater, new.item, new.text, new.scale, new.value)
        return {"saved": True}

    return app


def serve(
    items: Path,
    db: Path,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    seed: int | None = None,
    log: Log = ignore,
) -> None:
    """Serve the page until interrupted. `log` is called with the address and with warnings."""
    if seed is not None and not 0 <= seed <= _MAX_SEED:
        raise LaconicError(f"the seed {seed} is too large or too small: give a number from 0 to {_MAX_SEED}")
    with closing(listen(host, port)) as listener:
        local = is_local(listener)
        with Store.open(db, read_items(items), source=str(items), seed=seed) as store:
            config = server_config(make_app(store, any_host=not local), grace=2, log_level="warning")
            if not local:
                log(f"{host} can be reached from other machines, and there is no authentication: whoever reaches it "
                    "can read the sentences and rate under any name")  # fmt: skip
            log(f"raters open {make_url(host, listener)} – ratings go to {db} – Ctrl+C stops")
            try:
                uvicorn.Server(config).run(sockets=[listener])
            except KeyboardInterrupt:  # the way to stop it; uvicorn has finished all requests by now
                log(f"stopped; all ratings are in {db}")


def _study(store: Store, rater: str) -> dict[str, Any]:
    """All data for one rater's page, sent at once, so that rating can continue while the server is unavailable."""
    given = store.ratings_of(rater)
    return {
        "study": store.fingerprint,
        "rater": store.known_name(rater),
        "items": [
            {
                "sentence": item.sentence,
                "texts": [
                    {"text": text, "content": item.texts[text]}
                    | {scale: given.get((number, text, scale)) for scale in SCALES}
                    for text in store.blind_order(rater, number)
                ],
            }
            for number, item in enumerate(store.items)
        ],
    }


def _refusal(request: Request, *, any_host: bool) -> tuple[int, str] | None:
    """The reason why a request is refused, or None."""
    host = request.headers.get("host", "")
    if not any_host and host_name(host) not in LOOPBACK:
        return 403, "the server answers at localhost only"
    if request.method in {"GET", "HEAD"}:
        return None
    # Browsers send an origin with every post; a request without one is not from a browser.
    origin = request.headers.get("origin")
    if origin is not None and not is_same_origin(origin, host):
        return 403, "a post from another site"
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return 415, "a rating is sent as application/json"
    length = request.headers.get("content-length", "")
    if not (length.isascii() and length.isdigit()):
        return 411, "a rating is sent with its length"
    return (413, "too long for a rating") if int(length) > _MAX_BODY else None
