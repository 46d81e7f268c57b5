"""The raters' page in a real browser."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import ARGUMENTS, CHROMIUM, needs_chromium
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, Response, expect, sync_playwright
from rating import ITEMS, free_port, running, write_items

from laconic.rate import Store

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def chromium() -> Iterator[BrowserType]:
    with sync_playwright() as driver:
        yield driver.chromium


@pytest.fixture(scope="module")
def browser(chromium: BrowserType) -> Iterator[Browser]:
    opened = chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
    yield opened
    opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert errors == []


def start(page: Page, url: str, name: str = "Anna") -> None:
    page.goto(url)
    expect(page.locator("#name")).to_be_focused()
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    expect(page.locator("#rating")).to_be_visible()


def rate_item(page: Page, value: int = 4) -> None:
    """Rate all that is open of the sentence on the page, with the digits alone."""
    for _ in range(page.locator(".scale").count()):
        page.keyboard.press(str(value))
    expect(page.locator("#next")).to_be_focused()


def values(db: Path, rater: str = "Anna") -> list[int]:
    with Store.read(db) as store:
        return list(store.ratings_of(rater).values())


def test_rating_everything_with_the_keyboard_alone(page: Page, tmp_path: Path, items_file: Path) -> None:
    db = tmp_path / "ratings.sqlite"
    with running(items_file, db) as server:
        start(page, server.url)
        for number, value in [(1, 3), (2, 4), (3, 5)]:
            expect(page.locator("#where")).to_have_text(f"{number} of 3")
            rate_item(page, value)
            page.keyboard.press("Enter")
        expect(page.locator("#end-title")).to_have_text("Thank you, Anna")
        expect(page.locator("#saving")).to_have_text("Saved")
        assert values(db) == [3] * 8 + [4] * 6 + [5] * 6
        page.keyboard.press("Backspace")  # and back, to change a mark
        expect(page.locator("#where")).to_have_text("3 of 3")
        page.keyboard.press("1")
        page.keyboard.press("PageUp")
        expect(page.locator("#where")).to_have_text("2 of 3")
        expect(page.locator("#saving")).to_have_text("Saved")
        assert sorted(values(db)) == [1] + [3] * 8 + [4] * 6 + [5] * 5


def test_arrows_and_tab_move_without_rating(page: Page, tmp_path: Path, items_file: Path) -> None:
    db = tmp_path / "ratings.sqlite"
    with running(items_file, db) as server:
        start(page, server.url)
        scale = page.locator(".scale")
        expect(scale.nth(0)).to_have_class("scale current")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Tab")
        expect(scale.nth(2)).to_have_class("scale current")
        page.keyboard.press("ArrowUp")
        expect(scale.nth(1)).to_have_class("scale current")
        for _ in range(3):  # shows where one is, then two to the right
            page.keyboard.press("ArrowRight")
        assert page.locator("input:checked").count() == 0
        page.keyboard.press("Space")
        expect(scale.nth(1).locator("input:checked")).to_have_value("3")
        page.keyboard.press("Control+5")
        page.keyboard.press("6")
        expect(page.locator("#saving")).to_have_text("Saved")
        assert values(db) == [3]


def test_scales_are_named_radio_groups(page: Page, tmp_path: Path, items_file: Path) -> None:
    with running(items_file, tmp_path / "ratings.sqlite") as server:
        start(page, server.url)
        groups = page.get_by_role("radiogroup")
        assert groups.count() == 8
        label = groups.nth(0).get_attribute("aria-label") or ""
        assert label.startswith("Readability of version A: The council closed")
        assert page.get_by_role("radiogroup", name="Informativeness of version D").get_by_role("radio").count() == 5
        assert page.get_by_role("radio", name="5, reads perfectly").count() == 4
        expect(page.get_by_role("progressbar")).to_have_attribute("aria-valuetext", "0 of 3 sentences rated")


def test_clicks_are_saved_at_once(page: Page, tmp_path: Path, items_file: Path) -> None:
    db = tmp_path / "ratings.sqlite"
    with running(items_file, db) as server:
        start(page, server.url)
        page.locator(".scale").nth(2).get_by_role("radio").nth(1).click()
        expect(page.locator("#note")).to_have_text("7 of 8 marks to give")
        expect(page.locator("#saving")).to_have_text("Saved")
        assert values(db) == [2]
        page.locator(".scale").nth(2).get_by_role("radio").nth(4).click()
        expect(page.locator("#saving")).to_have_text("Saved")
        assert values(db) == [5]


def test_a_sentence_is_left_for_later_only_when_one_insists(page: Page, tmp_path: Path, items_file: Path) -> None:
    with running(items_file, tmp_path / "ratings.sqlite") as server:
        start(page, server.url)
        page.keyboard.press("5")
        page.keyboard.press("Enter")
        expect(page.locator("#where")).to_have_text("1 of 3")
        expect(page.locator("#note")).to_contain_text("Some marks are missing")
        page.keyboard.press("Enter")
        expect(page.locator("#where")).to_have_text("2 of 3")
        for _ in range(2):
            rate_item(page)
            page.keyboard.press("Enter")
        expect(page.locator("#end-title")).to_have_text("Nearly there")
        page.keyboard.press("Enter")
        expect(page.locator("#where")).to_have_text("1 of 3")
        expect(page.locator(".scale").nth(1)).to_have_class("scale current")


def test_closing_and_resuming_where_one_stopped(browser: Browser, tmp_path: Path, items_file: Path) -> None:
    db = tmp_path / "ratings.sqlite"
    with running(items_file, db) as server:
        with browser.new_context() as context:
            page = context.new_page()
            start(page, server.url)
            rate_item(page)
            page.keyboard.press("Enter")
            expect(page.locator("#where")).to_have_text("2 of 3")
            shown = page.locator(".words").all_text_contents()
            page.keyboard.press("2")
            expect(page.locator("#saving")).to_have_text("Saved")
            page.close()
            page = context.new_page()  # the browser remembers the name
            page.goto(server.url)
            expect(page.locator("#where")).to_have_text("2 of 3")
            assert page.locator(".words").all_text_contents() == shown
            expect(page.locator(".scale").nth(1)).to_have_class("scale current")
            expect(page.locator("input:checked")).to_have_value("2")
        with browser.new_context() as context:  # another browser
            page = context.new_page()
            page.goto(f"{server.url}?rater=anna")
            expect(page.locator("#where")).to_have_text("2 of 3")
            assert page.locator(".words").all_text_contents() == shown
            page.goto(f"{server.url}?rater=Ben")  # whose first visit it is
            expect(page.locator("#name")).to_have_value("Ben")
            page.keyboard.press("Enter")
            expect(page.locator("#where")).to_have_text("1 of 3")
            page.get_by_role("button", name="change").click()
            expect(page.locator("#name")).to_have_value("")


def test_the_page_retries_while_the_server_is_away(page: Page, tmp_path: Path, items_file: Path) -> None:
    db, port = tmp_path / "ratings.sqlite", free_port()
    with running(items_file, db, port) as server:
        start(page, server.url)
        page.keyboard.press("1")
        expect(page.locator("#saving")).to_have_text("Saved")
        server.end(signal.SIGKILL)
        rate = [2, 3, 4, 5, 1, 2, 3]
        for value in rate:
            page.keyboard.press(str(value))
        expect(page.locator("#saving")).to_have_text("Not saved, retrying")
        page.keyboard.press("Enter")  # rating goes on
        expect(page.locator("#where")).to_have_text("2 of 3")
        page.keyboard.press("5")
        assert values(db) == [1]
    with running(items_file, db, port):
        expect(page.locator("#saving")).to_have_text("Saved", timeout=20_000)
        assert sorted(values(db)) == sorted([1, *rate, 5])


def test_what_was_not_saved_outlives_the_browser(chromium: BrowserType, tmp_path: Path, items_file: Path) -> None:
    db, port, profile = tmp_path / "ratings.sqlite", free_port(), tmp_path / "profile"

    def launch() -> BrowserContext:
        return chromium.launch_persistent_context(profile, executable_path=CHROMIUM, args=ARGUMENTS)

    with running(items_file, db, port) as server:
        with launch() as context:
            page = context.new_page()
            start(page, server.url)
            page.keyboard.press("2")
            expect(page.locator("#saving")).to_have_text("Saved")
            server.end(signal.SIGKILL)
            page.keyboard.press("3")
            expect(page.locator("#saving")).to_have_text("Not saved, retrying")
        assert values(db) == [2]
    with running(items_file, db, port) as server, launch() as context:
        page = context.new_page()
        page.goto(server.url)
        expect(page.locator(".scale").nth(2)).to_have_class("scale current")
        expect(page.locator("#saving")).to_have_text("Saved")
        assert sorted(values(db)) == [2, 3]


def test_another_study_at_the_same_address_takes_no_old_marks(page: Page, tmp_path: Path, items_file: Path) -> None:
    port = free_port()
    with running(items_file, tmp_path / "one.sqlite", port) as server:
        start(page, server.url)
    with running(write_items(tmp_path / "other.jsonl", ITEMS[1:]), tmp_path / "two.sqlite", port):
        page.keyboard.press("3")
        expect(page.locator("#stopped")).to_be_visible(timeout=20_000)
        assert values(tmp_path / "two.sqlite") == []
    with running(items_file, tmp_path / "one.sqlite", port) as server:
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(server.url)
        expect(page.locator("#saving")).to_have_text("Saved")
        expect(page.locator("#where")).to_have_text("1 of 3")
        assert values(tmp_path / "one.sqlite") == [3]


def test_html_in_a_compression_is_text(page: Page, tmp_path: Path) -> None:
    attack = "<img src=x onerror=\"document.title='hit'\"> fell & <script>document.title='hit'</script> rose"
    item = {
        "id": "1",
        "sentence": f"Rain {attack} on Monday.",
        "compressions": [{"system": "a", "k": 1, "text": attack}, {"system": "b", "k": 1, "text": "&lt;b&gt; fell."}],
    }
    with running(write_items(tmp_path / "items.jsonl", [item]), tmp_path / "ratings.sqlite") as server:
        start(page, server.url, "<i>Anna</i>")
        assert sorted(page.locator(".words").all_text_contents()) == ["&lt;b&gt; fell.", attack]
        expect(page.locator("#original")).to_have_text(f"Rain {attack} on Monday.")
        expect(page.locator("#who")).to_have_text("<i>Anna</i>")
        assert page.locator("main img, main script, #who i").count() == 0
        assert page.title().startswith("1 of 1")


def test_the_browser_never_learns_the_systems(page: Page, tmp_path: Path, items_file: Path) -> None:
    seen: list[str] = []

    def keep(response: Response) -> None:
        seen.append(response.url + json.dumps(response.headers) + response.text())

    page.on("response", keep)
    with running(items_file, tmp_path / "ratings.sqlite") as server:
        start(page, server.url)
        rate_item(page)
        page.keyboard.press("Enter")
        expect(page.locator("#saving")).to_have_text("Saved")
        seen.append(page.content())
        seen.append(json.dumps(page.evaluate("Object.entries(localStorage)")))
    everything = "\n".join(seen)
    assert "closed the harbour bridge" in everything
    for secret in ["extractive", "topdown", "ilp", "nss", '"k"', '"id"', 'hikers"', 'shares"']:
        assert secret not in everything.lower(), secret


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_small_phone(browser: Browser, tmp_path: Path, items_file: Path, scheme: str) -> None:
    with (
        running(items_file, tmp_path / "ratings.sqlite") as server,
        browser.new_context(viewport={"width": 360, "height": 740}, color_scheme=scheme) as context,
    ):
        page = context.new_page()
        start(page, server.url, "A name that is as long as names may be, which is sixty letter")
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        for _ in range(5):  # what is rated next is in view, not under a bar
            page.keyboard.press("3")
        box = page.locator(".scale.current").bounding_box()
        top = page.locator("#sentence").bounding_box()
        bar = page.locator("#bar").bounding_box()
        assert box
        assert top
        assert bar
        assert box["y"] >= top["y"] + top["height"]
        assert box["y"] + box["height"] <= bar["y"]
        assert page.locator(".point").nth(0).bounding_box()["height"] >= 44  # type: ignore[index]
