"""The first lesson in a real browser: Play, by keyboard alone from the vote to the reveal, and the map."""

from driving import settled
from reading import choose, figures_as_text, says, tab_to, texts, turn_to, until

SCENARIO = "values=10,20,1,6&rules=even,previous,first,all"
# Each frame of a reel by its name: whoever looks now and then may miss one.
FRAMES = """window.frames_seen = [];
new MutationObserver(() => {
  const name = document.querySelector(".tbt-reel output")?.textContent;
  if (name && name !== window.frames_seen.at(-1)) window.frames_seen.push(name);
}).observe(document, { subtree: true, childList: true, characterData: true });"""


def test_it_plays_a_token_a_pass_the_vote_reveals_the_words_and_the_map_takes_the_scenario_along(visit):
    page = visit(f"/overview?tokens=Today,weather,is,so&{SCENARIO}", init=FRAMES, clock=True)
    assert "nice" not in texts(page) and "?" in " ".join(texts(page))
    plays(page)
    choose(page, "word")
    says(page, "answer_word", "check_circle", "nice", "68.4%")
    assert texts(page).count("nice") == 4  # it comes out, is computed once, and read twice
    assert texts(page).count("token 4") == 1  # which words follow is not told
    page.locator(".st-key-extra_g input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.search.includes('g=5')")
    assert "pass 5" in texts(page) and "pass 6" not in texts(page)
    assert page.evaluate("window.frames_seen.at(-1)") == "pass 5: decode, 1 token"  # who stood at the end stays there
    turn_to(page, 2)
    choose(page, "steps", 2)
    says(page, "answer_steps", "cancel", "3", "out of prefill", "2")
    until(page, lambda: "your guess" in texts(page) and "pass 3" in texts(page), True)
    turn_to(page, 3)
    page.locator(".st-key-lesson_map").get_by_role("link", name="Head rules by hand").click()
    page.wait_for_url(f"**/rules?*{SCENARIO}*")
    settled(page)
    until(page, lambda: figures_as_text(page)[0], "head 2 previous")


def plays(page):
    """Prefill is one block, then each pass takes one token."""
    last = "pass 4: decode, 1 token"
    assert page.evaluate("window.frames_seen") == [last]
    tab_to(page, ".tbt-reel button")
    page.keyboard.press("Space")
    for k in range(2, 6):
        page.wait_for_function("(k) => window.frames_seen.length >= k", arg=k)
        page.clock.run_for(900)
    page.wait_for_function("window.frames_seen.length >= 6")
    _, _, *passes = page.evaluate("window.frames_seen")
    assert passes == ["pass 1: prefill, 4 tokens together", "pass 2: decode, 1 token", "pass 3: decode, 1 token", last]
