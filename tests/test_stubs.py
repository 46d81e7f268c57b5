"""The stub of the native core is what nanobind makes of its bindings."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_stub_is_generated(tmp_path: Path) -> None:
    """If this fails, run `make stubs`."""
    made = tmp_path / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "laconic._core", "-o", str(made)]
    subprocess.run([*command, "-p", str(ROOT / "native" / "stubs.patterns")], check=True, cwd=tmp_path)
    assert made.read_text() == (ROOT / "src" / "laconic" / "_core.pyi").read_text()


def test_the_stub_is_beside_the_module() -> None:
    spec = importlib.util.find_spec("laconic._core")
    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.origin).with_name("_core.pyi").exists()
