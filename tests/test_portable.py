"""laconic on other systems: what is POSIX alone is asked for where it is used, and done without elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

#: Modules of the standard library that Windows has not.
POSIX = ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty")

WITHOUT_POSIX = f"""
import os, pkgutil, sys, traceback
sys.modules.update(dict.fromkeys({POSIX}))  # None: an import of it fails
for name in ("sched_getaffinity", "sched_setaffinity", "fork", "killpg", "wait4"):
    delattr(os, name)
"""


def run_without_posix(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_POSIX + code], capture_output=True, text=True, timeout=120, check=False
    )


def test_every_module_is_imported_without_posix() -> None:
    done = run_without_posix("""
import laconic
for module in pkgutil.walk_packages(laconic.__path__, "laconic."):
    if not module.name.endswith(".__main__"):
        try:
            __import__(module.name)
        except ImportError as error:  # of a library that an extra brings
            if "import of" in str(error) and "halted; None in sys.modules" in str(error):
                where = traceback.extract_tb(error.__traceback__)[-1].filename
                assert os.path.dirname(laconic.__file__) not in where, (module.name, error)
""")
    assert done.returncode == 0, done.stderr


def test_texts_documents_and_files_are_compressed_without_posix(tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_bytes(b"Two ATMs were stolen Friday, police in Leeds said.\r\n")
    done = run_without_posix(f"""
import laconic
from laconic.cli import main
assert str(laconic.compress("Two ATMs were stolen Friday, police in Leeds said."))
assert laconic.fit("Two ATMs were stolen Friday, police in Leeds said. It rained.", max_chars=30).text
sys.argv = ["laconic", "compress", {str(lines)!r}, "--out", {str(tmp_path / "out")!r}, "--workers", "1"]
main()
""")
    assert done.returncode == 0, done.stderr
    assert "stolen" in "".join(path.read_text() for path in (tmp_path / "out").glob("part-*"))


def test_the_core_includes_nothing_beyond_the_standard_library_and_nanobind() -> None:
    for path in (ROOT / "native").iterdir():
        source = path.read_text(encoding="utf-8")
        if path.name != "lanes.hpp":  # which has a plain version for other compilers
            for included in re.findall(r"#include <(.*)>", source):
                assert re.fullmatch(r"[a-z_]+|nanobind/.*", included), f"{path.name}: {included}"
            assert not re.search(r"__builtin|__attribute__|__int128|__asm|_mm_", source), path.name
