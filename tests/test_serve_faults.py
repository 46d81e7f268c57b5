"""The service under load and with clients that behave badly: everything is answered, and nothing is left behind."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pickle
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from serving import LONG, POLICE, Answer, Service, serving
from starlette.types import Message

from laconic.serve.bodies import Bodies
from laconic.serve.problems import Problem
from laconic.serve.settings import Settings

SMALL = {"texts": [POLICE]}


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    options = ("--workers", "1", "--max-waiting", "4", "--read-seconds", "1", "--max-body", "300000")
    with serving(*options) as started:
        yield started
        text = POLICE[10:40]
    assert not any(text in line for line in started.said), "texts are in the log"
    assert not any("Traceback" in line for line in started.said), started.said


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(16) as pool:
        yield pool


def open_socket(service: Service, sent: bytes = b"") -> socket.socket:
    client = socket.create_connection(("127.0.0.1", service.port), timeout=30)
    client.sendall(sent)
    return client


def raw(body: object, path: str = "/v1/compress") -> bytes:
    data = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data


def begun(service: Service, threads: ThreadPoolExecutor, body: object = LONG) -> Future[Answer]:
    """A request that a worker has begun."""
    before = service.metric("laconic_requests_together_count")
    answer = threads.submit(service.ask, "/v1/compress", body)
    service.wait_for("laconic_requests_together_count", before + 1)
    return answer


def test_more_than_may_wait_get_503_and_come_again_later(service: Service, threads: ThreadPoolExecutor) -> None:
    first = begun(service, threads)
    answers = [each.result() for each in [threads.submit(service.ask, "/v1/compress", SMALL) for _ in range(12)]]
    assert sorted(answer.status for answer in answers) == [200] * 4 + [503] * 8
    busy = next(answer for answer in answers if answer.status == 503)
    assert int(busy.headers["retry-after"]) >= 1
    assert busy.data["type"] == "urn:laconic:problem:busy"
    assert first.result().status == 200
    assert service.ask("/v1/compress", SMALL).status == 200
    assert service.ask("/ready").status == 200


def test_what_waits_is_computed_together_whatever_is_asked(service: Service, threads: ThreadPoolExecutor) -> None:
    first = begun(service, threads)
    before = service.metric("laconic_requests_together_count")
    asked = [{"level": "short"}, {"k": 2}, {"max_chars": 40}, {}]
    answers = [threads.submit(service.ask, "/v1/compress", {**SMALL, **options}) for options in asked]
    service.wait_for("laconic_waiting_requests", 4)
    assert [each.result().status for each in answers] == [200] * 4
    assert service.metric("laconic_requests_together_count") == before + 1
    alone = [service.ask("/v1/compress", {**SMALL, **options}).data for options in asked]
    assert [each.result().data for each in answers] == alone
    assert first.result().status == 200


@pytest.mark.parametrize("endpoint", ["compress", "fit"])
def test_a_client_that_goes_away_costs_nothing_more(
    service: Service, threads: ThreadPoolExecutor, endpoint: str
) -> None:
    texts, gone = service.metric("laconic_texts_total"), service.metric("laconic_clients_gone_total")
    together = service.metric("laconic_requests_together_count")
    body = LONG if endpoint == "compress" else {"documents": ["\n\n".join(LONG["texts"])], "rate": 0.5}
    running = open_socket(service, raw(body, f"/v1/{endpoint}"))
    service.wait_for("laconic_requests_together_count", together + 1)
    waiting = open_socket(service, raw(SMALL))
    service.wait_for("laconic_waiting_requests", 1)
    waiting.close()
    running.close()
    service.wait_for("laconic_clients_gone_total", gone + 2)
    assert service.ask("/v1/compress", SMALL).status == 200
    assert service.metric("laconic_texts_total") == texts + 1  # neither of the two was finished
    assert service.metric("laconic_worker_restarts_total") == 0


def test_half_a_request_is_not_waited_for_without_end(service: Service) -> None:
    with open_socket(service, b"POST /v1/compress HTTP/1.1\r\nHost: loc") as client:
        assert client.recv(100) == b""
    with open_socket(service) as client:  # which says nothing
        assert client.recv(100) == b""
    with open_socket(service, raw(SMALL)[:-10]) as client:
        assert client.recv(1000).startswith(b"HTTP/1.1 408")
    with open_socket(service, raw(SMALL)) as client:  # a good request first
        answer = client.recv(10_000)
        while not answer.endswith(b"]}]}]}"):  # head and body may come one after the other
            answer += client.recv(10_000)
        assert answer.startswith(b"HTTP/1.1 200")
        client.sendall(b"GET /hea")
        assert client.recv(1000) == b""


def test_no_request_at_all(service: Service) -> None:
    with open_socket(service, b"\x16\x03\x01 hello\r\n\r\n") as client:
        answer = client.recv(1000)
        assert answer.startswith(b"HTTP/1.1 400 Bad Request")
        assert b"urn:laconic:problem:bad-http" in answer


def test_a_huge_body_is_refused_before_it_is_read(service: Service) -> None:
    head = b"POST /v1/fit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with open_socket(service, head + b"Content-Length: 99999999999\r\n\r\n") as client:
        assert client.recv(1000).startswith(b"HTTP/1.1 413")
    with open_socket(service, head + b"Transfer-Encoding: chunked\r\n\r\n") as client:
        client.sendall(b"4e20\r\n" + b" " * 20_000 + b"\r\n")
        client.sendall((b"4e20\r\n" + b" " * 20_000 + b"\r\n") * 15)
        assert client.recv(1000).startswith(b"HTTP/1.1 413")


def test_a_head_without_end_is_refused(service: Service) -> None:
    with open_socket(service, b"GET /health HTTP/1.1\r\nHost: localhost\r\n") as client:
        client.sendall(b"X-Filler: " + b"x" * 70_000)
        answer = client.recv(1000)
        assert answer.startswith(b"HTTP/1.1 431")
        assert b"urn:laconic:problem:too-large" in answer


@pytest.mark.parametrize("length", [b"99999999999", b"1000"], ids=["too large", "too slow"])
def test_the_rest_of_an_answered_request_is_not_waited_for_without_end(service: Service, length: bytes) -> None:
    head = b"POST /v1/fit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
    with open_socket(service, head + length + b"\r\n\r\n{") as client:
        assert client.recv(1000)[:12] in (b"HTTP/1.1 413", b"HTTP/1.1 408")
        waiting = threading.Event()
        for _ in range(200):  # a byte now and then
            try:
                client.sendall(b" ")
            except OSError:
                break
            waiting.wait(0.05)
        else:
            raise AssertionError("the connection is still open")


def test_what_arrives_at_once_is_bounded() -> None:
    """Half bodies fill the memory up to a bound; what comes then is refused, and goes again when they have arrived."""

    def message(size: int, *, more: bool) -> Message:
        return {"type": "http.request", "body": b"x" * size, "more_body": more}

    async def read(bodies: Bodies, messages: asyncio.Queue[Message]) -> int:
        async with bodies.read(messages.get) as body:
            return len(body)

    async def run() -> None:
        bodies = Bodies(Settings(max_arriving_bytes=1000, read_seconds=30))
        first: asyncio.Queue[Message] = asyncio.Queue()
        second: asyncio.Queue[Message] = asyncio.Queue()
        first.put_nowait(message(900, more=True))
        slow = asyncio.ensure_future(read(bodies, first))
        while not first.empty():
            await asyncio.sleep(0)
        second.put_nowait(message(200, more=True))
        with pytest.raises(Problem, match="too many bytes arrive at once"):
            await read(bodies, second)
        first.put_nowait(message(1, more=False))
        assert await slow == 901
        for more in (True, False):
            second.put_nowait(message(400, more=more))
        assert await read(bodies, second) == 800

    asyncio.run(run())


def test_a_thousand_idle_connections_keep_nobody_out(service: Service) -> None:
    clients = [open_socket(service) for _ in range(1000)]
    try:
        assert service.ask("/v1/compress", SMALL).status == 200
        assert service.ask("/health").status == 200
    finally:
        for client in clients:
            client.close()


def test_more_connections_than_there_may_be_are_told_to_come_again() -> None:
    with serving_here(Settings(workers=1, max_connections=8)) as port:
        clients = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(9)]
        clients[8].sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = clients[8].recv(1000).lower()
        assert answer.startswith(b"http/1.1 503")
        assert b"retry-after: 1" in answer
        for client in clients:
            client.close()


@contextlib.contextmanager
def serving_here(settings: Settings) -> Iterator[int]:
    """The port of a service with settings that the command line does not have, in a process of its own."""
    code = "import pickle, sys; from laconic.serve.server import serve; "
    code += "serve(pickle.load(sys.stdin.buffer), port=0, log=lambda line: print(line, flush=True))"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(pickle.dumps(settings))
        process.stdin.close()
        found = re.search(rb"http://127.0.0.1:(\d+)/", process.stdout.readline())
        assert found
        yield int(found[1])
        process.terminate()


def test_who_does_not_take_an_answer_is_cut_off(service: Service) -> None:
    text = (
        "The city council, which had been debating the plan since March, voted on Tuesday evening to close the old "
        "harbour bridge to cars next spring, although shop owners on both sides had asked for more time."
    )
    body = {"texts": [text] * 64, "k": 100, "explain": True}  # some megabytes, more than the kernel buffers
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(30)
    client.connect(("127.0.0.1", service.port))
    answered = service.metric("laconic_request_seconds_count")
    client.sendall(raw(body))
    service.wait_for("laconic_request_seconds_count", answered + 1)
    assert is_held(service, client.getsockname()[1])
    try:
        for _ in range(400):
            if not is_held(service, client.getsockname()[1]):
                break
            service.wait_for("laconic_workers", 1)
        else:
            raise AssertionError("the connection is still open")
    finally:
        client.close()
    assert service.ask("/v1/compress", SMALL).status == 200


def is_held(service: Service, port: int) -> bool:
    """Whether a process still has the end of a connection that the service has to a client's port."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    ends = {(int(row[1].split(":")[1], 16), int(row[2].split(":")[1], 16)): row[9] for row in rows}
    return ends.get((service.port, port), "0") != "0"


