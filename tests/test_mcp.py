"""laconic as tools for agents, asked by the SDK's own client, over standard input and output and over HTTP."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

import laconic
from laconic.mcp_server.server import make_http_app, make_server
from laconic.mcp_server.tools import make_tools
from laconic.serve.settings import Settings

SENTENCE = "The police said the man who robbed a bank in Arizona was arrested at his home late Friday."
BRIDGE = (
    "The old stone bridge, which was built in 1764, was closed to lorries in spring after engineers had found cracks "
    "in two of its arches. The repair, which the council approved in March, will cost 3.2 million pounds."
)
MARKET = (
    "The weekly market was moved to the car park behind the station because the square is being paved again. Most "
    "traders, who had at first complained, now say that their sales are about as good as before."
)
COMMAND = [sys.executable, "-m", "laconic", "mcp"]
Use = Callable[[Client], Awaitable[None]]


def ask(server: Any, use: Use) -> None:
    """Runs a client of a server: an object, an address, or a transport."""

    async def run() -> None:
        with anyio.fail_after(60):
            async with Client(server) as client:
                await use(client)

    anyio.run(run)


@pytest.fixture(scope="module")
def server(compressor: laconic.Compressor) -> Any:
    return make_server(compressor)


def stdio(*arguments: str) -> Any:
    return stdio_client(
        StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], *arguments], env=dict(os.environ))
    )


@contextmanager
def over_http(*arguments: str, key: str | None = None) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a server in a process of its own."""
    environment = {**os.environ, **({} if key is None else {"LACONIC_API_KEY": key})}
    command = [*COMMAND, "--http", "--port", "0", *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            found = re.search(r"http://\S+/mcp", line)
            assert found, line
            yield found[0], process
        finally:
            process.kill()


async def check_both_tools(client: Client) -> None:
    listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(listed) == {"compress", "fit"}
    short = await client.call_tool("compress", {"texts": [SENTENCE], "max_chars": 40})
    assert not short.is_error
    assert [block.text for block in short.content] == ["The man who robbed a bank was arrested."]
    assert short.structured_content == {
        "results": [{"text": "The man who robbed a bank was arrested.", "chars_before": 90, "chars": 39}]
    }
    query = "How much will the repair cost?"
    fitted = await client.call_tool("fit", {"documents": [BRIDGE, MARKET], "query": query, "max_chars": 120})
    assert "3.2 million pounds" in fitted.content[0].text
    assert fitted.structured_content["length"] <= 120
    assert len(fitted.structured_content["documents"]) == 2


def test_over_standard_input_and_output() -> None:
    ask(stdio(), check_both_tools)


def test_over_streamable_http() -> None:
    with over_http() as (address, process):
        ask(address, check_both_tools)
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) in (0, -signal.SIGTERM)


def test_in_memory(server: Any) -> None:
    ask(server, check_both_tools)


def test_descriptions_say_when_to_use_the_tools_and_when_not(server: Any) -> None:
    async def use(client: Client) -> None:
        for tool in (await client.list_tools()).tools:
            assert re.search(r"Use it (when|before)", tool.description)
            assert re.search(r"Do not use it for code, logs, JSON.*: never", tool.description, re.DOTALL)
            assert tool.annotations.read_only_hint
            assert tool.input_schema["additionalProperties"] is False
            for name, field in tool.input_schema["properties"].items():
                assert field["description"], name
        assert "Never" in client.instructions

    ask(server, use)


def test_tools_take_nothing_that_names_a_file_or_a_model() -> None:
    for tool in make_tools(tokens=True):
        assert not {"tokenizer", "model", "parser", "relevance", "compressor"} & set(tool.options)


