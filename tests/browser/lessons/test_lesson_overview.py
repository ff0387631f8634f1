"""The first lesson in a real browser: by keyboard alone the vote reveals the word, and the map takes the scenario along."""

from driving import settled
from reading import choose, figures_as_text, says, texts, turn_to, until

SCENARIO = "values=10,20,1,6&rules=even,previous,first,all"


def test_the_vote_reveals_the_word_and_the_map_takes_the_scenario_along(visit):
    page = visit(f"/overview?tokens=Today,weather,is,so&{SCENARIO}")
    assert "nice" not in texts(page) and "?" in " ".join(texts(page))
    choose(page, "word")
    says(page, "answer_word", "check_circle", "nice", "68.4%")
    assert texts(page).count("nice") == 4  # it comes out, is computed once, and read twice
    turn_to(page, 3)
    page.locator(".st-key-lesson_map").get_by_role("link", name="Head rules by hand").click()
    page.wait_for_url(f"**/rules?*{SCENARIO}*")
    settled(page)
    until(page, lambda: figures_as_text(page)[0], "head 1 even")
