"""The lesson on many requests in a real browser: by keyboard alone its film, and the number that is asked of its memory."""

from reading import says, tab_to, turn_to


def test_by_keyboard_alone_the_film_is_played_and_the_question_of_its_memory_answered(visit):
    page = visit("/many?policy=chunked&slide=1")
    tab_to(page, ".tbt-reel button")
    page.keyboard.press("Enter")
    page.wait_for_function("Number(document.querySelector('.tbt-figure').dataset.frame) < 20")
    turn_to(page, 4)
    tab_to(page, ".st-key-guess_together input")
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    says(page, "takeaway_full", "preemption")