def test_every_field_of_a_tool_is_an_option_of_the_function(compressor: laconic.Compressor) -> None:
    values = {
        "level": "short", "max_chars": 180, "max_words": 12, "max_tokens": 20, "max_bytes": 80, "rate": 0.6,
        "keep": ["bridge"], "drop": ["lorries"], "keep_all": ["numbers"], "drop_all": ["quotes"], "language": "any",
        "protect": ["[[", "]]"], "nearest": True, "each_sentence": True, "query": "Which bridge?", "format": "text",
    }  # fmt: skip
    for tool in make_tools(tokens=True):
        for name in tool.options:
            given = {tool.takes: [BRIDGE], "max_chars": 185, name: values[name]}
            if name in ("max_words", "max_tokens", "max_bytes", "rate", "level"):
                del given["max_chars"]
            answer = tool.call(compressor, given, tokenizer=str.split)
            assert not answer.failed, (tool.name, name, answer)


def test_one_text_that_does_not_fit_leaves_the_others_their_results(server: Any) -> None:
    async def use(client: Client) -> None:
        found = await client.call_tool("compress", {"texts": [SENTENCE, "Go home now."], "max_chars": 12})
        assert not found.is_error
        refused, done = found.structured_content["results"]
        assert refused["shortest"] > 12
        assert "shortest possible result" in refused["error"]
        assert done["text"] == "Go home now."
        alone = await client.call_tool("compress", {"texts": [SENTENCE], "max_chars": 3})
        assert alone.is_error

    ask(server, use)


def test_protected_text_and_words_to_keep_survive(server: Any) -> None:
    async def use(client: Client) -> None:
        marked = SENTENCE.replace("his home", "[[his home]]")
        found = await client.call_tool("compress", {"texts": [marked], "protect": ["[[", "]]"], "max_chars": 60})
        assert "his home" in found.content[0].text
        kept = await client.call_tool("fit", {"documents": [BRIDGE, MARKET], "keep": ["traders"], "max_chars": 150})
        assert "traders" in "".join(block.text for block in kept.content)

    ask(server, use)


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("compress", {}, "texts is no list of texts"),
        ("compress", {"texts": SENTENCE}, "texts is no list of texts"),
        ("compress", {"texts": []}, "texts has 0 texts"),
        ("compress", {"texts": ["a"] * 1001}, "texts has 1001 texts"),
        ("compress", {"texts": ["a" * 2_000_001]}, "more than 2,000,000 characters"),
        ("compress", {"texts": [SENTENCE], "max_length": 5}, "unknown field 'max_length': use one of texts, level"),
        ("compress", {"texts": [SENTENCE], "max_chars": "forty"}, "max_chars is 'forty'"),
        ("compress", {"texts": [SENTENCE], "level": "tiny"}, "tiny"),
        ("compress", {"texts": [SENTENCE], "tokenizer": "/etc/passwd"}, "unknown field 'tokenizer'"),
        ("compress", {"texts": [SENTENCE], "max_tokens": 5}, "unknown field 'max_tokens'"),
        ("fit", {"documents": [BRIDGE]}, "fit needs a budget"),
        ("fit", {"documents": ["", " "], "max_chars": 50}, "all documents are empty"),
        ("fit", {"documents": [BRIDGE], "max_chars": 5}, "does not fit into 5 characters"),
        ("fit", {"documents": [BRIDGE], "max_chars": 50, "protect": ["[", "]"]}, "unknown field 'protect'"),
        ("shorten", {"texts": [SENTENCE]}, "unknown tool 'shorten': use one of compress, fit"),
    ],
)
def test_what_cannot_be_done_is_told_with_a_remedy(
    server: Any, tool: str, arguments: dict[str, Any], message: str
) -> None:
    async def use(client: Client) -> None:
        found = await client.call_tool(tool, arguments)
        assert found.is_error
        assert message in found.content[0].text

    ask(server, use)


def test_tokens_are_counted_by_the_tokenizer_of_the_server(compressor: laconic.Compressor) -> None:
    async def use(client: Client) -> None:
        (tool, _) = (await client.list_tools()).tools
        assert "max_tokens" in tool.input_schema["properties"]
        found = await client.call_tool("compress", {"texts": [SENTENCE], "max_tokens": 8})
        assert len(found.content[0].text.split()) <= 8

    ask(make_server(compressor, tokenizer=str.split), use)


