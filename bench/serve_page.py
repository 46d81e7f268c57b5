"""How long the page takes from the slider to the shortened sentence: python bench/serve_page.py [URL]

Moves the slider for a sentence of 40 words to 200 positions in Chromium, one after another, and prints quantiles of the
time until the page shows the answer. Without the URL of a service, it starts one.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
from contextlib import nullcontext
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent))
from serve import serving

TEXT = (
    "The city council, which had been debating the plan since last March, voted on Tuesday evening to close the old "
    "harbour bridge to cars next spring, although shop owners on both sides of the river had asked for more time."
)
#: Moves the slider, and waits for the first picture behind the change of the result.
MEASURE = """async (positions) => {
  const slider = document.getElementById("slider"), times = [];
  const shown = new MutationObserver(() => done && done());
  let done = null;
  shown.observe(document.getElementById("best"), {childList: true});
  for (const position of positions) {
    const began = performance.now();
    await new Promise((go) => {
      done = () => { done = null; requestAnimationFrame(() => go()); };
      slider.value = position;
      slider.dispatchEvent(new Event("input"));
    });
    times.push(performance.now() - began);
  }
  return times;
}"""


def main() -> None:
    given = sys.argv[1] if len(sys.argv) > 1 else None
    with nullcontext((given, 0)) if given else serving() as (url, _), sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(str(url))
        page.locator(".w.gone").first.wait_for()
        page.get_by_role("button", name="Your own text").click()
        page.locator("#input").fill(TEXT)
        page.get_by_role("button", name="Shorten it").click()
        page.locator("#best button").first.wait_for()
        times = page.evaluate(MEASURE, [137 * i % 1001 for i in range(200)])
        browser.close()
    deciles = statistics.quantiles(times, n=10)
    print(f"{len(TEXT.split())} words, {len(os.sched_getaffinity(0))} cores, load {os.getloadavg()[0]:.1f}: median "
          f"{statistics.median(times):.0f} ms, 10–90% {deciles[0]:.0f}–{deciles[-1]:.0f} ms")  # fmt: skip


if __name__ == "__main__":
    main()
