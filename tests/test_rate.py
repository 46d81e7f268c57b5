"""Items, the database of ratings and the server of the raters' page."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from rating import ITEMS, MARKS, running

from laconic.errors import LaconicError
from laconic.rate import SCALES, Item, Output, Store, fingerprint, read_items
from laconic.rate.server import make_app, serve

# --- items -----------------------------------------------------------------------------------------------------------


def test_items_are_read_plain_and_gzipped(tmp_path: Path, items_file: Path) -> None:
    items = read_items(items_file)
    assert [item.id for item in items] == ["harbour", "hikers", "shares"]
    assert items[1].outputs[1] == Output("ilp", 1, "Two hikers who had been missing were found.")
    (tmp_path / "items.jsonl.gz").write_bytes(gzip.compress(items_file.read_bytes()))
    assert read_items(tmp_path / "items.jsonl.gz") == items
    assert fingerprint(read_items(tmp_path / "items.jsonl.gz")) == fingerprint(items)


def test_a_text_that_two_systems_printed_is_one_text(items_file: Path) -> None:
    texts = read_items(items_file)[0].texts
    assert len(texts) == 4
    assert list(texts) == sorted(texts)  # says nothing about the systems


GOOD = json.dumps(ITEMS[0])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"id": "1", ', "no JSON"),
        ("[1, 2]", "no JSON object"),
        ("[" * 100_000, "nested too deep"),
        ('{"sentence": "Rain fell.", "compressions": [{"system": "a", "k": 1, "text": "Rain."}]}', "no text for 'id'"),
        ('{"id": 7, "sentence": "Rain.", "compressions": [{"system": "a", "k": 1, "text": "R"}]}', "no text for 'id'"),
        ('{"id": "1", "sentence": " ", "compressions": [{"system": "a", "k": 1, "text": "R"}]}', "'sentence'"),
        ('{"id": "1", "sentence": "Rain fell.", "compressions": []}', "no list of compressions"),
        ('{"id": "1", "sentence": "Rain fell.", "compressions": ["Rain."]}', "no JSON object"),
        ('{"id": "1", "sentence": "Rain.", "compressions": [{"system": "a", "k": 0, "text": "R"}]}', "k is no number"),
        ('{"id": "1", "sentence": "Rain.", "compressions": [{"system": "a", "k": true, "text": "R"}]}', "k is no"),
        ('{"id": "1", "sentence": "Rain.", "compressions": [{"system": "a", "k": 1}]}', "'text'"),
        ('{"id": "1", "sentence": "\\ud800", "compressions": [{"system": "a", "k": 1, "text": "R"}]}', "surrogate"),
        (
            '{"id": "1", "sentence": "Rain.", "compressions": [{"system": "a", "k": 1, "text": "R"}, '
            '{"system": "a", "k": 1, "text": "S"}]}',
            "two compressions of the system 'a' with k 1",
        ),
        (GOOD, "the id 'harbour' is that of line 1 too"),
    ],
)
def test_a_malformed_line_is_named_with_reason_and_remedy(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(f"{GOOD}\n\n{line}\n")
    with pytest.raises(LaconicError, match=re.escape(reason)) as caught:
        read_items(path)
    assert f"{path}:3: " in str(caught.value)
    assert "a line is {" in str(caught.value)


def test_files_without_items_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LaconicError, match=r"absent\.jsonl.*check"):
        read_items(tmp_path / "absent.jsonl")
    with pytest.raises(LaconicError, match="check"):
        read_items(tmp_path)
    (tmp_path / "empty.jsonl").write_text("\n \n")
    with pytest.raises(LaconicError, match="has no items"):
        read_items(tmp_path / "empty.jsonl")
    (tmp_path / "latin.jsonl").write_bytes(b'{"id": "\xe9"}\n')
    with pytest.raises(LaconicError, match="UTF-8"):
        read_items(tmp_path / "latin.jsonl")
    for name, content in [("plain.gz", GOOD.encode()), ("half.gz", gzip.compress(GOOD.encode() * 99)[:-20])]:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(LaconicError, match="check"):
            read_items(tmp_path / name)


# --- the database ----------------------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path, items_file: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "ratings.sqlite", read_items(items_file), source="items.jsonl") as opened:
        yield opened


def test_a_changed_rating_takes_the_place_of_the_first(store: Store) -> None:
    store.save("Anna", 0, 1, "readability", 2)
    store.save("Ben", 0, 1, "readability", 3)
    store.save("Anna", 0, 1, "readability", 5)
    assert store.ratings_of("Anna") == {(0, 1, "readability"): 5}
    assert [(rating.rater, rating.value) for rating in store.ratings()] == [("Anna", 5), ("Ben", 3)]


def test_spellings_of_a_name_are_one_rater(store: Store) -> None:
    store.save("Anna  Müller", 0, 0, "readability", 4)
    store.save(" anna mu\u0308ller ", 0, 1, "readability", 3)
    assert {rating.rater for rating in store.ratings()} == {"Anna Müller"}
    assert store.known_name("ANNA MÜLLER") == "Anna Müller"
    for name in ["", "  ", "x" * 61, "a\0b"]:
        with pytest.raises(LaconicError, match="give 1 to 60"):
            store.save(name, 0, 0, "readability", 4)


def test_the_database_refuses_what_is_no_rating(store: Store) -> None:
    for item, text, scale, value in [(9, 0, SCALES[0], 3), (0, 9, SCALES[0], 3), (0, 0, SCALES[0], 6), (0, 0, "x", 3)]:
        with pytest.raises(sqlite3.IntegrityError):
            store.save("Anna", item, text, scale, value)  # type: ignore[arg-type]
    assert store.ratings() == []


def test_every_rating_is_synced_to_the_disk(store: Store) -> None:
    assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


def test_blind_order_is_stable_and_differs_between_raters(tmp_path: Path, store: Store) -> None:
    raters = [f"rater {i}" for i in range(40)]
    orders = [store.blind_order(rater, 0) for rater in raters]
    assert orders == [store.blind_order(rater.upper(), 0) for rater in raters]
    assert len(set(map(tuple, orders))) > 10
    assert {order[0] for order in orders} == {0, 1, 2, 3}
    with Store.open(tmp_path / "other.sqlite", store.items, source="items.jsonl", seed=1) as other:
        assert [other.blind_order(rater, 0) for rater in raters] != orders


def test_the_same_items_resume_and_others_are_refused(tmp_path: Path, store: Store) -> None:
    store.save("Anna", 0, 0, "readability", 4)
    with Store.open(store.path, store.items, source="again.jsonl") as again:
        assert len(again.ratings()) == 1
    with pytest.raises(LaconicError, match=r"items\.jsonl: 3 items.*fewer\.jsonl \(2 items.*give another db"):
        Store.open(store.path, store.items[:2], source="fewer.jsonl")
    changed = (*store.items[:2], Item("shares", "Another sentence.", store.items[2].outputs))
    with pytest.raises(LaconicError, match="other items"):
        Store.open(store.path, changed, source="changed.jsonl")
    with pytest.raises(LaconicError, match="began with the seed 0, not 7: leave out seed"):
        Store.open(store.path, store.items, source="items.jsonl", seed=7)


def test_the_database_alone_has_the_study(store: Store) -> None:
    store.save("Anna", 2, 0, "informativeness", 1)
    with Store.read(store.path) as read:  # while the other one is open
        assert read.items == store.items
        assert read.ratings() == store.ratings()
        with pytest.raises(sqlite3.OperationalError):
            read.save("Anna", 2, 0, "informativeness", 2)


def test_other_files_are_no_database_of_ratings(tmp_path: Path, items_file: Path) -> None:
    items = read_items(items_file)
    foreign = tmp_path / "foreign.sqlite"
    with contextlib.closing(sqlite3.connect(foreign)) as connection:
        connection.execute("CREATE TABLE notes (text)")
    before = foreign.read_bytes()
    for path, reason in [(items_file, "no SQLite database"), (foreign, "another program"), (tmp_path, "cannot use")]:
        with pytest.raises(LaconicError, match=reason):
            Store.open(path, items, source="items.jsonl")
        with pytest.raises(LaconicError, match=reason):
            Store.read(path)
    assert foreign.read_bytes() == before
    with pytest.raises(LaconicError, match="folder may be written to"):
        Store.open(tmp_path / "absent" / "ratings.sqlite", items, source="items.jsonl")
    with pytest.raises(LaconicError, match="does not exist"):
        Store.read(tmp_path / "absent.sqlite")
    (tmp_path / "nothing.sqlite").touch()
    with pytest.raises(LaconicError, match="is empty"):
        Store.read(tmp_path / "nothing.sqlite")


# --- the server ------------------------------------------------------------------------------------------------------


@pytest.fixture
def client(store: Store) -> Iterator[TestClient]:
    with TestClient(make_app(store), base_url="http://localhost:8000") as opened:
        yield opened


def rating(store: Store, **changes: object) -> dict[str, object]:
    new = {"study": store.fingerprint, "rater": "Anna", "item": 0, "text": 0, "scale": "readability", "value": 4}
    return new | changes


def test_a_rater_gets_texts_and_own_ratings_and_no_more(client: TestClient, store: Store) -> None:
    assert client.post("/api/ratings", json=rating(store)).json() == {"saved": True}
    client.post("/api/ratings", json=rating(store, rater="Ben", text=1))
    answer = client.get("/api/study", params={"rater": "Anna"})
    texts = answer.json()["items"][0]["texts"]
    assert [text["text"] for text in texts] == store.blind_order("Anna", 0)
    assert [text["readability"] for text in texts if text["readability"]] == [4]
    assert answer.json() == client.get("/api/study", params={"rater": "anna"}).json()
    for secret in ["extractive", "ilp", "topdown", "nss", 'harbour"', 'hikers"', '"k"', "Ben"]:
        assert secret not in answer.text


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"value": 0}, 422),
        ({"value": 6}, 422),
        ({"value": "4"}, 422),
        ({"value": True}, 422),
        ({"scale": "beauty"}, 422),
        ({"more": 1}, 422),
        ({"item": -1}, 422),
        ({"item": 3}, 404),
        ({"text": 4}, 404),
        ({"item": 10**30}, 404),
        ({"study": "another"}, 409),
        ({"rater": " "}, 400),
        ({"rater": "x" * 5000}, 413),
    ],
)
def test_what_is_no_rating_is_refused(
    client: TestClient, store: Store, changes: dict[str, object], status: int
) -> None:
    assert client.post("/api/ratings", json=rating(store, **changes)).status_code == status
    assert store.ratings() == []


def test_other_sites_can_neither_post_nor_read(client: TestClient, store: Store) -> None:
    def post(**headers: str) -> int:
        return client.post("/api/ratings", json=rating(store), headers=headers).status_code

    assert post(origin="https://evil.example") == 403
    assert post(origin="http://localhost:9999") == 403
    assert post(origin="null") == 403
    assert post(origin="http://[") == 403
    assert post(host="evil.example:8000") == 403  # a foreign name that leads here
    assert client.get("/api/study?rater=Anna", headers={"host": "evil.example"}).status_code == 403
    body = json.dumps(rating(store))
    for kind in ["text/plain", "application/x-www-form-urlencoded", ""]:
        assert client.post("/api/ratings", content=body, headers={"content-type": kind}).status_code == 415
    assert client.post("/api/ratings", content=iter([body.encode()]),
                       headers={"content-type": "application/json"}).status_code == 411  # fmt: skip
    assert store.ratings() == []
    assert post(origin="http://localhost:8000") == 200
    assert post(origin="http://127.0.0.1:8000", host="127.0.0.1:8000") == 200
    assert post(origin="http://[::1]:8000", host="[::1]:8000") == 200


def test_a_server_for_other_machines_takes_their_names_but_no_other_origins(store: Store) -> None:
    with TestClient(make_app(store, any_host=True), base_url="http://lab.example:8000") as client:
        assert client.get("/").status_code == 200
        posted = [
            client.post("/api/ratings", json=rating(store), headers={"origin": origin}).status_code
            for origin in ["http://lab.example:8000", "http://evil.example"]
        ]
    assert posted == [200, 403]


def test_the_page_needs_nothing_from_elsewhere(client: TestClient) -> None:
    answer = client.get("/")
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert not re.search(r"(src|href)=\"(?!data:)|url\(|@import|https?://", answer.text)
    assert client.get("/docs").status_code == client.get("/openapi.json").status_code == 404


def test_a_database_that_is_away_is_said_so(client: TestClient, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(store, "save", fail)
    answer = client.post("/api/ratings", json=rating(store))
    assert answer.status_code == 503
    assert "disk is full" in answer.json()["detail"]


# --- the process -----------------------------------------------------------------------------------------------------


def marks(study: Any) -> list[dict[str, Any]]:
    """Everything that there is to rate, as the page would send it."""
    return [
        {"study": study["study"], "rater": study["rater"], "item": number, "text": text["text"], "scale": scale}
        for number, item in enumerate(study["items"])
        for text in item["texts"]
        for scale in SCALES
    ]


def test_no_rating_is_lost_when_the_server_is_killed(tmp_path: Path, items_file: Path) -> None:
    db = tmp_path / "ratings.sqlite"
    expected = {}
    for value in [1, 2, 3]:  # killed three times
        with running(items_file, db) as server:
            todo = marks(server.ask("api/study?rater=Anna"))
            for mark in todo[len(expected) :][: 5 * value]:
                assert server.ask("api/ratings", mark | {"value": value}) == {"saved": True}
                expected[mark["item"], mark["text"], mark["scale"]] = value
            assert server.end(signal.SIGKILL) == -signal.SIGKILL
        with Store.read(db) as store:
            assert store.ratings_of("Anna") == expected
    with running(items_file, db) as server:
        found = [
            text[scale]
            for item in server.ask("api/study?rater=Anna")["items"]
            for text in item["texts"]
            for scale in SCALES
        ]
        assert found[:MARKS] == ([1] * 5 + [2] * 10 + [3] * 15)[:MARKS]


def test_several_raters_and_two_servers_at_once(tmp_path: Path, items_file: Path) -> None:
    db = tmp_path / "ratings.sqlite"
    with running(items_file, db) as one, running(items_file, db) as two:

        def rate_all(number: int) -> int:
            server = (one, two)[number % 2]
            todo = marks(server.ask(f"api/study?rater=rater{number}"))
            for mark in todo:
                server.ask("api/ratings", mark | {"value": 1 + number % 5})
            return len(todo)

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(rate_all, range(8))) == [MARKS] * 8
        with Store.read(db) as store:
            for number in range(8):
                assert list(store.ratings_of(f"rater{number}").values()) == [1 + number % 5] * MARKS


def test_an_interrupt_stops_the_server_and_leaves_one_file(tmp_path: Path, items_file: Path) -> None:
    db = tmp_path / "ratings.sqlite"
    with running(items_file, db) as server:
        server.ask("api/ratings", marks(server.ask("api/study?rater=Anna"))[0] | {"value": 5})
        assert server.end(signal.SIGINT) == 0
    assert [path.name for path in tmp_path.glob("ratings*")] == ["ratings.sqlite"]
    with Store.read(db) as store:
        assert len(store.ratings()) == 1


def refused(*arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", "laconic", "rate", *arguments], capture_output=True, text=True,
                          check=False, timeout=60)  # fmt: skip
    assert done.returncode == 2, done
    assert done.stderr.startswith("laconic: ")
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_a_busy_port_is_one_clear_line_and_makes_no_database(tmp_path: Path, items_file: Path) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = str(busy.getsockname()[1])
        said = refused(str(items_file), "--db", str(tmp_path / "ratings.sqlite"), "--port", port)
    assert port in said
    assert "give another --port" in said
    assert not (tmp_path / "ratings.sqlite").exists()


def test_bad_addresses_and_seeds_are_refused(tmp_path: Path, items_file: Path) -> None:
    db = tmp_path / "ratings.sqlite"
    for options, reason in [
        ({"host": "no.such.host.invalid"}, "unknown host"),
        ({"host": "192.0.2.1"}, "address of this machine"),
        ({"port": 70000}, "no port 70000"),
        ({"port": 0, "seed": 2**64}, "the seed"),
        ({"port": 0, "seed": -1}, "the seed"),
    ]:
        with pytest.raises(LaconicError, match=reason):
            serve(items_file, db, **options)  # type: ignore[arg-type]


def test_a_server_that_others_reach_says_that_there_is_no_authentication(tmp_path: Path, items_file: Path) -> None:
    command = [sys.executable, "-m", "laconic", "rate", str(items_file), "--db", str(tmp_path / "r.sqlite")]
    with subprocess.Popen([*command, "--host", "0.0.0.0", "--port", "0"], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        try:
            assert "no authentication" in process.stderr.readline()
            assert "http://0.0.0.0:" in process.stderr.readline()
        finally:
            process.kill()


def test_without_fastapi_the_command_says_what_to_install(tmp_path: Path, items_file: Path) -> None:
    (tmp_path / "fastapi.py").write_text("raise ImportError")
    (tmp_path / "pingouin.py").write_text("raise ImportError")
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    for arguments in [["rate", str(items_file), "--db", "r.sqlite"], ["ratings", "r.sqlite"]]:
        done = subprocess.run([sys.executable, "-m", "laconic", *arguments], capture_output=True, text=True,
                              check=False, env=os.environ | {"PYTHONPATH": paths}, timeout=60)  # fmt: skip
        assert done.returncode == 2
        assert done.stderr.endswith('pip install "laconic[ratings]"\n')


def test_other_commands_do_not_wait_for_the_raters_libraries() -> None:
    code = (
        "import sys, laconic.cli; print([m for m in ('fastapi', 'uvicorn', 'pingouin', 'sqlite3') if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"
