"""The lesson on guessing ahead in a real browser: another number of guesses by keyboard, and the question answered."""

from reading import choose, figures_as_text, says, tab_to, turn_to, until


def test_by_keyboard_alone_more_is_guessed_and_the_question_answered(visit):
    page = visit("/guess")
    says(page, "takeaway_guesses", "20 passes", "taken back")
    before = figures_as_text(page)[0]
    tab_to(page, ".st-key-extra_guesses")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("location.search.includes('guesses=3')")
    until(page, lambda: figures_as_text(page)[0] != before, True)
    turn_to(page, 2)
    choose(page, "faster")
    says(page, "answer_faster", "check_circle", "4 rows")
    says(page, "takeaway_pays", "Llama", "batch")
