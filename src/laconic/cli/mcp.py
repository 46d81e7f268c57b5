"""`laconic mcp`."""

from __future__ import annotations

from typing import Annotated

import typer

from laconic.cli.flags import Only, with_flags
from laconic.cli.progress import say
from laconic.errors import LaconicError
from laconic.options import LoadOptions


@with_flags
def mcp_cli(
    http: Annotated[
        bool, typer.Option("--http", help="Serve over streamable HTTP, not over standard input and output.")
    ] = False,
    port: Annotated[int, typer.Option("--port", help="With --http: port; 0 takes any free one.")] = 8000,
    host: Annotated[str, typer.Option("--host", help="With --http: address to listen at.")] = "127.0.0.1",
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", help="With --http: a name that the server is reached at; may be repeated."),
    ] = None,
    *,
    loading: Annotated[LoadOptions, Only.of("model")],
    tokenizer: Annotated[
        str | None,
        typer.Option("--tokenizer", help="What counts max_tokens: a name that tiktoken knows, or a tokenizer.json."),
    ] = None,
) -> None:
    """Serve the tools compress and fit to agents, by the Model Context Protocol.

    Over HTTP, every request needs the key in LACONIC_API_KEY, if it is set. Needs the extra `mcp`: pip install
    "laconic[mcp]".
    """
    try:
        import mcp  # noqa: F401
    except ImportError:
        raise LaconicError('the tools for agents need the MCP SDK: pip install "laconic[mcp]"') from None
    from laconic.mcp_server.server import serve_mcp

    model = loading.get("model")
    serve_mcp(model, tokenizer=tokenizer, http=http, host=host, port=port, hosts=allow_host or (), log=say)
