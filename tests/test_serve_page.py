"""The service's page in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import ARGUMENTS, CHROMIUM, needs_chromium
from playwright.sync_api import Browser, Locator, Page, Route, expect, sync_playwright
from serving import POLICE, Service, serving

AXE = Path(__file__).parent.parent / "build" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
pytestmark = needs_chromium

DOCUMENT = f"# Report\n\n{POLICE} The trial, which many people want to see, begins on Monday at nine.\n\n- Rain fell.\n"
KEY = "a-key-that-is-long-enough"


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with serving("--workers", "1") as started:
        yield started


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser, service: Service) -> Iterator[Page]:
    """The page, with its first example; nothing may be asked of another host, and no script may fail."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)

    def watch(route: Route) -> None:
        if not route.request.url.startswith(service.url):
            errors.append(f"a request to {route.request.url}")
        route.continue_()

    context.route("**/*", watch)
    opened.goto(service.url)
    expect(opened.locator(".w.gone").first).to_be_visible()
    yield opened
    context.close()
    assert errors == []


def take(page: Page, text: str) -> None:
    """Give the page a text of one's own."""
    page.get_by_role("button", name="Your own text").click()
    expect(page.locator("#input")).to_be_focused()
    page.locator("#input").fill(text)
    page.get_by_role("button", name="Shorten it").click()
    expect(page.locator("#words")).to_have_text(text)
    expect(page.locator("#result")).not_to_have_text("")


def slide(page: Page, value: int) -> None:
    page.locator("#slider").fill(str(value))


def word(page: Page, text: str) -> object:
    return page.locator(".w", has_text=re.compile(f"^{text}$"))


def test_the_slider_shortens_from_whole_to_shortest(page: Page) -> None:
    take(page, POLICE)
    slide(page, 0)
    expect(page.locator("#result")).to_have_text(POLICE)
    expect(page.locator(".w.gone")).to_have_count(0)
    expect(page.locator("#share")).to_have_text("100%")
    lengths = [len(POLICE)]
    for value in (250, 500, 750, 1000):
        slide(page, value)
        expect(page.locator("#slider")).to_have_value(str(value))
        expect(page.locator("#result")).not_to_have_text(re.compile(f"^.{{{lengths[-1] + 1},}}$"))
        lengths.append(len(page.locator("#result").text_content() or ""))
    expect(page.locator("#result")).to_have_text("The man was arrested.")
    expect(page.locator("#counts")).to_have_text("characters21 of 90words4 of 18tokens (wordpiece)5 of 19")
    gone = page.locator(".w.gone").all_text_contents()
    assert "police" in gone
    assert "arrested" not in gone


def test_what_is_gone_has_the_colour_of_who_decided(page: Page) -> None:
    take(page, POLICE)
    slide(page, 1000)
    expect(page.locator("#result")).to_have_text("The man was arrested.")
    expect(page.locator(".w.by-model").first).to_be_visible()
    expect(page.locator(".w.by-budget").first).to_be_visible()
    colours = {
        name: page.locator(f".w.by-{name}").first.evaluate("(each) => getComputedStyle(each).color")
        for name in ("model", "budget")
    }
    assert len(set(colours.values())) == 2
    line = page.locator(".w.by-budget").first.evaluate("(each) => getComputedStyle(each).textDecorationLine")
    assert line == "line-through"


def test_a_tap_says_why_and_another_decides(page: Page) -> None:
    take(page, POLICE)
    page.get_by_role("button", name="medium").click()
    late = word(page, "late")
    expect(late).to_have_class(re.compile("gone by-model"))
    late.click()
    expect(page.locator("#why")).to_contain_text(
        re.compile(
            r"late is gone\. The model can do without it \(edge \w+, probability of deletion (1?\.\d+|1\.00)\)\."
        )
    )
    late.click()
    expect(late).to_have_class(re.compile("kept-by-you"))
    expect(page.locator("#why")).to_contain_text("late stays: you wanted it so")
    expect(page.locator("#result")).to_contain_text("late")
    page.get_by_role("button", name="Let laconic decide").click()
    expect(late).to_have_class(re.compile("gone by-model"))
    man = word(page, "bank")
    man.click()
    expect(page.locator("#why")).to_contain_text(re.compile(r"bank stays \(edge \w+, probability of staying .+\)"))
    page.get_by_role("button", name="Drop it").click()
    expect(man).to_have_class(re.compile("gone by-constraint"))
    expect(page.locator("#result")).not_to_contain_text("bank")


