"""Items for raters, and the server of their page as a process of its own."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any


def item(name: str, sentence: str, *compressions: str) -> dict:
    """An item for raters; a compression is given as "system k text"."""
    parts = [each.split(maxsplit=2) for each in compressions]
    outputs = [{"system": system, "k": int(k), "text": text} for system, k, text in parts]
    return {"id": name, "sentence": sentence, "compressions": outputs}


ITEMS = [
    item(
        "harbour",
        "The council closed the old harbour bridge to lorries on Tuesday after engineers found cracks.",
        "extractive 1 The council closed the harbour bridge to lorries.",
        "ilp 1 The council closed the bridge after engineers found.",
        "topdown 1 The council closed the  harbour bridge to lorries.",
        "topdown 2 The council closed the <b>old</b> bridge.",
        "nss 1 The council closed the bridge & lorries.",
    ),
    item(
        "hikers",
        "Two hikers who had been missing since Sunday were found safe by a rescue team this morning.",
        "extractive 1 Two hikers were found safe.",
        "ilp 1 Two hikers who had been missing were found.",
        "topdown 1 Two hikers were found safe by a rescue team.",
    ),
    item(
        "shares",
        "Shares of the shipping group fell 6 percent after it cut its forecast for the year.",
        "extractive 1 Shares of the shipping group fell 6 percent.",
        "ilp 1 Shares fell after it cut.",
        "topdown 1 Shares of the shipping group fell.",
    ),
]


MARKS = sum(2 * len({" ".join(c["text"].split()) for c in item["compressions"]}) for item in ITEMS)


def write_items(path: Path, items: Sequence[Any] = ITEMS) -> Path:
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return path


class Server:
    """`laconic rate` as a process of its own."""

    def __init__(self, items: Path, db: Path, port: int = 0) -> None:
        command = [sys.executable, "-m", "laconic", "rate", str(items), "--db", str(db), "--port", str(port)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr
        said = self.process.stderr.readline()
        found = re.search(r"http://\S+", said)
        assert found, said
        self.url = found[0]

    def ask(self, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def end(self, how: int = signal.SIGKILL) -> int:
        self.process.send_signal(how)
        status = self.process.wait(30)
        assert self.process.stderr
        self.process.stderr.close()
        return status


@contextlib.contextmanager
def running(items: Path, db: Path, port: int = 0) -> Iterator[Server]:
    server = Server(items, db, port)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.end()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
