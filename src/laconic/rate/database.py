"""Store ratings in an SQLite file, together with the rated items, so that the file contains the whole study.

A rating is on disk before `save` returns: write-ahead log, synchronous=FULL, one transaction per rating.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self

from laconic.errors import LaconicError
from laconic.rate.items import Item, Output, fingerprint

Scale = Literal["readability", "informativeness"]
SCALES: Final[tuple[Scale, ...]] = ("readability", "informativeness")
MAX_NAME: Final = 60

#: "laco": the application id of our SQLite files.
_APPLICATION: Final = 0x6C61636F
_VERSION: Final = 1
_BUSY_SECONDS: Final = 20.0
_SCHEMA: Final = """
CREATE TABLE study (fingerprint TEXT NOT NULL, source TEXT NOT NULL, seed INTEGER NOT NULL);
CREATE TABLE items (item INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, sentence TEXT NOT NULL);
CREATE TABLE texts (item INTEGER NOT NULL REFERENCES items, text INTEGER NOT NULL, content TEXT NOT NULL,
    PRIMARY KEY (item, text));
CREATE TABLE outputs (output INTEGER PRIMARY KEY, item INTEGER NOT NULL, text INTEGER NOT NULL, system TEXT NOT NULL,
    k INTEGER NOT NULL, UNIQUE (item, system, k), FOREIGN KEY (item, text) REFERENCES texts);
CREATE TABLE raters (rater INTEGER PRIMARY KEY, folded TEXT NOT NULL UNIQUE, name TEXT NOT NULL);
CREATE TABLE ratings (rater INTEGER NOT NULL REFERENCES raters, item INTEGER NOT NULL, text INTEGER NOT NULL,
    scale TEXT NOT NULL CHECK (scale IN ('readability', 'informativeness')),
    value INTEGER NOT NULL CHECK (value BETWEEN 1 AND 5), rated_at TEXT NOT NULL,
    PRIMARY KEY (rater, item, text, scale), FOREIGN KEY (item, text) REFERENCES texts);
"""


@dataclass(frozen=True, slots=True)
class Rating:
    """One rater's rating of one text on one scale; `item` and `text` count from 0."""

    rater: str
    item: int
    text: int
    scale: Scale
    value: int


