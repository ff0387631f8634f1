"""The first screen in a real browser: all in sight, playing by itself, still where motion is unwanted, doors that lead on."""

from driving import put_forward, settled
from reading import choose_lesson, menu, tab_to, until

from pages.lessons.overview import LESSON as OVERVIEW
from pages.lessons.why import LESSON as WHY

SIZES = {"laptop": (1280, 720), "large": (1440, 900), "phone": (390, 844)}
PROMPTS = ("", "The zebra is so", "What is the capital of France?")  # its own, an unknown word, a question
OLD = "tokens=Today,weather,is,so&values=1,2,3,4&rules=even,self,first,all"
DOORS = {
    "Read the story": ("/why?", "route=story", WHY.steps[0].name),
    "Teach with it": ("/overview?", "route=45", OVERVIEW.question),
    "Size a real cache": ("/memory", "", ""),
}
EXTENT = """() => {
  const parts = "h1, .tbt-start, .st-key-start_prompt, .st-key-start_try, .tbt-bar, .tbt-stage, .st-key-doors a";
  const main = document.querySelector(".stMain");
  const bottom = Math.max(...[...document.querySelectorAll(parts)].map((part) => part.getBoundingClientRect().bottom));
  return [bottom, main.scrollHeight, main.scrollWidth];
}"""
TYPE_SIZES = """() => [...document.querySelectorAll(".tbt-machine *, .st-key-doors *")].filter((e) => e.innerText?.trim())
  .map((e) => parseFloat(getComputedStyle(e).fontSize))"""
# Each frame, and where the doors stand at it.
PLACES = """() => [...Array(9).keys()].map((frame) => {
  const slider = document.querySelector(".tbt-bar input");
  slider.value = frame;
  slider.dispatchEvent(new Event("input"));
  const { x, y, width, height } = document.querySelector(".st-key-doors").getBoundingClientRect();
  return [document.querySelector(".tbt-machine").dataset.frame, [x, y, width, height]];
})"""
# What stood there when each frame was first shown: whoever looks later may meet the next one.
SEEN = """window.seen = {};
new MutationObserver(() => {
  const writing = document.querySelector(".tbt-machine[data-frame]"), count = (name) => document.querySelectorAll(name).length;
  if (writing) window.seen[writing.dataset.frame] ??= [writing.dataset.playing, count(".tbt-there:not(.tbt-waiting)"),
    count(".tbt-there.tbt-read"),
    count(".tbt-row.tbt-now"), document.querySelector(".tbt-bar output").textContent];
}).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-frame"] });"""


def frame(page):
    return int(page.locator(".tbt-machine").get_attribute("data-frame"))


def playing(page):
    return page.locator(".tbt-machine").get_attribute("data-playing")


def type_prompt(page, prompt):
    page.locator(".st-key-start_typed input").fill(prompt)
    page.keyboard.press("Enter")
    until(page, lambda: page.url, f"prompt={prompt.split()[0]}")
    settled(page)


def sized(page, size):
    page.set_viewport_size(dict(zip(("width", "height"), SIZES[size], strict=True)))
    settled(page)


def beyond(page, width, height):
    """What is not on a screen of this size: the bottom of the last part, the page's height, its width. A turned screen is laid out anew."""
    bottom, whole_height, whole_width = page.evaluate(EXTENT)
    found = {"bottom": bottom} if not 300 < bottom <= height else {}
    found |= {"height": whole_height} if whole_height > height else {}
    return [*(found | ({"width": whole_width} if whole_width > width else {})).items()]


def in_sight(page, where):
    """On every screen nothing is scrolled to, nothing jumps from frame to frame, and no word is smaller than thirteen pixels."""
    for size, (width, height) in SIZES.items():
        sized(page, size)
        until(page, lambda width=width, height=height: beyond(page, width, height), [])
        frames, places = zip(*page.evaluate(PLACES), strict=True)
        assert frames == tuple(map(str, range(9))) and all(place == places[0] for place in places), (where, size)
        sizes = page.evaluate(TYPE_SIZES)
        assert len(sizes) > 30 and min(sizes) >= 13, (where, size)


