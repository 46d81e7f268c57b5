"""What laconic prints for a corpus with every method, order, budget and scorer, to compare two versions of laconic.

Usage: python bench/outputs.py DATA OUT_DIR [NAME …] writes OUT_DIR/NAME.jsonl for each way to compress;
       python bench/outputs.py --compare OLD_DIR NEW_DIR says how many lines differ, and shows the first of them.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import laconic
from laconic.errors import LaconicError

#: Name of a way to compress: how to load, and what to ask for.
WAYS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "default": ({}, {"k": 5}),
    "default-k1": ({}, {}),
    "default-k20": ({}, {"k": 20}),
    "score": ({}, {"k": 5, "order": "score"}),
    "rho-.3": ({}, {"k": 3, "level": "headline", "rho": 0.3}),
    "rho-.8": ({}, {"k": 3, "level": "headline", "rho": 0.8}),
    "max-chars": ({}, {"k": 3, "max_chars": 60, "nearest": True}),
    "max-chars-rho": ({}, {"k": 3, "max_chars": 60, "nearest": True, "level": "headline", "rho": 0.5}),
    "max-words": ({}, {"k": 3, "max_words": 8, "nearest": True}),
    "rate": ({}, {"rate": 0.6, "min_rate": 0.4, "nearest": True}),
    "min-chars": ({}, {"k": 2, "min_chars": 80, "nearest": True}),
    "max-tokens": ({}, {"max_tokens": 14, "tokenizer": lambda text: -(-len(text) // 4), "nearest": True}),
    "keep": ({}, {"k": 3, "keep_all": ["names", "numbers"]}),
    "keep-budget": ({}, {"keep_all": ["numbers"], "rate": 0.5, "nearest": True}),
    "pronouns": ({}, {"k": 3, "resolve_pronouns": True}),
    "pronouns-budget": ({}, {"max_chars": 60, "nearest": True, "resolve_pronouns": True}),
    "explain": ({}, {"k": 3, "explain": True}),
    "explain-budget": ({}, {"k": 2, "explain": True, "max_chars": 60, "nearest": True}),
    "explain-keep": ({}, {"explain": True, "rate": 0.5, "nearest": True, "keep_all": ["names"]}),
    "small": ({"model": "small"}, {"k": 5}),
    "small-budget": ({"model": "small"}, {"rate": 0.5, "nearest": True}),
    "maxent": ({"scorer": "maxent"}, {"k": 5}),
    "maxent-expected-f1": ({"scorer": "maxent"}, {"k": 5, "order": "expected-f1"}),
    "maxent-budget": ({"scorer": "maxent"}, {"rate": 0.5, "nearest": True}),
    "nss": ({"scorer": "maxent"}, {"k": 5, "method": "nss"}),
    "ilp": ({"scorer": "maxent"}, {"k": 3, "method": "ilp"}),
    "spacy": ({"parser": "spacy"}, {"k": 5}),
    "spacy-maxent": ({"parser": "spacy", "scorer": "maxent"}, {"k": 5}),
}
#: Documents of so many sentences, by share of their characters.
_SENTENCES = 20
FITS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "fit-.3": ({}, {"rate": 0.3}),
    "fit-.6": ({}, {"rate": 0.6}),
    "fit-words": ({}, {"max_words": 200, "keep_all": ["numbers"]}),
    "fit-maxent": ({"scorer": "maxent"}, {"rate": 0.5}),
}
_BATCH = 128


def main(data: Path, out: Path, names: list[str]) -> None:
    with gzip.open(data, "rt") as file:
        texts = [json.loads(line).get("sentence") or json.loads(line)["text"] for line in file]
    out.mkdir(parents=True, exist_ok=True)
    for name in names or [*WAYS, *FITS, "trees"]:
        lines = trees(texts) if name == "trees" else fits(name, texts) if name in FITS else results(name, texts)
        (out / f"{name}.jsonl").write_text("".join(json.dumps(line, sort_keys=True) + "\n" for line in lines))
        print(name, flush=True)


def results(name: str, texts: list[str]) -> Iterator[Any]:
    loading, options = WAYS[name]
    compressor = laconic.load(**loading, split=False)
    for first in range(0, len(texts), _BATCH):
        batch = texts[first : first + _BATCH]
        try:
            yield from (result.to_dict() for result in compressor.batch(batch, **options))
        except LaconicError:
            for text in batch:
                try:
                    yield compressor.batch([text], **options)[0].to_dict()
                except LaconicError as error:
                    yield {"error": str(error)}


def fits(name: str, texts: list[str]) -> Iterator[Any]:
    loading, options = FITS[name]
    compressor = laconic.load(**loading)
    for first in range(0, len(texts), _SENTENCES):
        document = "\n\n".join(texts[first : first + _SENTENCES])
        try:
            yield {"text": compressor.fit(document, format="text", **options).text}
        except LaconicError as error:
            yield {"error": str(error)}


def trees(texts: list[str]) -> Iterator[Any]:
    compressor = laconic.load(split=False)
    for text in texts:
        yield from (tree.to_dict() for tree in compressor.tree(text))


#: Fields that only later versions have; they are not compared.
_ADDED = ("excess", "guarded", "rule")


def compare(old: Path, new: Path) -> None:
    for path in sorted(old.glob("*.jsonl")):
        pairs = zip(path.open(), (new / path.name).open(), strict=True)
        changed = [(i, a, b) for i, (a, b) in enumerate(pairs, 1) if _common(json.loads(a)) != _common(json.loads(b))]
        print(f"{path.stem}: {len(changed)} lines differ")
        for i, a, b in changed[:20]:
            print(f"  line {i}", *_difference(json.loads(a), json.loads(b)), sep="\n    ")


def _common(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _common(value) for key, value in data.items() if key not in _ADDED}
    return [_common(each) for each in data] if isinstance(data, list) else data


def _difference(old: Any, new: Any) -> list[str]:
    """The first place where two results differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old:
            if _common(old[key]) != _common(new.get(key)):
                return _difference(old[key], new.get(key))
    if isinstance(old, list) and isinstance(new, list):
        for a, b in zip(old, new, strict=False):
            if _common(a) != _common(b):
                return _difference(a, b) if isinstance(a, list) or "deletions" in str(a)[:20] else [f"- {a}", f"+ {b}"]
        return [f"- {len(old)} of them", f"+ {len(new)} of them"]
    return [f"- {str(old)[:300]}", f"+ {str(new)[:300]}"]


if __name__ == "__main__":
    if sys.argv[1] == "--compare":
        compare(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
