"""Why look back in a real browser: the word is predicted, the story changed, the rows counted."""

from driving import settled
from reading import figures_as_text, says, texts, turn_to


def test_a_word_is_predicted_the_story_changed_and_the_rows_counted(visit):
    page = visit("/why")
    page.locator(".tbt-answers button[title=kite]").click()  # in the figure, where the guess stays
    says(page, "answer_looks_at", "kite", "computed", "97.9%", "99.9%")
    settled(page)
    assert "your guess" in " ".join(texts(page)) and not page.locator(".tbt-answers").count()
    assert "<b>97.9%</b>" not in texts(page) and "97.9%" in texts(page)
    page.locator(".st-key-story button", has_text="Ben").click()
    page.wait_for_function("location.search.includes('last=Ben')")
    settled(page)
    assert "blue" in figures_as_text(page)[0] and "97.9%" not in texts(page)
    page.locator(".st-key-why_again button").click()
    settled(page)
    assert "predicted" in figures_as_text(page)[0]
    turn_to(page, 2)
    page.locator(".st-key-guess_rows_again button", has_text="three quarters").click()
    says(page, "takeaway_waste", "70 of 90")
    assert "has" in " ".join(texts(page))
