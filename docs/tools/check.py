"""Checks the built site: every link and anchor leads somewhere, and no page loads anything from another host.

python docs/tools/check.py build/site
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

#: Attributes by which a page loads something at once, without a click.
_LOADED: Final = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("link", "href")}
#: Links that tell machines where a page is, and load nothing.
_TOLD: Final = {"canonical", "next", "prev", "alternate", "edit"}
_URL: Final = re.compile(r"url\(\s*['\"]?((?:https?:)?//[^)'\"]+)")


class Page(HTMLParser):
    """What a page links to and loads, and its anchors."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note links, what is loaded, and ids."""
        given = {name: value or "" for name, value in attrs}
        self.anchors.update(given[name] for name in ("id", "name") if name in given)
        told = tag == "link" and given.get("rel", "") in _TOLD
        for name, value in given.items():
            if (tag, name) in _LOADED and not told:
                self.loads.append(value)
            elif (tag, name) == ("a", "href"):
                self.links.append(value)


def check(site: Path) -> list[str]:
    """Everything that is wrong."""
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    wrong = []
    for path, page in pages.items():
        name = path.relative_to(site)
        wrong += [f"{name}: loads {address}" for address in page.loads if urlsplit(address).netloc]
        for address in [*page.links, *page.loads]:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc or path.name == "404.html":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                wrong.append(f"{name}: {address} leads nowhere")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                wrong.append(f"{name}: {address} has no such place")
    for path in site.rglob("*.css"):
        wrong += [f"{path.name}: loads {address}" for address in _URL.findall(path.read_text(encoding="utf-8"))]
    return wrong


def main() -> None:
    """Print what is wrong, and what leads out of the site: that is not looked at."""
    site = Path(sys.argv[1]).resolve()
    wrong = check(site)
    print("\n".join(wrong) or f"{len(list(site.rglob('*.html')))} pages: all links lead somewhere, nothing is foreign")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
