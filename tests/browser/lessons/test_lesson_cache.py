"""The cache lesson in a real browser: by keyboard alone from the first question to the moral, and the movement that plays by itself."""

from reading import choose, click, says, tab_to, texts, turn_to, until

FADES = "window.faded = 0; addEventListener('transitionrun', ({ target }) => { faded += target.matches('.stElementContainer') })"
ON_NEXT = "document.activeElement.closest('.st-key-slide_next') !== null"


def test_by_keyboard_alone_from_the_first_question_to_the_moral(visit):
    page = visit("/cache")

    def turn(name):
        page.evaluate("document.activeElement.blur()")
        tab_to(page, ".st-key-slide_next button")
        page.keyboard.press("Enter")
        page.locator(".st-key-step_names [aria-checked=true]", has_text=name).wait_for()
        until(page, lambda: page.evaluate(ON_NEXT), True)  # the focus went on with the button, not to the top of the page

    choose(page, "kept", 1)
    says(page, "answer_kept", "Right", "k and v")
    until(page, lambda: "kept" in "".join(texts(page)), True)
    turn("Row by row")
    tab_to(page, ".st-key-guess_rows_0 input")
    page.keyboard.type("6")
    page.keyboard.press("Enter")
    says(page, "answer_rows_0", "Right", "6")
    says(page, "takeaway_grid", "4 rows", "at once")  # an answer stays where it was asked
    page.evaluate("document.activeElement.blur()")
    for at in (1, 2):
        page.keyboard.press("ArrowRight")
        says(page, "stepper_step", f"Step {at}")
    says(page, "takeaway_grid", "1 row", "5 are read")
    turn("Same words?")
    says(page, "takeaway_compare", "rounding alone")
    choose(page, "wrong_key", 0)
    click(page.get_by_role("radio", name="With a key that goes out of date"))
    says(page, "takeaway_compare", "false", "keys")  # the answer is seen in the figure
    turn("Mask off")
    choose(page, "depth", 1)
    says(page, "takeaway_depth", "old key")
    turn("One row off")
    plays_by_itself(page, lambda: turn("In motion"))
    turn("A stale key")
    choose(page, "stale", 3)
    says(page, "takeaway_stale", "A key may say only")


def numbers_fit_their_cells(page):
    """Numbers of neighbours ran into each other on a projector, and a third of a laptop's plate was empty."""
    for width, height, wide, tall in ((1440, 900, 40, 50), (1280, 720, 25, 30), (390, 844, 20, 40)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(200)  # measured again
        cells = page.locator(".tbt-now .tbt-weights i").evaluate_all(
            "all => all.map((i) => [i.clientWidth, i.clientHeight, i.scrollWidth])"
        )
        assert cells, width
        assert all(w >= wide and h >= tall and said <= w for w, h, said in cells), (width, cells)
    page.set_viewport_size({"width": 1280, "height": 720})


def plays_by_itself(page, turn):
    """The step is a movement that can be skipped, and that stands still where motion is unwanted; nor does what waits fade there."""
    page.emulate_media(reduced_motion="null")
    turn()
    page.wait_for_selector(".tbt-machine[data-frame='2'][data-playing='true'] .tbt-row.tbt-now")
    assert page.locator(".tbt-next .tbt-chance").count()  # the last pass's, until this one's come
    page.locator(".tbt-bar input").focus()
    page.keyboard.press("End")
    page.wait_for_selector(".tbt-machine[data-frame='3'][data-playing='false']")
    assert "slide=6" in page.url  # the slider's keys turn no step
    assert page.locator(".tbt-row.tbt-written.tbt-there").count() == 2
    numbers_fit_their_cells(page)
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(FADES)
    turn_to(page, 5)
    turn_to(page, 6)
    assert page.evaluate("window.faded") == 0
    assert page.locator(".tbt-machine").get_attribute("data-playing") == "false"


def test_the_movement_opens_with_a_finished_picture(visit):
    """For a second the prompt's pass was half faded in, and so it was on every still that was taken of the page."""
    page = visit("/cache")
    page.emulate_media(reduced_motion="null")
    page.evaluate(
        "() => { window.after = setTimeout; window.setTimeout = (f, ms, ...rest) => (ms === 2100 ? 0 : after(f, ms, ...rest)) }"
    )
    turn_to(page, 6)
    page.wait_for_selector(".tbt-machine[data-drawn][data-frame='1'][data-playing='true']")
    parts = ".tbt-fresh .tbt-weights, .tbt-fresh .tbt-context, .tbt-chance, .tbt-to-come .tbt-weights"
    seen = """(parts) => [...document.querySelectorAll(parts)]
        .map((cell) => [cell.getAnimations().length, getComputedStyle(cell).opacity, cell.closest('.tbt-to-come') !== null])"""
    found = page.evaluate(seen, parts)
    assert found and all(moving == 0 and float(opacity) == (0 if later else 1) for moving, opacity, later in found), found
