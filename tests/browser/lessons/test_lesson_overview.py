"""The first lesson in a real browser: by keyboard alone from the vote to the reveal, Play, the map, and its own name."""

from driving import settled
from reading import figures_as_text, says, tab_to, texts
from said import in_order

BIG = (
    "tokens=w1,w2,w3,w4,w5,w6,w7,w8,w9,w10,w11,w12,w13,w14,w15,w16&values=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"
    "&rules=even,odd,self,previous,first,all,window:3,none"
)


def test_by_keyboard_alone_the_vote_reveals_the_words_and_the_steps_are_answered(visit):
    page = visit("/overview")
    assert "nice" not in texts(page) and "?" in " ".join(texts(page))
    tab_to(page, ".st-key-guess_word")
    page.keyboard.press("Space")
    tab_to(page, ".st-key-form_word button, .st-key-predict_word [data-testid='stFormSubmitButton'] button")
    page.keyboard.press("Enter")
    says(page, "answer_word", "check_circle", "nice", "75.0%")
    says(page, "takeaway_request", "“nice”")
    settled(page)
    assert texts(page).count("nice") == 10  # 4 come out, 3 are computed, 2 + 1 are read again
    page = visit("/overview?slide=2")
    tab_to(page, ".st-key-guess_steps input")
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    says(page, "answer_steps", "3", "computed", "2", "+1")


def test_the_number_of_tokens_is_in_the_link_and_adds_a_pass_each(visit):
    page = visit("/overview")
    page.locator(".st-key-extra_g input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.search.includes('g=5')")
    settled(page)
    assert "pass 5" in texts(page) and "pass 6" not in texts(page)
    assert in_order("Pass 5", "decode", "?", "7 tokens", "cache").search(figures_as_text(visit("/overview?g=5"))[0])


def test_play_shows_prefill_as_one_block_and_then_a_token_a_pass(visit):
    page = visit("/overview")
    label = page.locator(".tbt-reel output")
    assert label.inner_text() == "pass 4: decode, 1 token"
    page.locator(".tbt-reel button").focus()
    page.keyboard.press("Space")
    for name in ("pass 1: prefill, 4 tokens together", "pass 2: decode, 1 token", "pass 4: decode, 1 token"):
        page.wait_for_function("(name) => document.querySelector('.tbt-reel output').innerText === name", arg=name)


def test_the_map_leads_to_the_lessons_and_takes_the_scenario_along(visit):
    page = visit("/overview?slide=3&tokens=a,b&values=1,2&rules=even")
    page.locator(".st-key-lesson_map").get_by_role("link", name="Head rules by hand").click()
    page.wait_for_url("**/rules?tokens=a,b&values=1,2&rules=even*")
    settled(page)
    assert "head 1 even" in figures_as_text(page)[0]
