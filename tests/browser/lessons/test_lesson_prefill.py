"""The prefill lesson in a real browser: the frames play without the server, and everything is done by keyboard alone."""

from driving import put_forward, settled
from reading import choose, says, tab_to, turn_to, until

# Each frame of the triangles that was shown, how much of the width the cover on them had at most since the last play, and has now:
# nothing at the end, all passes at the start.
FRAMES = """window.shown = { frames: [], most: 0 };
window.covered = () => document.querySelector('.st-key-triangles .js-plotly-plot').layout.shapes
  .filter((s) => s.type === 'rect' && s.fillcolor.startsWith('#')).reduce((sum, s) => sum + s.x1 - s.x0, 0);
new MutationObserver(() => {
  const frame = document.querySelector('.st-key-triangles .tbt-figure')?.dataset.frame;
  if (frame === undefined) return;
  if (frame !== window.shown.frames.at(-1)) window.shown.frames.push(frame);
  window.shown.most = Math.max(window.shown.most, window.covered());
}).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });"""
DRAWN = "document.querySelector('.st-key-triangles .tbt-figure').dataset.drawn"


def covered(page):
    return page.evaluate("window.covered()")


def frame(page):
    return int(page.locator(".st-key-triangles .tbt-figure").get_attribute("data-frame"))


def test_by_keyboard_alone_from_play_to_the_last_reveal(visit):
    page = visit("/prefill", init=FRAMES, clock=True)
    plays_to_the_end(page)
    another_chunk_keeps_the_end_at_the_end(page)
    goes_back_without_a_word_to_the_server(page)
    choose(page, "products")
    says(page, "answer_products", "computed", "the same number", "4 steps")
    settled(page)
    presented_the_reels_arrow_keys_turn_no_page(page)
    turn_to(page, 4)
    choose(page, "mask", 1)
    says(page, "answer_mask", "check_circle", "only the last")
    page.locator(".st-key-mask_off .tbt-figure[aria-label*='row “Today” is 12.5, 10, 10, 9']").wait_for()


def plays_to_the_end(page):
    """Untouched, the triangles are full; played, they begin empty."""
    assert page.evaluate("window.shown") == {"frames": ["4"], "most": 0}
    tab_to(page, ".st-key-triangles .tbt-reel button")
    page.keyboard.press("Enter")
    for k in range(2, 6):
        page.wait_for_function("(k) => window.shown.frames.length >= k", arg=k)
        put_forward(page, 900)
    page.wait_for_function("window.shown.frames.length >= 6")
    page.locator(".st-key-triangles .tbt-reel button", has_text="Play").wait_for()
    assert page.evaluate("window.shown.frames") == ["4", "0", "1", "2", "3", "4"]
    until(page, lambda: covered(page), 0)
    assert page.evaluate("window.shown.most") > 0


def another_chunk_keeps_the_end_at_the_end(page):
    page.locator(".st-key-extra_chunk input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    page.locator(".st-key-triangles .tbt-figure[aria-label*='3 tokens at a time in 2']").wait_for()
    page.wait_for_function("location.search.includes('chunk=3')")
    settled(page)
    assert frame(page) == 4 and covered(page) == 0


def goes_back_without_a_word_to_the_server(page):
    reruns, heights = page.evaluate(DRAWN), [0]
    slider = page.locator(".st-key-triangles .tbt-reel input")
    slider.focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
        until(page, lambda: covered(page) > heights[-1], True)
        heights.append(covered(page))
    assert frame(page) == 0 and page.evaluate(DRAWN) == reruns
    assert slider.get_attribute("aria-valuetext") == "after 0 of 4 steps"


def presented_the_reels_arrow_keys_turn_no_page(page):
    """Outside of the reel they do."""
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("p")
    page.locator(".st-key-presented").wait_for()
    settled(page)
    page.locator(".st-key-triangles .tbt-reel input").focus()
    for key, shown in (("ArrowLeft", 3), ("ArrowRight", 4)):
        page.keyboard.press(key)
        settled(page)
        assert frame(page) == shown and "slide=" not in page.url and page.locator(".st-key-triangles").count() == 1
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".st-key-prompt_cost")
    settled(page)
    page.keyboard.press("Escape")
    page.locator(".st-key-step_names").wait_for()
    settled(page)
