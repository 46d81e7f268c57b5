"""`laconic rate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laconic.cli.progress import say
from laconic.cli.shared_flags import Address
from laconic.errors import LaconicError


def rate_cli(
    items: Annotated[Path, typer.Argument(help="Sentences with their compressions: JSON Lines, plain or gzipped.")],
    db: Annotated[Path, typer.Option("--db", help="SQLite file for the ratings; made if it is not there.")],
    port: Annotated[int, typer.Option("--port", help="Port of the page; 0 takes any free one.")] = 8000,
    host: Address = "127.0.0.1",
    seed: Annotated[
        int | None,
        typer.Option("--seed", help="Seed of the blind order.", show_default="0, or what the database began with"),
    ] = None,
) -> None:
    """Serve a page on which people rate compressions for readability and informativeness.

    Every click is saved at once; to continue, start it again with the same items and database. Needs the extra
    `ratings`: pip install "laconic[ratings]".
    """
    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise LaconicError('rating needs FastAPI and uvicorn: pip install "laconic[ratings]"') from None
    from laconic.rate.server import serve

    serve(items, db, host=host, port=port, seed=seed, log=say)
