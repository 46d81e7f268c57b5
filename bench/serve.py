"""The service compared with the command and the call in Python: python bench/serve.py TEXTS [--seconds 10] [--turns 3]

TEXTS has one text on each line, or is JSON Lines with a field `text`. The client is a real HTTP client (aiohttp) over
loopback, which runs on the same cores as the service. Prints

- texts per second of `laconic compress --out` without its startup, and of the service with 1 and with 32 texts in each
  request, measured in turn, and with different options in every request; and the processor time of each text (of the
  command, or of service and client), which is more reliable if other programs run on the machine;
- the median time of one text of about 25 words, over HTTP and as a call, measured in turn;
- how requests are answered at four times the load that the service can handle, the memory, and the time of a request
  directly afterwards.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gzip
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import aiohttp

import laconic

LACONIC = [sys.executable, "-m", "laconic"]
OPTIONS = [{}, {"level": "short"}, {"max_chars": 80, "nearest": True}, {"k": 3}, {"rate": 0.5, "nearest": True}]


def read_texts(path: Path) -> list[str]:
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
        rows = [line.strip() for line in lines]
    texts = [json.loads(row)["text"] if row.startswith("{") else row for row in rows if row]
    return [" ".join(text.split()) for text in texts]


@contextlib.contextmanager
def serving(*options: str) -> Iterator[tuple[str, int]]:
    """The address of a service, and the number of its process."""
    with subprocess.Popen([*LACONIC, "serve", "--port", "0", *options], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        found = re.search(r"http://\S+", line)
        if found is None:
            raise SystemExit(line + process.stderr.read())
        try:
            yield found[0], process.pid
        finally:
            process.terminate()
            process.wait()


def memory(pid: int) -> float:
    """Megabytes that a process and its workers have to themselves."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    total = 0
    for each in [str(pid), *children]:
        fields = Path(f"/proc/{each}/smaps_rollup").read_text()
        total += sum(int(match) for match in re.findall(r"^Pss: +(\d+)", fields, re.MULTILINE))
    return total / 1024


