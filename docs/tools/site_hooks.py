"""What the site does with the pages that the repository has: those outside of docs/ get pages, and links go there."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from mkdocs.structure.files import File, Files

ROOT: Final = Path(__file__).parents[2]
#: Files of the repository that are pages of the site, by their addresses there.
PAGES: Final = {
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "security.md": "SECURITY.md",
    "models/default.md": "src/laconic/models/default/NETWORK.md",
    "models/small.md": "src/laconic/models/small/NETWORK.md",
    "models/paper.md": "src/laconic/models/default/CARD.md",
}
_LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s:#]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that lie elsewhere."""
    for address, path in PAGES.items():
        files.append(File.generated(config, address, content=(ROOT / path).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links to files of the repository go to their pages, and a page is called by its title, not by its file."""
    address = page.file.src_uri
    folder = (ROOT / PAGES.get(address, f"docs/{address}")).parent

    def link(found: re.Match[str]) -> str:
        image, text, target, anchor = found[1], found[2], found[3], found[4] or ""
        path = (folder / target).resolve()
        if not path.is_relative_to(ROOT):
            return found[0]
        place = _address(path)
        if place is None:
            return found[0] if path.is_relative_to(ROOT / "docs") else text  # a source file has no page
        if text == target and target.endswith(".md"):
            text = _title(path)
        up = "../" * address.count("/")
        return f"{image}[{text}]({up}{place}{anchor})"

    return "".join(part if part.startswith("```") else _LINK.sub(link, part) for part in _fences(markdown))


def _address(path: Path) -> str | None:
    named = path.relative_to(ROOT).as_posix()
    if named == "README.md":
        return "index.md"
    return next((address for address, own in PAGES.items() if own == named), None) or (
        named.removeprefix("docs/") if named.startswith("docs/") and path.exists() else None
    )


@cache
def _title(path: Path) -> str:
    return re.search(r"^# (.*)$", path.read_text(encoding="utf-8"), re.M)[1]  # type: ignore[index]


def _fences(markdown: str) -> list[str]:
    return re.split(r"(^```.*?^```$)", markdown, flags=re.M | re.S)
