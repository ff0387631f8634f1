"""A clicker's keys turn the slides from wherever the focus is, and leave to a field and to a control what is theirs."""

import pytest
from driving import ROOT
from reading import until

from pages.parts.visit.components import CALL, RUNNING, script

SCRIPT = CALL + script(ROOT / "pages/parts/lesson/turning_keys.js")
PAGE = """
<div class="st-key-slide_back"><button>Back</button></div> <div class="st-key-slide_next"><button>Next</button></div>
<button id="other">Other</button> <input id="slider" type="range" value="50"> <input id="text"> <textarea id="long"></textarea>
<input id="radio" type="radio"> <input id="box" type="checkbox"> <div id="cell" tabindex="0"></div>
"""
START = """async (script) => {
  const module = await import(`data:text/javascript,${encodeURIComponent(script)}`);
  window.turned = "";
  for (const way of ["back", "next"]) document.querySelector(`.st-key-slide_${way} button`).onclick = () => { turned += way + " " };
  window.others = 0;
  document.querySelector("#other").onclick = () => { others += 1 };
  window.left = 0;
  module.default({ data: { leaves: true }, parentElement: document.body, setTriggerValue: () => { left += 1 } });
}"""


@pytest.fixture
def turned(context_of):
    """What the slides do when a key is pressed while something has the focus."""
    page = context_of().new_page()
    page.set_content(PAGE)
    page.evaluate(START, SCRIPT)

    def press(key, focus=""):
        page.evaluate("turned = ''; document.activeElement.blur()")
        if focus:
            page.locator(focus).focus()
        page.keyboard.press(key)
        return page.evaluate("turned").strip()

    press.page = page
    yield press
    page.close()


@pytest.mark.parametrize("focus", ["", "#slider", "#radio", "#box", "#other", "#cell", ".st-key-slide_back button"])
def test_page_keys_turn_the_slides_from_every_control(turned, focus):
    assert (turned("PageDown", focus), turned("PageUp", focus)) == ("next", "back")
    assert turned.page.locator("#slider").input_value() == "50"


@pytest.mark.parametrize("focus", ["", "#cell"])
def test_space_turns_them_where_nothing_else_is_pressed_by_it(turned, focus):
    assert (turned("Space", focus), turned("Shift+Space", focus)) == ("next", "back")


def test_space_presses_the_control_that_has_the_focus(turned):
    assert turned("Space", "#other") == "" and turned.page.evaluate("others") == 1
    assert turned("Space", "#box") == "" and turned.page.locator("#box").is_checked()
    assert turned("Space", "#slider") == ""
    assert turned("Space", ".st-key-slide_next button") == "next" and turned("Space", ".st-key-slide_back button") == "back"
    assert turned("Shift+Space", ".st-key-slide_next button") == "back"  # where Next was pressed before


@pytest.mark.parametrize("field", ["#text", "#long"])
def test_what_is_typed_in_a_field_stays_there(turned, field):
    for key in ("PageDown", "PageUp", "Space", "Shift+Space", "ArrowRight"):
        assert turned(key, field) == "", key
    assert turned.page.locator(field).input_value() == "  "


def test_keys_with_a_modifier_and_under_an_open_box_do_nothing(turned):
    assert turned("Control+PageDown") == turned("Alt+PageUp") == ""
    turned.page.keyboard.press("Escape")
    assert turned.page.evaluate("left") == 1
    turned.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<div role=dialog>Share</div>')")
    assert turned("PageDown") == turned("Space") == turned("Escape") == "" and turned.page.evaluate("left") == 1


def test_the_steps_own_stepper_is_moved_first_in_the_notes(turned):
    own = "<div class='st-key-notes_stepper_Right'><button onclick='turned += \"own \"'>Next</button></div>"
    turned.page.evaluate("(own) => document.body.insertAdjacentHTML('beforeend', own)", own)
    assert turned("PageDown") == "own"
    turned.page.evaluate("document.querySelector('.st-key-notes_stepper_Right button').disabled = true")
    assert turned("PageDown") == "next"


def test_a_key_that_is_held_turns_once(turned):
    turned.page.keyboard.down("PageDown")
    turned.page.keyboard.down("PageDown")
    turned.page.keyboard.up("PageDown")
    assert turned.page.evaluate("turned").strip() == "next"


ONE_BY_ONE = RUNNING + script(ROOT / "pages/app/scripts/press_queue.js")
A_SLOW_SERVER = """async (script) => {
  const module = await import(`data:text/javascript,${encodeURIComponent(script)}`);
  const app = document.body.appendChild(document.createElement("p")), arrow = document.createElement("kbd");
  [app.dataset.testid, app.dataset.testScriptState, window.tbtPlace] = ["stApp", "notRunning", { at: 0 }];
  Object.assign(window, { heard: 0, answer: (by) => {
    if (by) tbtPlace = { at: tbtPlace.at + by };
    app.dataset.testScriptState = "notRunning";
  } });
  const next = document.querySelector(".st-key-slide_next");
  next.classList.add("stElementContainer");
  arrow.dataset.hasShortcut = "true";
  next.querySelector("button").append(arrow);
  const press = () => { [heard, app.dataset.testScriptState] = [heard + 1, "running"] };
  next.querySelector("button").onclick = press;
  document.addEventListener("keydown", press); // Streamlit hears its shortcuts there
  module.default();
}"""


def test_hurried_presses_are_heeded_one_by_one_and_none_behind_one_that_was_held(context_of):
    """Of six presses in a row three turned a step, and what came while a page was drawn led from where it was before."""
    page = context_of().new_page()
    page.set_content(PAGE)
    page.evaluate(A_SLOW_SERVER, ONE_BY_ONE)
    for key in ("ArrowRight", "ArrowRight", "Shift", "ArrowRight"):
        page.keyboard.press(key)
    page.locator(".st-key-slide_next button").click()
    for n in range(2, 5):
        assert page.evaluate("tbtPresses.waiting.length") == 5 - n
        page.evaluate("answer(1)")
        until(page, lambda: page.evaluate("heard"), n + 1)  # Shift is heard, too
    page.keyboard.press("ArrowRight")
    page.evaluate("answer(0)")  # the vote is open: the page says so, and stays
    until(page, lambda: page.evaluate("tbtPresses.now"), None)
    page.keyboard.press("ArrowRight")
    for _ in range(2):  # behind it: one before the page has said that it is held, and one after that
        page.keyboard.press("ArrowRight")
        page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p class=st-key-vote_held>The vote is still open.</p>')")
    page.evaluate("answer(0)")
    until(page, lambda: page.evaluate("heard"), 7)
    assert page.evaluate("tbtPresses.waiting.length") == 0
    page.close()


def test_a_press_that_led_on_between_two_looks_holds_the_next_one_no_longer_than_one_that_was_seen(context_of):
    """What a quick server does: it has answered before anybody looked whether it was at work."""
    page = context_of().new_page()
    page.set_content(PAGE)
    page.evaluate(A_SLOW_SERVER, ONE_BY_ONE)
    page.evaluate("""() => {
      const end = tbtPresses.end.bind(tbtPresses);
      window.looks = [];
      tbtPresses.end = () => { looks.push(tbtPresses.now.looks); end() };
    }""")
    led, held = "answer(1)", "answer(0)"
    for n, became in enumerate((led, held), 1):
        page.evaluate(f"document.querySelector('.st-key-slide_next button').click(); {became}")
        until(page, lambda: page.evaluate("looks.length"), n)
    seen, unknown = page.evaluate("looks")
    assert seen <= 3 < unknown