def test_what_a_killed_worker_had_is_tried_once_more(service: Service, threads: ThreadPoolExecutor) -> None:
    restarts = service.metric("laconic_worker_restarts_total")
    answer = begun(service, threads, {"texts": LONG["texts"][:400]})
    (worker,) = service.workers()
    os.kill(worker, signal.SIGKILL)
    assert answer.result().status == 200
    assert len(answer.result().data["results"]) == 400
    assert service.metric("laconic_worker_restarts_total") == restarts + 1
    assert service.workers() != [worker]


def test_what_kills_two_workers_is_an_error_and_the_rest_is_answered(
    service: Service, threads: ThreadPoolExecutor
) -> None:
    answer = begun(service, threads)
    other = threads.submit(service.ask, "/v1/compress", SMALL)
    service.wait_for("laconic_waiting_requests", 1)
    for _ in range(2):
        (worker,) = service.workers()
        together = service.metric("laconic_requests_together_count")
        os.kill(worker, signal.SIGKILL)
        service.wait_for("laconic_requests_together_count", together + 1)
    assert (answer.result().status, answer.result().data["type"]) == (500, "urn:laconic:problem:worker-lost")
    assert other.result().status == 200


def test_sigterm_finishes_what_was_accepted(threads: ThreadPoolExecutor) -> None:
    with serving("--workers", "2") as service:
        body = {"texts": LONG["texts"][:200]}
        answers = [begun(service, threads, body) for _ in range(2)]
        answers += [threads.submit(service.ask, "/v1/compress", body) for _ in range(4)]
        service.wait_for("laconic_waiting_requests", 4)
        workers = service.workers()
        assert service.end() == 0
        assert [each.result().status for each in answers] == [200] * 6
        assert not any(Path(f"/proc/{worker}").exists() for worker in workers)


def test_workers_do_not_outlive_a_service_that_is_killed() -> None:
    with serving("--workers", "1") as service:
        (worker,) = service.workers()
        service.process.kill()
        service.process.wait()
        for _ in range(200):
            if not Path(f"/proc/{worker}").exists():
                break
            signal.sigtimedwait([], 0.05)
        else:
            raise AssertionError("the worker is still there")


def test_an_answer_that_takes_too_long_is_given_up(threads: ThreadPoolExecutor) -> None:
    with serving("--workers", "1", "--seconds", "0.5") as service:
        answer = service.ask("/v1/compress", LONG)
        assert (answer.status, answer.data["type"]) == (504, "urn:laconic:problem:timeout")
        assert service.metric("laconic_texts_total") == 0
        for _ in range(10):  # the worker notices soon that nobody waits
            if service.ask("/v1/compress", SMALL).status == 200:
                break
        else:
            raise AssertionError("the worker is stuck")