def test_what_cannot_be_is_said_and_taken_back(page: Page) -> None:
    take(page, "Rain fell.")
    fell = word(page, "fell")
    fell.click()
    expect(page.locator("#why")).to_contain_text("fell stays")
    fell.click()
    expect(page.locator("#why.problem")).to_contain_text("fell")
    expect(page.locator("#result")).to_have_text("Rain fell.")
    expect(fell).not_to_have_class(re.compile("gone"))


def test_the_guard_says_by_which_rule_a_word_stays(page: Page) -> None:
    page.get_by_role("button", name="Science").click()
    page.get_by_role("button", name="short", exact=True).click()
    guarded = page.locator(".w.guarded").first
    guarded.click()
    expect(page.locator("#why")).to_contain_text(re.compile(r"stays\. The guard keeps it, by its rule “.+”"))


def test_the_five_best_can_be_chosen(page: Page) -> None:
    take(page, POLICE)
    best = page.locator("#best button")
    expect(best).to_have_count(5)
    expect(best.nth(0)).to_have_attribute("aria-pressed", "true")
    second = (best.nth(1).evaluate("(each) => each.firstChild.textContent")) or ""
    best.nth(1).click()
    expect(page.locator("#result")).to_have_text(second)
    expect(page.locator("#counts")).to_contain_text(
        re.compile(rf"characters{len(second)} of .*tokens \(wordpiece\)\d+ of 19")
    )
    expect(best.nth(1)).to_have_attribute("aria-pressed", "true")


def test_each_of_the_best_says_in_what_it_differs(page: Page) -> None:
    take(page, POLICE)
    best = page.locator("#best button")
    expect(best.nth(0).locator("ins, del")).to_have_count(0)
    second = best.nth(1)
    for name, holds in (("ins", True), ("del", False)):
        for run in second.locator(name).all_text_contents():
            assert (run.split()[-1] in second.evaluate("(each) => each.firstChild.textContent")) == holds, run
    assert second.locator("ins, del").count() > 0
    second.click()
    expect(best.nth(1).locator("ins, del")).to_have_count(0)
    expect(best.nth(0).locator("ins, del").first).to_be_visible()


def test_the_tree_is_drawn_and_shows_what_goes(page: Page) -> None:
    take(page, POLICE)
    page.get_by_text("The tree, and how likely").click()
    expect(page.locator("#tree svg")).to_be_visible()
    assert "robbed" in (page.locator("#tree svg").text_content() or "")
    slide(page, 1000)
    expect(page.locator("#tree text.gone", has_text="late")).to_be_visible()
    expect(page.locator("#tree text.gone", has_text="arrested")).to_have_count(0)
    slide(page, 0)
    expect(page.locator("#tree text.gone")).to_have_count(0)


def test_what_is_not_english_is_said_to_be_left_alone(page: Page) -> None:
    take(page, "Das ist ein deutscher Satz, der nicht gekürzt werden sollte, weil ihn hier niemand lesen kann.")
    slide(page, 900)
    expect(page.locator("#why")).to_contain_text("does not look like English")
    expect(page.locator(".w.gone")).to_have_count(0)


def test_decisions_are_taken_back_at_once(page: Page) -> None:
    take(page, POLICE)
    page.get_by_role("button", name="medium").click()
    expect(page.get_by_role("button", name="Undo all")).to_be_hidden()
    for each in ("late", "said"):
        expect(word(page, each)).to_have_class(re.compile("gone"))
        word(page, each).click()
        page.get_by_role("button", name="Keep it").click()
        expect(word(page, each)).to_have_class(re.compile("kept-by-you"))
    page.get_by_role("button", name="Undo all").click()
    expect(page.locator(".w.kept-by-you")).to_have_count(0)
    expect(word(page, "late")).to_have_class(re.compile("gone"))


