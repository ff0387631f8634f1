"""A class vote in a real browser: a teacher's screen and a phone, from the code on the screen to the reveal; another phone, which
compiles every script anew in a browser of its own, has none and speaks its protocol. tests/parts/vote/test_class.py has eighteen of
these."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from driving import ROOT, settled
from reading import click, code_on, turn_to, until
from sweep import beyond
from visitors import Heard, Phone, connected

from pages.parts.visit.components import CALL, RUNNING

PHONE = {"width": 390, "height": 844}
INTO_SIGHT = CALL + RUNNING + (ROOT / "pages/parts/vote/into_sight.js").read_text("utf-8")
BRING = """async (script) => {
  const module = await import(`data:text/javascript,${encodeURIComponent(script)}`);
  document.body.className = "stMain";
  document.body.innerHTML = '<p class="above"></p><p class="st-key-question">?</p><p class="below"></p>';
  module.default({ data: { what: "a question", selector: ".st-key-question" }, parentElement: document.body });
}"""
HEIGHTS = "html { overflow-anchor: none } .above, .below { height: 2000px }"


ON_A_PHONE = {"viewport": PHONE, "person": "phone"}  # a browser of its own, which stores what it has answered


def another_says(address, code, option):
    """A second phone joins, answers, and is put away."""

    async def says():
        async with connected(address) as socket:
            phone, heard = Phone(7), Heard(socket)
            await phone.join(heard, code)
            await phone.say(heard, option)
            assert phone.errors == []

    with ThreadPoolExecutor(1) as one:  # the browser's driver has this thread's loop
        one.submit(asyncio.run, says()).result()


def say(page, k):
    """Press the k-th option."""
    click(page.locator(f".st-key-option_values_{k} button"))
    page.get_by_text("Your answer is in").wait_for()


def answered(page):
    return page.locator(".st-key-predict_values").inner_text()


def in_sight(page, key):
    """Whether all of it is in the window, which nobody has scrolled by hand."""
    return page.locator(f".st-key-{key}").evaluate(
        "e => e.getBoundingClientRect().bottom <= innerHeight && e.getBoundingClientRect().top >= 0"
    )


def moved_on(phone):
    """Whether the sliders and menus of the step are there, and in sight."""
    return {box.is_visible() for box in phone.locator(".stMain :is(.stSlider, .stSelectbox, .stPopover)").all()}


def test_two_phones_and_their_teacher(visit, address):
    desk = visit("/attention", seen=True)
    desk.locator(".st-key-share button").click()
    click(desk.locator(".st-key-vote_open button"))
    desk.locator(".tbt-room-code").wait_for()
    code = desk.locator(".tbt-room-code").inner_text()
    until(desk, lambda: code_on(desk).endswith(f"/?room={code}"), True)
    assert code not in desk.url and len(code) == 6
    settled(desk)
    desk.keyboard.press("Escape")
    click(desk.locator(".st-key-share button"))  # while the class votes what Share shows leads into the room, not beside it
    desk.locator(".st-key-share_link").wait_for()
    until(desk, lambda: code_on(desk).endswith(f"/?room={code}"), True)
    desk.keyboard.press("Escape")
    phone = visit(f"/?room={code}", **ON_A_PHONE)
    until(phone, lambda: "/attention?" in phone.url and "only=on" in phone.url, True)
    form = phone.locator(".st-key-guess_values")  # far below the figure, and brought into sight
    until(phone, lambda: 0 < form.bounding_box()["y"] < PHONE["height"], True)
    assert moved_on(phone) == {False}  # what is moved beneath the question would have told its answer
    phone.context.set_offline(True)  # in a dead spot of the classroom: said at once, by the phone alone
    phone.get_by_text("No connection").wait_for(timeout=5000)
    phone.context.set_offline(False)
    phone.get_by_text("No connection").wait_for(state="detached", timeout=15_000)
    say(phone, 0)
    another_says(address, code, "none")
    until(desk, lambda: answered(desk), "2 have answered")
    phone.reload()
    settled(phone)
    phone.get_by_text("Your answer is in: none").wait_for()
    say(phone, 1)
    desk.reload()
    settled(desk)
    until(desk, lambda: answered(desk), "2 have answered")
    assert not any("Weights come from" in page.content() for page in (desk, phone))
    until(desk, lambda: in_sight(desk, "reveal_values"), True)
    click(desk.locator(".st-key-present button"))
    settled(desk)
    desk.locator(".st-key-show_values button").click()
    desk.locator("[role=progressbar]").first.wait_for()
    until(desk, lambda: in_sight(desk, "vote_bars_values") and in_sight(desk, "reveal_values"), True)
    until(desk, lambda: "none: 1 of 2" in answered(desk) and "one: 1 of 2" in answered(desk), True)
    click(desk.locator(".st-key-reveal_values button"))
    until(desk, lambda: answered(desk), "1 of 2 right")
    until(desk, lambda: in_sight(desk, "vote_bars_values") and in_sight(desk, "anew_values"), True)
    until(phone, lambda: answered(phone), "You predicted one")
    until(phone, lambda: True in moved_on(phone), True)
    click(desk.locator(".st-key-slide_next button"))
    until(phone, lambda: "slide=2" in phone.url, True)
    click(phone.locator(".st-key-room_leave button"))
    until(phone, lambda: "room=" in phone.url, False)


def test_a_closed_tab_loses_no_room_and_a_wrong_code_stays_in_its_field(visit):
    desk = visit("/attention?slide=4&route=45&present=on")
    notes = visit(desk.url.replace("present=on", "notes=on"))
    desk.locator(".st-key-share button").click()
    click(desk.locator(".st-key-vote_open button"))
    desk.locator(".tbt-room-code").wait_for()
    code = desk.locator(".tbt-room-code").inner_text()
    desk.goto("about:blank")
    turn_to(notes, 2)
    phone = visit("/attention?room=AAAAAA&only=on", **ON_A_PHONE)
    phone.get_by_text("There is no room AAAAAA.").wait_for()
    assert phone.locator(".st-key-room_bar").count() == 0 and "room=" not in phone.url
    settled(phone)
    phone.get_by_label("Room code").fill(code.lower())
    phone.get_by_label("Room code").press("Enter")
    phone.locator(".st-key-room_bar", has_text=code).wait_for()
    again = visit("/")  # another tab of the teacher's browser
    click(again.locator(".st-key-back_door button", has_text=code).first)
    for page in (again, notes):  # as the class knows it, and the notes with it
        until(page, lambda page=page: "/attention?" in page.url and "slide=4" in page.url and "route=45" in page.url, True)
        settled(page)
    assert "present=on" in again.url and "notes=on" in notes.url
    until(phone, lambda: "/attention?" in phone.url, True)
    click(notes.locator(".st-key-slide_next button"))
    notes.get_by_text("vote is still open").wait_for()  # one press more ends it
    assert "/attention?" in phone.url
    click(notes.locator(".st-key-slide_next button"))
    for page in (again, phone):
        until(page, lambda page=page: page.url, "/prefill")


def test_a_question_stays_in_sight_when_the_figure_above_it_is_drawn_later_and_then_the_reader_is_free(context_of):
    page = context_of(user_agent="clock").new_page()  # a clock is the whole browser's, and this one is stopped
    page.set_viewport_size(PHONE)
    page.clock.install(time=0)
    page.clock.pause_at(1000)  # else it goes on by itself, and on a busy machine further than is asked for
    page.set_content(f"<style>{HEIGHTS}</style>")
    page.evaluate(BRING, INTO_SIGHT)
    page.clock.run_for(600)
    assert in_sight(page, "question")
    page.evaluate("document.querySelector('.above').style.height = '4000px'")
    assert not in_sight(page, "question")
    page.clock.run_for(900)
    assert in_sight(page, "question")
    page.evaluate("scrollTo(0, 0)")
    page.clock.run_for(3000)
    assert not in_sight(page, "question")
    page.close()


def test_a_phone_that_mistyped_the_code_is_drawn_as_a_phone_with_its_title_whole(visit):
    """The figure was a projector's, cut at the right, and the scenario's name lay over the title."""
    desk = visit("/overview", seen=True)
    desk.locator(".st-key-share button").click()
    click(desk.locator(".st-key-vote_open button"))
    desk.locator(".tbt-room-code").wait_for()
    code = desk.locator(".tbt-room-code").inner_text()
    phone = visit("/", **ON_A_PHONE)
    for said in ("AAAAAA", code):
        phone.get_by_label("Room code").fill(said)
        phone.get_by_label("Room code").press("Enter")
        if said != code:
            phone.get_by_text(f"There is no room {said}.").wait_for()
        settled(phone)
    until(phone, lambda: "/overview?" in phone.url, True)
    settled(phone)
    assert phone.locator(".stMain .main-svg").first.bounding_box()["width"] <= PHONE["width"]
    title = phone.locator(".stMain h1").bounding_box()
    shown = "([x, y]) => document.elementFromPoint(x, y)?.closest('h1') !== null"
    assert phone.evaluate(shown, [title["x"] + 20, title["y"] + title["height"] - 3])
    the_teacher_has_the_whole_vote_above_the_way_on(desk)


def the_teacher_has_the_whole_vote_above_the_way_on(desk):
    """Show and Reveal make the question longer, and have pushed the title and Next out of the window."""
    desk.keyboard.press("Escape")
    for press, then in (("show", "reveal"), ("reveal", "anew")):
        click(desk.locator(f".st-key-{press}_word button"))
        desk.locator(f".st-key-{then}_word button").first.wait_for()
        if press == "show":
            bars = desk.locator("[class*=st-key-vote_bars] [role=progressbar]")
            bars.first.wait_for()
            assert len({round(bar.bounding_box()["y"]) for bar in bars.all()}) == 1 < bars.count()  # side by side
            assert desk.locator(".stMain h1").bounding_box()["y"] >= 0
        until(desk, lambda: in_sight(desk, "slide_next"), True)
        until(desk, lambda: edge(desk, ".st-key-predict_word", "bottom") <= edge(desk, ".st-key-slide_next", "top"), True)


def edge(page, selector, side):
    return page.locator(selector).evaluate("(box, side) => box.getBoundingClientRect()[side]", side)


def test_a_revealed_vote_pushes_no_title_off_a_projector(visit, address):
    """A class's first vote did: 759 pixels of 720, and the page was scrolled."""
    desk = visit("/overview?route=45")
    desk.locator(".st-key-share button").click()
    click(desk.locator(".st-key-vote_open button"))
    desk.locator(".tbt-room-code").wait_for()
    another_says(address, desk.locator(".tbt-room-code").inner_text(), "1")
    settled(desk)
    desk.keyboard.press("Escape")
    click(desk.locator(".st-key-reveal_passes button"))
    desk.locator(".st-key-vote_bars_passes").wait_for()
    until(desk, lambda: in_sight(desk, "anew_passes"), True)
    until(desk, lambda: desk.locator("h1").bounding_box()["y"] >= 0 and not beyond(desk), True)