def core_seconds(pid: int) -> dict[str, float]:
    """Seconds of a core that a service has used so far, by what it did."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    own = {each: Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split() for each in [str(pid), *children]}
    ticks = {each: (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") for each, fields in own.items()}
    front = ticks.pop(str(pid))
    return {"front": front, "workers": sum(ticks.values()), "client": time.process_time()}


def client(connections: int) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=connections), raise_for_status=False)


async def run_through(url: str, bodies: list[bytes], connections: int) -> float:
    """Seconds for all requests, each connection sending the next when it has its answer."""
    waiting = iter(bodies)

    async def send(session: aiohttp.ClientSession) -> None:
        for body in waiting:
            async with session.post(url, data=body, headers={"Content-Type": "application/json"}) as answer:
                await answer.read()
                assert answer.status == 200, answer.status

    async with client(connections) as session:
        began = time.perf_counter()
        await asyncio.gather(*(send(session) for _ in range(connections)))
        return time.perf_counter() - began


def bodies_of(texts: list[str], together: int, options: list[dict[str, object]]) -> list[bytes]:
    groups = [texts[i : i + together] for i in range(0, len(texts), together)]
    return [json.dumps({"texts": each, **options[i % len(options)]}).encode() for i, each in enumerate(groups)]


def run_command(texts: list[str]) -> tuple[float, float]:
    """Seconds that `laconic compress --out` takes, and seconds of a core that it uses."""
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "lines.txt"
        lines.write_text("\n".join(texts) + "\n", encoding="utf-8")
        began, before = time.perf_counter(), os.times()
        command = [*LACONIC, "compress", str(lines), "--out", str(Path(folder) / "out")]
        subprocess.run(command, check=True, capture_output=True)
        after = os.times()
        used = after.children_user + after.children_system - before.children_user - before.children_system
        return time.perf_counter() - began, used


def measure_throughput(texts: list[str], turns: int) -> None:
    ways = {
        "one text a request": bodies_of(texts, 1, [{}]),
        "32 texts a request": bodies_of(texts, 32, [{}]),
        "one text, five kinds of options by turns": bodies_of(texts, 1, OPTIONS),
    }
    command = "laconic compress --out"
    rates: dict[str, list[float]] = {name: [] for name in [command, *ways]}
    costs: dict[str, list[float]] = {name: [] for name in [command, *ways]}
    shares: dict[str, str] = {}
    with serving() as (url, pid):
        asyncio.run(run_through(f"{url}v1/compress", ways["32 texts a request"][:8], 4))
        for _ in range(turns):
            start, whole = run_command(texts[:1]), run_command(texts)
            rates[command].append(len(texts) / (whole[0] - start[0]))
            costs[command].append((whole[1] - start[1]) / len(texts))
            for name, bodies in ways.items():
                before = core_seconds(pid)
                took = asyncio.run(run_through(f"{url}v1/compress", bodies, 128 if len(bodies) > 128 else 8))
                used = {part: value - before[part] for part, value in core_seconds(pid).items()}
                rates[name].append(len(texts) / took)
                costs[name].append(sum(used.values()) / len(texts))
                shares[name] = ", ".join(f"{part} {value / len(texts) * 1000:.2f}" for part, value in used.items())
    for name, own in rates.items():
        rate, cost = statistics.median(own), statistics.median(costs[name])
        ratios = [each / base for each, base in zip(own, rates[command], strict=True)]
        cheaper = statistics.median(base / each for each, base in zip(costs[name], costs[command], strict=True))
        print(f"{name:42} {rate:6.0f} texts/s, {statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f}); "
              f"{cost * 1000:.2f} ms of a core, {cheaper:.2f} by that  {shares.get(name, '')}")  # fmt: skip


def measure_latency(texts: list[str], calls: int) -> None:
    text = min(texts, key=lambda each: abs(len(each.split()) - 25))
    compressor = laconic.load()
    compressor.compress(text)
    body = json.dumps({"texts": [text]}).encode()
    times: dict[str, list[float]] = {"call": [], "request": []}

    async def ask(url: str) -> None:
        async with client(1) as session:
            for _ in range(calls):
                began = time.perf_counter()
                compressor.compress(text)
                times["call"].append(time.perf_counter() - began)
                began = time.perf_counter()
                async with session.post(url, data=body, headers={"Content-Type": "application/json"}) as answer:
                    await answer.read()
                times["request"].append(time.perf_counter() - began)

    with serving() as (url, _):
        asyncio.run(ask(f"{url}v1/compress"))
    medians = {name: statistics.median(own[10:]) * 1000 for name, own in times.items()}
    ratio = medians["request"] / medians["call"]
    print(f"one text of {len(text.split())} words: call {medians['call']:.2f} ms, request {medians['request']:.2f} ms, "
          f"{ratio:.2f} times")  # fmt: skip


async def overload(url: str, bodies: list[bytes], rate: float, seconds: float) -> tuple[Counter[str], list[float]]:
    """Send requests at a rate, whatever becomes of them; then one after another."""
    found: Counter[str] = Counter()
    after: list[float] = []

    async def send(session: aiohttp.ClientSession, body: bytes) -> None:
        try:
            async with session.post(url, data=body, headers={"Content-Type": "application/json"}) as answer:
                await answer.read()
                busy = answer.status == 503 and "Retry-After" in answer.headers
                found["result" if answer.status == 200 else "503" if busy else str(answer.status)] += 1
        except (aiohttp.ClientError, OSError) as error:
            found[type(error).__name__] += 1

    async with client(2000) as session:
        sent: list[asyncio.Task[None]] = []
        began = time.perf_counter()
        while (now := time.perf_counter() - began) < seconds:
            while len(sent) < now * rate:
                sent.append(asyncio.ensure_future(send(session, bodies[len(sent) % len(bodies)])))
            await asyncio.sleep(0.002)
        found["sent"] = len(sent)
        await asyncio.gather(*sent)
        for body in bodies[:20]:
            began = time.perf_counter()
            await send(session, body)
            after.append(time.perf_counter() - began)
    found["result"] -= len(after)
    return found, after


def measure_overload(texts: list[str], seconds: float) -> None:
    bodies = bodies_of(texts, 4, [{}])
    with serving("--max-waiting", "128") as (url, pid):
        address = f"{url}v1/compress"
        bearable = len(bodies) / asyncio.run(run_through(address, bodies, 16))
        before = memory(pid)
        found, after = asyncio.run(overload(address, bodies, 4 * bearable, seconds))
        print(f"it bears {bearable:.0f} requests/s of 4 texts; at four times that for {seconds:g} s: {dict(found)}")
        print(f"memory {before:.0f} → {memory(pid):.0f} MB; after it, one request takes "
              f"{after[0] * 1000:.0f} ms at first, {statistics.median(after) * 1000:.0f} ms at the median")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path)
    parser.add_argument("--most", type=int, default=4000, help="texts of the throughput")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10, help="of overload")
    given = parser.parse_args()
    texts = read_texts(given.texts)
    many = (texts * (given.most // len(texts) + 1))[: given.most]
    print(f"{len(os.sched_getaffinity(0))} cores, {len(many)} texts, load {os.getloadavg()[0]:.1f}")
    measure_throughput(many, given.turns)
    measure_latency(texts, 200)
    measure_overload(many[:1000], given.seconds)


if __name__ == "__main__":
    main()