def test_many_calls_at_once_are_answered_each_with_its_own(server: Any) -> None:
    async def use(client: Client) -> None:
        answers: dict[int, str] = {}

        async def one(number: int) -> None:
            text = f"The {number} boxes, which nobody had opened for years, were sent back."
            found = await client.call_tool("compress", {"texts": [text], "max_chars": 40, "keep_all": ["numbers"]})
            answers[number] = found.content[0].text

        async with anyio.create_task_group() as group:
            for number in range(20, 60):
                group.start_soon(one, number)
        assert all(str(number) in text for number, text in answers.items())
        assert len(answers) == 40

    ask(server, use)


@asynccontextmanager
async def http_client(app: Any, headers: dict[str, str]) -> AsyncIterator[httpx2.AsyncClient]:
    async with app.router.lifespan_context(app):
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers) as client:
            yield client


def post(server: Any, headers: dict[str, str], **settings: Any) -> int:
    """The status of a request with these headers."""

    async def run() -> int:
        start = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        plain = {"accept": "application/json, text/event-stream", "content-type": "application/json", **headers}
        async with http_client(make_http_app(server, Settings(**settings)), plain) as client:
            return (await client.post("/mcp", json=start)).status_code

    return anyio.run(run)


def test_foreign_hosts_and_origins_are_refused(compressor: laconic.Compressor) -> None:
    def status(headers: dict[str, str], hosts: tuple[str, ...] = ()) -> int:
        return post(make_server(compressor), headers, hosts=hosts)

    assert status({}) == 200
    assert status({"host": "evil.example"}) == 403
    assert status({"origin": "https://evil.example"}) == 403
    assert status({"host": "tools.example"}, hosts=("tools.example",)) == 200


def test_a_body_without_end_is_refused(compressor: laconic.Compressor) -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b" " * 10_000

    async def run() -> list[int]:
        app = make_http_app(make_server(compressor), Settings(max_body=100_000))
        async with http_client(app, {"content-type": "application/json"}) as client:
            answers = [
                await client.post("/mcp", content=endless()),
                await client.post("/mcp", headers={"content-length": "100001"}, content=b""),
            ]
            return [answer.status_code for answer in answers]

    assert anyio.run(run) == [413, 413]


def test_a_key_is_asked_for_where_there_is_one(compressor: laconic.Compressor) -> None:
    def status(headers: dict[str, str]) -> int:
        return post(make_server(compressor), headers, key="a long secret key")

    assert status({}) == 401
    assert status({"authorization": "Bearer wrong"}) == 401
    assert status({"authorization": "Bearer a long secret key"}) == 200


def test_the_key_comes_from_the_environment() -> None:
    with over_http(key="a long secret key") as (address, _):
        assert httpx2.post(address, json={}).status_code == 401

        async def run() -> None:
            async with (
                httpx2.AsyncClient(headers={"authorization": "Bearer a long secret key"}) as http,
                Client(streamable_http_client(address, http_client=http)) as client,
            ):
                await check_both_tools(client)

        anyio.run(run)


def test_no_server_for_everybody_without_a_key() -> None:
    command = [*COMMAND, "--http", "--host", "0.0.0.0", "--port", "0"]
    environment = {name: value for name, value in os.environ.items() if name != "LACONIC_API_KEY"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=False)
    assert done.returncode == 2
    assert "put a key into LACONIC_API_KEY" in done.stderr


def test_bad_models_and_tokenizers_are_told_at_the_start() -> None:
    for option, message in (("--model", "nowhere"), ("--tokenizer", "nowhere.json")):
        done = subprocess.run(
            [*COMMAND, option, message], input="", capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 2
        assert message in done.stderr
        assert not done.stdout
