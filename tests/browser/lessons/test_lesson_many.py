"""The lesson on many requests in a real browser: by keyboard alone another policy and load, its questions, and a film."""

from reading import choose, figures_as_text, says, tab_to, turn_to, until
from said import in_order


def test_by_keyboard_alone_the_load_is_raised_and_the_questions_answered(visit):
    page = visit("/many")
    assert in_order("continuous", "A100", "prompts").search(figures_as_text(page)[0])
    before = figures_as_text(page)[0]
    tab_to(page, ".st-key-extra_per_minute")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.search.includes('per_minute=3840')")
    until(page, lambda: figures_as_text(page)[0] != before, True)
    says(page, "takeaway_many", "First tokens", "TPOT")
    page.goto(page.url.split("?")[0] + "?policy=chunked")
    says(page, "takeaway_many", "First tokens", "TPOT")
    turn_to(page, 2)
    choose(page, "pause")
    says(page, "answer_pause", "static", "continuous", "chunked", "disaggregated")
    says(page, "takeaway_beside", "tokens a second")
    turn_to(page, 3)
    page.locator(".st-key-guess_devices input").wait_for(timeout=60_000)  # the search for the knee is done
    tab_to(page, ".st-key-guess_devices input")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    says(page, "takeaway_devices", "requests a minute")
    turn_to(page, 4)
    tab_to(page, ".tbt-reel button")
    page.keyboard.press("Enter")
    page.wait_for_function("Number(document.querySelector('.tbt-figure').dataset.frame) < 20")
    tab_to(page, ".st-key-guess_together input")
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    says(page, "takeaway_full", "preemption")