def test_an_empty_text_changes_nothing(page: Page) -> None:
    before = page.locator("#words").text_content()
    page.get_by_role("button", name="Your own text").click()
    page.locator("#input").fill(" \n ")
    page.get_by_role("button", name="Shorten it").click()
    expect(page.locator("#words")).to_have_text(before or "")


def test_the_text_can_be_selected_and_lines_break_as_in_print(page: Page) -> None:
    take(page, POLICE)
    page.locator("#words").evaluate("(each) => getSelection().selectAllChildren(each)")
    assert page.evaluate("() => getSelection().toString()") == POLICE
    assert page.locator(".w").first.evaluate("(each) => getComputedStyle(each).display") == "inline"


def test_signs_of_markdown_go_with_their_text(page: Page) -> None:
    page.get_by_role("button", name="Markdown").click()
    slide(page, 1000)
    gone = "() => [...document.querySelectorAll('#words .syntax.gone')].map((each) => each.textContent).join('')"
    expect(page.locator("#words .syntax.gone").first).to_be_visible()
    assert "**" in page.evaluate(gone)
    slide(page, 0)
    expect(page.locator("#words .gone")).to_have_count(0)
    expect(page.locator("#words .w.heading").first).to_have_text("Release")


def test_documents_fit_with_their_structure_a_question_and_reasons(page: Page) -> None:
    take(page, DOCUMENT)
    expect(page.locator("#levels")).to_be_hidden()
    slide(page, 600)
    expect(page.locator("#became")).to_contain_text("Of 3 sentences")
    expect(page.locator("#result")).to_contain_text("# Report")
    page.locator("#query").fill("When does the trial begin?")
    expect(page.locator("#result")).to_contain_text("begins on Monday")
    page.locator(".w.gone").first.click()
    expect(page.locator("#why")).to_contain_text("is gone.")
    slide(page, 1000)
    trial = word(page, "police")
    expect(trial).to_have_class(re.compile("gone"))
    trial.click()
    page.get_by_role("button", name="Keep it").click()
    expect(page.locator("#result")).to_contain_text(re.compile("police", re.IGNORECASE))
    expect(page.locator("#why")).to_contain_text("That holds for every place with this word")


def test_copy_and_a_link_that_carries_everything(page: Page, service: Service) -> None:
    take(page, POLICE + " 🎉 Two “ATMs” too.")
    slide(page, 700)
    expect(word(page, "Friday")).to_have_class(re.compile("gone"))
    word(page, "Friday").click()
    page.get_by_role("button", name="Keep it").click()
    expect(page.locator(".w.kept-by-you").first).to_be_visible()
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    result = page.locator("#result").text_content()
    assert page.evaluate("() => navigator.clipboard.readText()") == result
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#link")).to_have_text("Copied")
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert link.startswith(f"{service.url}#")
    sent: list[str] = []
    other = page.context.new_page()
    other.on("request", lambda request: sent.append(request.url))
    other.goto(link)
    expect(other.locator("#result")).to_have_text(result or "")
    expect(other.locator("#slider")).to_have_value("700")
    expect(other.locator(".w.kept-by-you").first).to_be_visible()
    assert sent
    assert not any("#" in url for url in sent[1:])


def test_a_broken_link_opens_the_first_example(page: Page, service: Service) -> None:
    page.goto("about:blank")
    page.goto(f"{service.url}#nonsense")
    expect(page.locator("#words")).to_contain_text("city council")


def test_offsets_are_right_behind_an_emoji(page: Page) -> None:
    take(page, "🎉🎉 " + POLICE)
    slide(page, 1000)
    expect(word(page, "police")).to_have_class(re.compile("gone"))
    expect(word(page, "arrested")).not_to_have_class(re.compile("gone"))


