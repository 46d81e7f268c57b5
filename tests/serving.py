"""A service in a process of its own, and what asks it."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

POLICE = "The police said the man who robbed a bank in Arizona was arrested at his home late Friday."
#: Takes a worker some seconds.
LONG = {"texts": [f"{POLICE} It was number {i}." for i in range(900)]}


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)


@dataclass
class Service:
    process: subprocess.Popen[str]
    url: str
    said: list[str] = field(default_factory=list)

    @property
    def port(self) -> int:
        return int(urlsplit(self.url).port or 0)

    def ask(
        self, path: str, body: Any = None, *, method: str | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """An answer, whatever its status; a body that is not bytes is sent as JSON."""
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        own = {"Content-Type": "application/json"} if body is not None else {}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method or ("GET" if body is None else "POST"), path, data, {**own, **(headers or {})})
            found = connection.getresponse()
            return Answer(found.status, {name.lower(): value for name, value in found.getheaders()}, found.read())
        finally:
            connection.close()

    def metric(self, name: str) -> float:
        lines = self.ask("/metrics").body.decode().splitlines()
        return sum(float(line.split()[-1]) for line in lines if re.match(rf"{name}(?:{{|\s)", line))

    def wait_for(self, name: str, least: float) -> float:
        """The value of a metric once it is large enough; the test's own time limit ends what never comes."""
        waiting = threading.Event()
        for _ in range(600):
            if (value := self.metric(name)) >= least:
                return value
            waiting.wait(0.05)
        raise AssertionError(f"{name} stays below {least}")

    def workers(self) -> list[int]:
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)


@contextlib.contextmanager
def serving(*options: str, key: str | None = None) -> Iterator[Service]:
    command = [sys.executable, "-m", "laconic", "serve", "--port", "0", *options]
    environment = {name: value for name, value in os.environ.items() if name != "LACONIC_API_KEY"}
    if key is not None:
        environment["LACONIC_API_KEY"] = key
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        said: list[str] = []
        for line in process.stderr:
            said.append(line)
            if found := re.search(r"open (http://\S+)", line):
                break
        else:
            raise AssertionError("".join(said))
        reading = threading.Thread(target=lambda: said.extend(process.stderr or ()), daemon=True)
        reading.start()
        try:
            yield Service(process, found[1], said)
        finally:
            if process.poll() is None:
                process.terminate()
            process.wait(60)
            reading.join(10)
