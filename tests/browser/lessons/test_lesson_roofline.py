"""The lesson on time in a real browser: by keyboard alone, points that move with the prompt, a click on a point."""

from driving import settled
from reading import choose, figures_as_text, says, tab_to, turn_to, until
from said import in_order

from engine.cost import DEVICES, MODELS
from engine.cost.requests import request


def test_by_keyboard_alone_the_prompt_is_shortened_and_the_questions_answered(visit):
    page = visit("/roofline")
    assert in_order("prefill", "1,096", "compute").search(figures_as_text(page)[0])
    tells_under_the_pointer(page)
    page.mouse.move(0, 0)
    tab_to(page, ".st-key-extra_p")
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    moved = in_order("prefill", "memory", "decode", "memory")
    until(page, lambda: bool(moved.search(figures_as_text(page)[0])), True)
    page.wait_for_function("location.search.includes('p=64')")
    says(page, "takeaway_roof", "prefill", "memory", "decode", "memory")
    turn_to(page, 2)
    choose(page, "batch")
    says(page, "answer_batch", "check_circle", "it hardly changes")
    turn_to(page, 3)
    tab_to(page, ".st-key-guess_end_to_end input")
    page.keyboard.type(f"{1e3 * request(MODELS['Llama-3.1-8B'], 64, 200, DEVICES['A100-80']).end_to_end_s:.1f}")
    page.keyboard.press("Enter")
    says(page, "answer_end_to_end", "check_circle", "ms")
    turn_to(page, 4)
    tab_to(page, ".st-key-guess_even input")
    page.keyboard.type("122532")
    page.keyboard.press("Enter")
    says(page, "answer_even", "check_circle", "122,532", "122,528")


def tells_under_the_pointer(page):
    """A point does; a click on it throws nothing: a script error fails the test."""
    dot = page.locator(".st-key-roofline .scatterlayer .trace").nth(1).locator(".points path").first
    box = dot.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.locator(".st-key-roofline .hoverlayer text").first.wait_for()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    settled(page)