class Store:
    """An open database, with one connection that is shared by the threads of a server, one statement at a time."""

    items: tuple[Item, ...]
    fingerprint: str
    seed: int

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._lock = threading.RLock()

    @classmethod
    def open(cls, path: Path, items: Sequence[Item], *, source: str, seed: int | None = None) -> Store:
        """Open the ratings of these items, or create them. `source` names the items in later error messages."""
        with _explained(path, "check that the file and its folder may be written to"):
            store = cls(path, _connect(path, "rwc"))
            try:
                store._prepare(items, source, seed)
            except BaseException:
                store.close()
                raise
            return store

    @classmethod
    def read(cls, path: Path) -> Store:
        """Open ratings for reading, even while a server writes to them."""
        if not path.exists():
            raise LaconicError(f"{path} does not exist: give the db of laconic rate", db=None)
        with _explained(path, "give a database that laconic rate wrote"):
            store = cls(path, _connect(path, "ro"))
            try:
                if not store._is_started():
                    raise LaconicError(f"{path} is empty: give a database that laconic rate wrote")
                store._load()
            except BaseException:
                store.close()
                raise
            return store

    def save(self, rater: str, item: int, text: int, scale: Scale, value: int) -> None:
        """Store a rating, replacing the rater's previous one."""
        name = rater_name(rater)
        with self._lock, self._transaction():
            self._connection.execute(
                "INSERT INTO raters (folded, name) VALUES (?, ?) ON CONFLICT (folded) DO NOTHING", (fold(name), name)
            )
            self._connection.execute(
                "INSERT INTO ratings SELECT rater, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now') FROM raters "
                "WHERE folded = ? ON CONFLICT (rater, item, text, scale) "
                "DO UPDATE SET value = excluded.value, rated_at = excluded.rated_at",
                (item, text, scale, value, fold(name)),
            )

    def ratings(self) -> list[Rating]:
        """All ratings, by rater and item."""
        return self._ratings("", ())

    def ratings_of(self, rater: str) -> Mapping[tuple[int, int, Scale], int]:
        """The values given by a rater, by item, text and scale."""
        rows = self._ratings("WHERE folded = ?", (fold(rater_name(rater)),))
        return {(row.item, row.text, row.scale): row.value for row in rows}

    def known_name(self, rater: str) -> str:
        """A rater's name as first written; names are case-insensitive."""
        name = rater_name(rater)
        with self._lock:
            row = self._connection.execute("SELECT name FROM raters WHERE folded = ?", (fold(name),)).fetchone()
        return str(row[0]) if row else name

    def blind_order(self, rater: str, item: int) -> list[int]:
        """The texts of an item in the order shown to the rater: random, but always the same."""
        who, what = fold(rater_name(rater)), self.items[item]
        texts = what.texts

        def drawn(text: int) -> bytes:
            return hashlib.sha256(repr((self.seed, who, what.id, texts[text])).encode()).digest()

        return sorted(range(len(texts)), key=drawn)

    def close(self) -> None:
        """Close the file; the last connection to close merges the write-ahead log into it."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ratings(self, condition: str, parameters: tuple[str, ...]) -> list[Rating]:
        query = f"SELECT name, item, text, scale, value FROM ratings JOIN raters USING (rater) {condition}"
        with self._lock:
            rows = self._connection.execute(f"{query} ORDER BY rater, item, text, scale", parameters).fetchall()
        return [Rating(*row) for row in rows]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def _prepare(self, items: Sequence[Item], source: str, seed: int | None) -> None:
        self._is_started()  # refuses foreign files before changing anything
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("PRAGMA foreign_keys = ON")
        with self._transaction():  # if two servers start at once, one fills the file and the other finds it filled
            if not self._is_started():
                self._fill(items, source, 0 if seed is None else seed)
        wanted = fingerprint(items)
        held, held_source, held_seed, count = self._connection.execute(
            "SELECT fingerprint, source, seed, (SELECT count(*) FROM items) FROM study"
        ).fetchone()
        if held != wanted:
            raise LaconicError(
                f"{self.path} has ratings of other items ({held_source}: {count} items, fingerprint {held}) than "
                f"{source} ({len(items)} items, fingerprint {wanted}): give another db, or the items it began with",
                db=None,
            )
        if seed is not None and seed != held_seed:
            raise LaconicError(
                f"{self.path} began with the seed {held_seed}, not {seed}: leave out seed, or give another db",
                seed=None,
                db=None,
            )
        self._load()

    def _is_started(self) -> bool:
        """Whether the file contains a study; raises an error for files that cannot be filled."""
        application = self._connection.execute("PRAGMA application_id").fetchone()[0]
        version = self._connection.execute("PRAGMA user_version").fetchone()[0]
        tables = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not tables and not application:
            return False
        if application != _APPLICATION:
            raise LaconicError(f"{self.path} is a database of another program: give another file")
        if version != _VERSION:
            raise LaconicError(f"{self.path} was written by another version of laconic: use that one")
        return True

    def _fill(self, items: Sequence[Item], source: str, seed: int) -> None:
        for statement in filter(str.strip, _SCHEMA.split(";")):  # executescript would end the transaction
            self._connection.execute(statement)
        self._connection.execute("INSERT INTO study VALUES (?, ?, ?)", (fingerprint(items), source, seed))
        for number, item in enumerate(items):
            self._connection.execute("INSERT INTO items VALUES (?, ?, ?)", (number, item.id, item.sentence))
            self._connection.executemany(
                "INSERT INTO texts VALUES (?, ?, ?)", [(number, i, text) for i, text in enumerate(item.texts)]
            )
            self._connection.executemany(
                "INSERT INTO outputs (item, text, system, k) VALUES (?, ?, ?, ?)",
                [(number, item.texts.index(o.text), o.system, o.k) for o in item.outputs],
            )
        self._connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        self._connection.execute(f"PRAGMA user_version = {_VERSION}")

    def _load(self) -> None:
        self.fingerprint, self.seed = self._connection.execute("SELECT fingerprint, seed FROM study").fetchone()
        outputs: dict[int, list[Output]] = {}
        for item, system, k, content in self._connection.execute(
            "SELECT item, system, k, content FROM outputs JOIN texts USING (item, text) ORDER BY output"
        ):
            outputs.setdefault(item, []).append(Output(system, k, content))
        rows = self._connection.execute("SELECT item, id, sentence FROM items ORDER BY item")
        self.items = tuple(Item(id, sentence, tuple(outputs[item])) for item, id, sentence in rows)  # noqa: A001


def rater_name(name: str) -> str:
    """A rater's name as stored."""
    tidy = " ".join(unicodedata.normalize("NFC", name).split())
    if not tidy or len(tidy) > MAX_NAME or not tidy.isprintable():
        raise LaconicError(f"the name {name[: MAX_NAME + 1]!r} is invalid: give 1 to {MAX_NAME} printable characters")
    return tidy


def fold(name: str) -> str:
    """The case-insensitive form of a name."""
    return name.casefold()


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    # As a URI, since a bare ":memory:" would store the ratings nowhere.
    address = path.absolute().as_uri()
    connection = sqlite3.connect(
        f"{address}?mode={mode}", uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    if mode == "ro":
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError:
            # In a read-only folder, SQLite can open a write-ahead database only if told that nobody writes to it;
            # without a log file, nobody does.
            connection.close()
            if Path(f"{path}-wal").exists():
                raise
            connection = sqlite3.connect(f"{address}?immutable=1", uri=True, isolation_level=None)
    return connection


@contextmanager
def _explained(path: Path, remedy: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorname", "") == "SQLITE_NOTADB":
            raise LaconicError(f"{path} is no SQLite database: give another file") from error
        raise LaconicError(f"cannot use {path} as a database of ratings ({error}): {remedy}") from error
