"""`laconic serve`."""

from __future__ import annotations

from typing import Annotated

import typer

from laconic.cli.progress import say
from laconic.cli.shared_flags import Address
from laconic.errors import LaconicError


def serve_cli(
    port: Annotated[int, typer.Option("--port", help="Port; 0 takes any free one.")] = 8000,
    host: Address = "127.0.0.1",
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            help="default, small, or NAME=FOLDER; may be repeated, requests name them, the first is the default.",
            show_default="default",
        ),
    ] = None,
    tokenizer: Annotated[
        list[str] | None,
        typer.Option("--tokenizer", help="A name that tiktoken knows, or NAME=PATH of a tokenizer.json; repeatable."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", help="Worker processes.", show_default="all cores")
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", help="A name that the service is reached at; * is any; may be repeated."),
    ] = None,
    max_body: Annotated[int, typer.Option("--max-body", help="Most bytes of a request.")] = 1 << 20,
    max_texts: Annotated[int, typer.Option("--max-texts", help="Most texts of a request.")] = 1000,
    max_k: Annotated[int, typer.Option("--max-k", help="Most compressions of a sentence.")] = 100,
    max_waiting: Annotated[int, typer.Option("--max-waiting", help="Most requests that wait; others get 503.")] = 512,
    seconds: Annotated[float, typer.Option("--seconds", help="Longest time for an answer.")] = 30.0,
    read_seconds: Annotated[
        float, typer.Option("--read-seconds", help="Longest time for a request to arrive, or an answer to be taken.")
    ] = 10.0,
) -> None:
    """Serve an HTTP API and a page to try it, on all cores. Requests need the key in LACONIC_API_KEY, if it is set.

    Needs the extra `serve`: pip install "laconic[serve]".
    """
    try:
        import fastapi  # noqa: F401
        import httptools  # noqa: F401
        import prometheus_client  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise LaconicError('the service needs FastAPI and uvicorn: pip install "laconic[serve]"') from None
    from laconic.cores import cores
    from laconic.serve.server import serve
    from laconic.serve.settings import Settings, key_from_environment, named

    settings = Settings(
        models=named(model or ["default"], "model"),
        tokenizers=named(tokenizer or [], "tokenizer"),
        workers=cores() if workers is None else workers,
        hosts=tuple(allow_host or ()),
        max_body=max_body,
        max_texts=max_texts,
        max_k=max_k,
        max_waiting=max_waiting,
        seconds=seconds,
        read_seconds=read_seconds,
        key=key_from_environment(),
    )
    serve(settings, host=host, port=port, log=say)