def test_everything_is_in_sight_and_nothing_jumps_whatever_is_typed(visit, widest):
    """In the widest words; the sweep looks at it in the narrower ones."""
    page = visit("/", build=widest)
    for prompt in PROMPTS:
        if prompt:
            type_prompt(page, prompt)
        assert page.locator(".st-key-start_marks").count() == bool(prompt), prompt
        in_sight(page, prompt)
    pills = page.locator(".st-key-start_preset button")
    for size in SIZES:
        sized(page, size)
        edges = [pill.bounding_box() for pill in pills.all()]
        assert len(edges) == 4 and len({box["y"] for box in edges}) == 1, size
        assert edges[-1]["x"] + edges[-1]["width"] <= SIZES[size][0], size
        assert page.locator(".st-key-start_try [data-testid=stCaptionContainer]").count() == 0
    pills.nth(3).click()
    until(page, lambda: page.url, "prompt=Anna")
    settled(page)
    until(page, lambda: page.locator(".tbt-label", has_text="kite").count() > 0, True)
    assert page.locator(".st-key-start_marks").count() == 0
    in_sight(page, "a prompt to try")


def test_it_plays_from_the_prompts_pass_is_paused_by_keyboard_and_leads_on(visit):
    page = visit("/", clock=True, init=SEEN, moves=True)
    for k in (1, 2, 3):
        put_forward(page, 2300)
        page.wait_for_function("(k) => window.seen[k]", arg=k)
    seen = page.evaluate("window.seen")
    assert "0" not in seen and seen["1"][:4] == ["true", 7, 7, 0]  # it opens with prefill, which is one block
    assert [seen[k][1:4] for k in "23"] == [[8, 7, 1], [9, 7, 1]] and "decode, step 2 of 7" in seen["3"][4]
    pauses_and_goes_on(page)
    page.locator(".st-key-start_typed input").fill("The <b>soup</b> is so")
    page.keyboard.press("Enter")
    until(page, lambda: page.url, "prompt=The")
    page.locator(".tbt-label", has_text="soup").wait_for()
    assert page.locator(".tbt-stage b", has_text="soup").count() == 0
    page.locator(".st-key-start_another button").click()
    until(page, lambda: page.url, "seed=1")
    settled(page)
    for door, (path, route, title) in DOORS.items():
        page.locator(".st-key-doors").get_by_role("link", name=door).click()
        until(page, lambda path=path, route=route: path in page.url and route in page.url, True)
        settled(page)
        until(page, lambda title=title: title in page.locator("h1").inner_text() != "Token by Token", True)
        page.emulate_media(reduced_motion="reduce")
        page.go_back()
        until(page, lambda: page.locator("h1").inner_text(), "Token by Token")
        settled(page)
    stands_still(page)


def pauses_and_goes_on(page):
    tab_to(page, ".tbt-bar button")
    page.keyboard.press("Space")
    until(page, lambda: playing(page), "false")
    at = frame(page)
    assert page.locator(".tbt-bar button").inner_text() == "Play"
    put_forward(page, 5000)
    assert frame(page) == at
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    until(page, lambda: frame(page), 8)
    assert "step 7 of 7" in page.locator(".tbt-bar input").get_attribute("aria-valuetext")
    page.keyboard.press("ArrowLeft")
    until(page, lambda: frame(page), 7)
    assert page.locator(".tbt-there:not(.tbt-waiting)").count() == 13
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".tbt-machine[data-frame='8'][data-playing='false']")


def stands_still(page):
    """Where motion is unwanted."""
    assert playing(page) == "false" and frame(page) == 3
    put_forward(page, 5000)
    assert frame(page) == 3
    page.locator(".tbt-bar button").click()
    page.wait_for_selector(".tbt-machine[data-frame='4']")
    moved = "() => [...document.querySelectorAll('.tbt-machine *')].some((e) => e.getAnimations().length)"
    assert page.evaluate(moved) is False


def test_an_old_link_to_the_root_opens_the_overview_and_its_scenario_waits_behind_the_first_screen(visit):
    """The first screen's address says nothing of the toy, or a reload of it would open the overview."""
    page = visit(f"/?{OLD}")
    until(page, lambda: page.url.endswith(f"/overview?{OLD}"), True)
    assert OVERVIEW.question in page.locator("h1").inner_text() and "Token by Token" in menu(page)[0]
    listed = menu(page)
    choose_lesson(page, "/")
    page.locator(".tbt-machine[data-drawn]").wait_for()
    until(page, lambda: page.evaluate("location.pathname + location.search"), "/")
    assert menu(page) == listed
    choose_lesson(page, "/attention")
    until(page, lambda: page.url, f"/attention?{OLD}")
    settled(page)
    page.evaluate("location.pathname = '/start'")  # where Streamlit would say that there is no such page
    page.locator(".tbt-machine[data-drawn]").wait_for()
    settled(page)
    assert "Token by Token" in page.locator("h1").inner_text()