def test_everything_works_by_keyboard(page: Page) -> None:
    def press(key: str, focused: Locator) -> None:
        page.keyboard.press(key)
        expect(focused).to_be_focused()

    decide, slider = page.locator("#decide"), page.locator("#slider")
    page.keyboard.press("Tab")  # the link to the API
    press("Tab", page.get_by_role("button", name="Your own text"))
    page.keyboard.press("Enter")
    page.locator("#input").fill("")
    page.keyboard.type(POLICE)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#words")).to_have_text(POLICE)
    for _ in range(9):  # the examples; then one stop for all words
        page.keyboard.press("Tab")
    press("Tab", word(page, "The"))
    press("ArrowRight", word(page, "police"))
    press("End", word(page, "Friday"))
    page.keyboard.press("Enter")
    expect(page.locator("#why")).to_contain_text("Friday")
    press("Tab", decide)
    press("Enter", decide)
    expect(decide).to_have_text("Let laconic decide")
    page.keyboard.press("Enter")
    expect(decide).to_have_text("Keep it")
    press("Tab", slider)
    page.keyboard.press("End")
    expect(page.locator("#result")).to_have_text("The man was arrested.")
    expect(slider).to_have_attribute("aria-valuetext", "23% of the characters")
    expect(page.locator("#live")).to_have_text("4 of 18 words: The man was arrested.")
    page.keyboard.press("Home")
    expect(page.locator("#result")).to_have_text(POLICE)


def test_pasting_anywhere_takes_the_text(page: Page) -> None:
    page.evaluate("() => navigator.clipboard.writeText('Rain, which nobody wanted, fell on Monday.')")
    page.keyboard.press("Control+V")
    expect(page.locator("#words")).to_have_text("Rain, which nobody wanted, fell on Monday.")


def test_markup_in_a_text_is_text(page: Page) -> None:
    attack = (
        "<img src=x onerror=\"document.title='hit'\"> The man, who said <script>hit</script>, was arrested on Friday."
    )
    take(page, attack)
    assert page.locator("main img, #words script").count() == 0
    assert page.title().startswith("laconic")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_small_phone(browser: Browser, service: Service, scheme: str) -> None:
    with browser.new_context(
        viewport={"width": 360, "height": 740}, color_scheme=scheme, has_touch=True, is_mobile=True
    ) as context:
        page = context.new_page()
        page.goto(service.url)
        expect(page.locator(".w.gone").first).to_be_visible()
        assert page.evaluate("() => document.documentElement.scrollWidth") == 360
        page.locator(".w.gone").first.tap()
        expect(page.locator("#why")).to_contain_text("is gone")
        box = page.locator("#slider").bounding_box()
        assert box
        assert box["y"] + box["height"] <= 740  # in view without scrolling
        assert box["height"] >= 44
        page.get_by_role("button", name="Markdown").tap()
        expect(page.locator("#words")).to_contain_text("Release 2.4")
        assert page.evaluate("() => document.documentElement.scrollWidth") == 360
        dark = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
        assert (max(map(int, re.findall(r"\d+", dark))) < 60) == (scheme == "dark")


def test_the_page_asks_for_a_key(browser: Browser) -> None:
    with serving("--workers", "1", key=KEY) as service, browser.new_context() as context:
        page = context.new_page()
        page.goto(service.url)
        expect(page.get_by_role("dialog")).to_be_visible()
        page.get_by_label("Key", exact=True).fill("a-key-that-is-wrong-here")
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_be_visible()
        page.get_by_label("Key", exact=True).fill(KEY)
        page.keyboard.press("Enter")
        expect(page.locator(".w.gone").first).to_be_visible()


@pytest.mark.skipif(not AXE.exists(), reason="no axe-core: make axe")
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(browser: Browser, service: Service, scheme: str, width: int) -> None:
    with browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True) as context:
        page = context.new_page()
        page.goto(service.url)
        expect(page.locator(".w.gone").first).to_be_visible()
        page.evaluate(AXE.read_text(encoding="utf-8") + "; undefined")

        def violations() -> list[str]:
            found = page.evaluate("() => axe.run()")
            return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found["violations"]]

        page.get_by_text("The tree, and how likely").click()
        expect(page.locator("#tree svg")).to_be_visible()
        page.locator(".w.gone").nth(1).click()
        expect(page.locator("#decide")).to_be_visible()
        assert violations() == []
        page.get_by_role("button", name="Your own text").click()
        assert violations() == []
        page.locator("#input").fill(DOCUMENT)
        page.get_by_role("button", name="Shorten it").click()
        expect(page.locator("#became")).to_contain_text("sentences")
        assert violations() == []
