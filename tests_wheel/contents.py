"""What is in a wheel, and whether all of it is used at run time.

python tests_wheel/contents.py WHEEL

A module is used if another one imports it, or if a command or an entry point starts with it; any other file if the code
names it. What is there for other reasons is listed here with the reason.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

#: What no code of laconic names.
REASONS = {
    "laconic/__main__.py": "python -m laconic",
    "laconic/py.typed": "tells type checkers that laconic has types",
    "laconic/_core.pyi": "the types of the native core, for type checkers",
    "laconic/serve/worker.py": "started by the service as python -m",
    "laconic/network/distil.py": "also started as python -m, on a machine with a GPU",
    "laconic/models/default/CARD.md": "card of a model: what it is for, and whose data it has seen",
    "laconic/models/default/NETWORK.md": "the same",
    "laconic/models/small/NETWORK.md": "the same",
}
#: Modules that are found by looking into their folder (docs/development.md).
FOUND = "laconic/guard/rules/"
#: Components that users import.
IMPORTED_BY_USERS = ("laconic/frameworks/", "laconic/pipe/")


def imported(name: str, tree: ast.AST) -> Iterator[str]:
    """The modules that the source of a module may import, and the strings that may name one or a file."""
    package = name if name.endswith("__init__") else name.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join([*package.split(".")[: len(package.split(".")) - node.level + 1], base]).strip(".")
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
            yield f"laconic.{node.value}"
            if name == "laconic.cli.__init__":  # the names of commands, each of which is a module
                yield f"laconic.cli.{node.value.replace('-', '_')}"


def _parents(module: str) -> Iterator[str]:
    while module := module.rpartition(".")[0]:
        yield module


def unused(wheel: ZipFile) -> list[str]:
    """Files of the package that nothing uses."""
    files = [file for file in wheel.namelist() if file.startswith("laconic/") and not file.endswith("/")]
    named: set[str] = set()
    for file in files:
        if file.endswith(".py"):
            module = file.removesuffix(".py").replace("/", ".")
            named.update(imported(module, ast.parse(wheel.read(file))))
    named.update(parent for name in list(named) for parent in _parents(name))
    words = {word for text in named if len(text) < 200 for word in text.replace("/", " ").split()}
    found = []
    for file in files:
        path = PurePosixPath(file)
        module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        if file in REASONS or file.startswith((FOUND, *IMPORTED_BY_USERS)) or path.name.startswith("_core."):
            continue
        if not (module in named if path.suffix == ".py" else path.name in words):
            found.append(file)
    return found


def main() -> None:
    """List a wheel, by folder and kind; end with an error if something in it is not used."""
    path = Path(sys.argv[1])
    with ZipFile(path) as wheel:
        count: Counter[tuple[str, str]] = Counter()
        size: Counter[tuple[str, str]] = Counter()
        packed = 0
        for info in wheel.infolist():
            if info.is_dir():
                continue
            file = PurePosixPath(info.filename)
            kind = (str(file.parent), file.suffix if file.suffix == ".py" else file.name)
            count[kind] += 1
            size[kind] += info.file_size
            packed += info.compress_size
        for folder, kind in sorted(count):
            print(f"{size[folder, kind]:>12,}  {folder}/{f'{count[folder, kind]} modules' if kind == '.py' else kind}")
        print(f"{sum(size.values()):>12,}  bytes in all, {packed / 1e6:.1f} MB packed: {path.name}")
        foreign = sorted({name.split("/")[0] for name in wheel.namelist()} - {"laconic"})
        if len(foreign) != 1 or not foreign[0].endswith(".dist-info"):
            sys.exit(f"besides laconic and its metadata there is {foreign}")
        cores = [name for name in wheel.namelist() if name.endswith((".so", ".pyd", ".dylib"))]
        if len(cores) != 1 or ("abi3-" in path.name and cores[0] not in ("laconic/_core.abi3.so", "laconic/_core.pyd")):
            sys.exit(f"{path.name} has {cores}: one is wanted, and with the stable ABI one that serves every version")
        if left := unused(wheel):
            sys.exit(f"nothing uses {', '.join(left)}")


if __name__ == "__main__":
    main()
