"""The server: tools over standard input and output, or over streamable HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.to_thread
import mcp_types as types
import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette

from laconic.compressor import Compressor, load
from laconic.cores import cores
from laconic.errors import LaconicError
from laconic.known_names import unknown_name
from laconic.limits.tokens import find_counter
from laconic.mcp_server.tools import INSTRUCTIONS, make_tools
from laconic.progress import Log, ignore
from laconic.serve.access import refusal
from laconic.serve.bodies import Bodies, Gone
from laconic.serve.problems import Problem
from laconic.serve.protocol import patient_protocol
from laconic.serve.responses import as_response
from laconic.serve.settings import KEY_VARIABLE, Settings, key_from_environment
from laconic.web import is_local, listen, make_url, server_config

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: The path of the server below its address.
PATH: Final = "mcp"
#: The maximum number of bytes in a request: enough for the maximum number of characters.
MAX_BODY: Final = 16 << 20


def make_server(compressor: Compressor, *, tokenizer: str | None = None) -> Server[Any]:
    """The server for the tools of a compressor; with a tokenizer, lengths in tokens are available."""
    import laconic

    if tokenizer is not None:
        find_counter(tokenizer)  # fail before serving if it is invalid
    tools = {tool.name: tool for tool in make_tools(tokens=tokenizer is not None)}
    workers = anyio.CapacityLimiter(cores())

    async def list_tools(_: Any, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        hints = types.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=tool.name,
                    title=tool.title,
                    description=tool.description,
                    input_schema=tool.input_schema,
                    output_schema=tool.answers,
                    annotations=hints,
                )
                for tool in tools.values()
            ]
        )

    async def call_tool(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in tools:
            return _answer([str(unknown_name("tool", params.name, tools))], None, failed=True)
        call = partial(tools[params.name].call, compressor, params.arguments or {}, tokenizer)
        # In a thread, so that other calls are served meanwhile; abandoned if the client leaves.
        found = await anyio.to_thread.run_sync(call, abandon_on_cancel=True, limiter=workers)
        return _answer(found.texts, found.data, failed=found.failed)

    return Server(
        "laconic",
        version=laconic.__version__,
        title="laconic",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _answer(texts: Sequence[str], data: dict[str, Any] | None, *, failed: bool) -> types.CallToolResult:
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=text) for text in texts]
    return types.CallToolResult(content=content, structured_content=data, is_error=failed)


def serve_mcp(
    model: str | Path | None = None,
    *,
    tokenizer: str | None = None,
    http: bool = False,
    host: str = "127.0.0.1",
    port: int = 8000,
    hosts: Sequence[str] = (),
    log: Log = ignore,
) -> None:
    """Serve the tools until the client disconnects, over standard input and output; or over HTTP until interrupted.

    Over HTTP, only requests for this machine and for names in `hosts` are answered; if there is a key in
    LACONIC_API_KEY, every request needs it. `log` is called with the address.
    """
    server = make_server(load(model), tokenizer=tokenizer)
    if not http:
        anyio.run(_serve_stdio, server)
        return
    settings = Settings(hosts=tuple(hosts), key=key_from_environment(), max_body=MAX_BODY)
    with closing(listen(host, port)) as listener:
        local = is_local(listener)
        if settings.key is None and not local:
            raise LaconicError(
                f"everybody could use the tools at {host}: put a key into {KEY_VARIABLE}, or use 127.0.0.1"
            )
        log(f"the tools are at {make_url(host, listener)}{PATH}")
        app = make_http_app(server, settings, any_address=not local)
        config = server_config(app, grace=10, http=patient_protocol(settings), log_level="warning")
        uvicorn.Server(config).run(sockets=[listener])


def make_http_app(server: Server[Any], settings: Settings, *, any_address: bool = False) -> Starlette:
    """The application that serves the tools at /mcp: without sessions, so that any replica can answer any request.

    Hosts, origins and the key are checked as in the HTTP service.
    """
    ours = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = server.streamable_http_app(
        streamable_http_path=f"/{PATH}", json_response=True, stateless_http=True, transport_security=ours
    )
    app.add_middleware(_Guard, settings=settings, any_address=any_address)
    return app


class _Guard:
    """Refuses requests from foreign sites, requests without the key, and bodies that are too long or too slow."""

    def __init__(self, app: ASGIApp, settings: Settings, any_address: bool) -> None:
        self._app, self._settings, self._any_address = app, settings, any_address
        self._bodies = Bodies(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            problem = refusal(scope, self._settings, any_address=self._any_address)
            if problem is not None:
                raise problem
            if scope["method"] != "POST":
                await self._app(scope, receive, send)
                return
            self._bodies.check_length(scope)
            async with self._bodies.read(receive) as body:
                await self._app(scope, _again(body, receive), send)
        except Problem as problem:
            await as_response(problem)(scope, receive, send)
        except Gone:
            return


def _again(body: bytes, receive: Receive) -> Receive:
    """A `receive` that replays a body that has already been read, and then continues."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return messages.pop() if messages else await receive()

    return receive_again


async def _serve_stdio(server: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
