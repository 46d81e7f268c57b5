"""Headlines with the first sentences of their articles, in every form of file."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

LEAD = "Popular mayor Ann Lee opened a new library near the old harbour of Bergen on Monday, officials said."


ROWS = [
    {"headline": "Ann Lee opens new library", "lead": LEAD, "url": "a"},
    {"headline": "Ann Lee opens new theatre", "lead": LEAD, "url": "b"},
    {"headline": "Ann Lee opens new library", "lead": LEAD, "url": "c"},
    {
        "headline": "Ferry will not sail on Friday",
        "lead": "The ferry between Bergen and Stavanger will not sail on Friday.",
        "url": "d",
    },
]


def write(path: Path, rows: list[dict[str, str]]) -> Path:
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    elif path.suffix in (".csv", ".tsv"):
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), delimiter="," if path.suffix == ".csv" else "\t")
            writer.writeheader()
            writer.writerows(rows)
    else:
        data = "".join(json.dumps(row) + "\n" for row in rows).encode()
        path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def read(path: Path) -> list[dict]:
    if path.suffix == ".parquet":
        rows = pq.read_table(path).to_pylist()
    elif path.suffix in (".csv", ".tsv"):
        with path.open(newline="") as file:
            rows = list(csv.DictReader(file, delimiter="," if path.suffix == ".csv" else "\t"))
    else:
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        rows = [json.loads(line) for line in data.splitlines()]
    for row in rows:
        for name in ("tokens", "keep", "tree"):
            if isinstance(row.get(name), str):
                row[name] = json.loads(row[name])
        row["id"] = row["id"].split(":")[1]
    return rows
